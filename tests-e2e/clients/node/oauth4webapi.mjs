// A relying party with oauth4webapi, which binds its tokens to a key (RFC 9449), for one user at a time.
// Settings come from the environment: ISSUER, CLIENT_ID, CLIENT_SECRET, URL.
import { createServer } from "node:http";
import * as oauth from "oauth4webapi";

const { ISSUER, CLIENT_ID, CLIENT_SECRET, URL: HOME } = process.env;

const plain = { [oauth.allowInsecureRequests]: true };
const issuer = new URL(ISSUER);
const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, plain));
const client = { client_id: CLIENT_ID };
const authentication = oauth.ClientSecretBasic(CLIENT_SECRET);
const options = { ...plain, DPoP: oauth.DPoP(client, await oauth.generateKeyPair("ES256")) };
const verifier = oauth.generateRandomCodeVerifier();
const state = oauth.generateRandomState();
let tokens;

// The first proof has no nonce; the response to it has one, which the library keeps.
async function withNonce(request, read) {
  try {
    return await read(await request());
  } catch (error) {
    if (!oauth.isDPoPNonceError(error)) throw error;
    return await read(await request());
  }
}

async function name() {
  const { sub } = oauth.getValidatedIdTokenClaims(tokens);
  return await withNonce(
    () => oauth.userInfoRequest(server, client, tokens.access_token, options),
    async (response) => (await oauth.processUserInfoResponse(server, client, sub, response)).name,
  );
}

let signedIn;
const pages = {
  "/": () => `Hello ${signedIn}`,
  "/login": async () => {
    const url = new URL(server.authorization_endpoint);
    url.search = new URLSearchParams({
      client_id: CLIENT_ID,
      redirect_uri: `${HOME}/cb`,
      response_type: "code",
      scope: "openid profile offline_access",
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
    return url;
  },
  "/cb": async (url) => {
    const answer = oauth.validateAuthResponse(server, client, url, state);
    tokens = await withNonce(
      () => oauth.authorizationCodeGrantRequest(server, client, authentication, answer, `${HOME}/cb`, verifier, options),
      (response) => oauth.processAuthorizationCodeResponse(server, client, response, { requireIdToken: true }),
    );
    signedIn = await name();
    return new URL(HOME);
  },
  "/refresh": async () => {
    tokens = await withNonce(
      () => oauth.refreshTokenGrantRequest(server, client, authentication, tokens.refresh_token, options),
      (response) => oauth.processRefreshTokenResponse(server, client, response),
    );
    return `Hello again ${await name()}`;
  },
  "/type": () => tokens.token_type,
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
