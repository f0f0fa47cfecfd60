// A relying party with openid-client, for one user at a time.
// Settings come from the environment: ISSUER, CLIENT_ID, URL, METHOD, CLIENT_SECRET, or KEY (PEM) with KID and ALG.
// With PUSH, the address of that endpoint, it pushes its authorization requests (RFC 9126).
// With DPOP it binds its tokens to a key (RFC 9449). With the files CERT, CERT_KEY and CA it authenticates by a certificate.
import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { request as httpsRequest } from "node:https";
import * as client from "openid-client";

const { ISSUER, CLIENT_ID, URL: HOME, METHOD, CLIENT_SECRET, KEY, KID, PUSH, DPOP, CERT, CERT_KEY, CA } = process.env;

async function signingKey() {
  const der = createPrivateKey(KEY).export({ type: "pkcs8", format: "der" });
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  return await crypto.subtle.importKey("pkcs8", der, algorithm, false, ["sign"]);
}

function certifiedFetch(url, { method, headers, body }) {
  const files = { cert: readFileSync(CERT), key: readFileSync(CERT_KEY), ca: readFileSync(CA) };
  return new Promise((resolve, reject) => {
    const sent = httpsRequest(url, { method, headers, ...files }, async (received) => {
      const parts = await received.toArray();
      resolve(new Response(Buffer.concat(parts), { status: received.statusCode, headers: received.headers }));
    });
    sent.on("error", reject).end(body && String(body));
  });
}

const authentication = {
  default: () => CLIENT_SECRET,
  client_secret_post: () => client.ClientSecretPost(CLIENT_SECRET),
  client_secret_basic: () => client.ClientSecretBasic(CLIENT_SECRET),
  private_key_jwt: async () => client.PrivateKeyJwt({ key: await signingKey(), kid: KID }),
  tls_client_auth: () => client.TlsClientAuth(),
};

const chosen = await authentication[METHOD]();
const aliases = CERT && { use_mtls_endpoint_aliases: true };
const [metadata, method] = METHOD === "default" ? [chosen, undefined] : [aliases, chosen];
const options = { execute: [client.allowInsecureRequests] };
if (CERT) options[client.customFetch] = certifiedFetch;
const discovered = await client.discovery(new URL(ISSUER), CLIENT_ID, metadata, method, options);
const server = { ...discovered.serverMetadata(), ...(PUSH && { pushed_authorization_request_endpoint: PUSH }) };
const config = new client.Configuration(server, CLIENT_ID, metadata, method);
client.allowInsecureRequests(config);
if (CERT) config[client.customFetch] = certifiedFetch;
const bound = DPOP ? { DPoP: client.getDPoPHandle(config, await client.randomDPoPKeyPair()) } : undefined;
const buildUrl = PUSH ? client.buildAuthorizationUrlWithPAR : client.buildAuthorizationUrl;
const verifier = client.randomPKCECodeVerifier();
const state = client.randomState();
let tokens;
let name;

const pages = {
  "/": () => `Hello ${name}`,
  "/login": async () =>
    buildUrl(config, {
      redirect_uri: `${HOME}/cb`,
      scope: "openid profile offline_access",
      state,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    }, bound),
  "/cb": async (url) => {
    const checks = { pkceCodeVerifier: verifier, expectedState: state, idTokenExpected: true };
    tokens = await client.authorizationCodeGrant(config, url, checks, undefined, bound);
    name = (await client.fetchUserInfo(config, tokens.access_token, tokens.claims().sub, bound)).name;
    return new URL(HOME);
  },
  "/refresh": async () => {
    const sub = tokens.claims().sub;
    tokens = await client.refreshTokenGrant(config, tokens.refresh_token, undefined, bound);
    return `Hello again ${(await client.fetchUserInfo(config, tokens.access_token, sub, bound)).name}`;
  },
  "/type": () => tokens.token_type,
  "/logout": () =>
    client.buildEndSessionUrl(config, { id_token_hint: tokens.id_token, post_logout_redirect_uri: `${HOME}/bye` }),
};

async function answer(request, response) {
  const url = new URL(request.url, HOME);
  const found = await pages[url.pathname](url);
  if (found instanceof URL) response.writeHead(303, { Location: found.href }).end();
  else response.end(found);
}

createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.error(error);
    response.writeHead(502).end(`${error.error}: ${error.error_description}`);
  });
}).listen(Number(new URL(HOME).port), "localhost");
