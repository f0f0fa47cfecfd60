// A relying party with fetch alone and proofs of the package dpop (RFC 9449), for one user at a time.
// Settings come from the environment: ISSUER, CLIENT_ID, CLIENT_SECRET, URL.
import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import * as DPoP from "dpop";

const { ISSUER, CLIENT_ID, CLIENT_SECRET, URL: HOME } = process.env;

const server = await (await fetch(`${ISSUER}/.well-known/openid-configuration`)).json();
const keyPair = await DPoP.generateKeyPair("ES256");
const verifier = randomBytes(32).toString("base64url");
const state = randomBytes(16).toString("base64url");
let nonce;
let tokens;
let name;

async function call(url, method, body, token) {
  const proof = await DPoP.generateProof(keyPair, url, method, nonce, token);
  const secret = Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString("base64");
  const headers = { DPoP: proof, Authorization: token ? `DPoP ${token}` : `Basic ${secret}` };
  const response = await fetch(url, { method, headers, body: body && new URLSearchParams(body) });
  const isNew = response.headers.get("DPoP-Nonce") !== (nonce ?? null);
  nonce = response.headers.get("DPoP-Nonce") ?? nonce;
  const answer = await response.json();
  if (answer.error === "use_dpop_nonce" && isNew) return await call(url, method, body, token);
  if (!response.ok) throw new Error(`${answer.error}: ${answer.error_description}`);
  return answer;
}

const redeem = (form) => call(server.token_endpoint, "POST", form);
const nameOfUser = async () => (await call(server.userinfo_endpoint, "GET", undefined, tokens.access_token)).name;

const pages = {
  "/": () => `Hello ${name}`,
  "/login": () => {
    const url = new URL(server.authorization_endpoint);
    url.search = new URLSearchParams({
      client_id: CLIENT_ID,
      redirect_uri: `${HOME}/cb`,
      response_type: "code",
      scope: "openid profile offline_access",
      state,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    });
    return url;
  },
  "/cb": async (url) => {
    if (url.searchParams.get("state") !== state) throw new Error("another state");
    const code = url.searchParams.get("code");
    tokens = await redeem({ grant_type: "authorization_code", code, redirect_uri: `${HOME}/cb`, code_verifier: verifier });
    name = await nameOfUser();
    return new URL(HOME);
  },
  "/refresh": async () => {
    tokens = await redeem({ grant_type: "refresh_token", refresh_token: tokens.refresh_token });
    return `Hello again ${await nameOfUser()}`;
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
    response.writeHead(502).end(String(error));
  });
}).listen(Number(new URL(HOME).port), "localhost");
