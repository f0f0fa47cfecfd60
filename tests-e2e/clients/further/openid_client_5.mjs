// A relying party with openid-client 5, for one user at a time.
// Settings come from the environment: ISSUER, CLIENT_ID, URL, METHOD, CLIENT_SECRET, or KEY (PEM) with KID.
import { createPrivateKey } from "node:crypto";
import { createServer } from "node:http";
import { Issuer, generators } from "openid-client";

const { ISSUER, CLIENT_ID, URL: HOME, METHOD, CLIENT_SECRET, KEY, KID } = process.env;

const signs = METHOD === "private_key_jwt";
const keys = signs && [{ ...createPrivateKey(KEY).export({ format: "jwk" }), kid: KID, alg: "RS256" }];
const { Client } = await Issuer.discover(ISSUER);
const client = new Client(
  {
    client_id: CLIENT_ID,
    client_secret: CLIENT_SECRET,
    redirect_uris: [`${HOME}/cb`],
    post_logout_redirect_uris: [`${HOME}/bye`],
    ...(METHOD === "default" ? {} : { token_endpoint_auth_method: METHOD }),
  },
  signs ? { keys } : undefined,
);
const code_verifier = generators.codeVerifier();
const state = generators.state();
let tokens;
let name;

const pages = {
  "/": () => `Hello ${name}`,
  "/login": () =>
    new URL(
      client.authorizationUrl({
        scope: "openid profile offline_access",
        state,
        code_challenge: generators.codeChallenge(code_verifier),
        code_challenge_method: "S256",
      }),
    ),
  "/cb": async (request) => {
    tokens = await client.callback(`${HOME}/cb`, client.callbackParams(request), { code_verifier, state });
    name = (await client.userinfo(tokens)).name;
    return new URL(HOME);
  },
  "/refresh": async () => {
    tokens = await client.refresh(tokens.refresh_token);
    return `Hello again ${(await client.userinfo(tokens)).name}`;
  },
  "/logout": () => new URL(client.endSessionUrl({ id_token_hint: tokens.id_token })),
};

createServer(async (request, response) => {
  const page = pages[new URL(request.url, HOME).pathname];
  try {
    const answer = page ? await page(request) : "";
    if (answer instanceof URL) return response.writeHead(302, { Location: answer.href }).end();
    response.writeHead(page ? 200 : 404, { "Content-Type": "text/plain" }).end(answer);
  } catch (error) {
    console.error(error);
    response.writeHead(500).end(String(error));
  }
}).listen(Number(new URL(HOME).port), "localhost");
