// oauth4webapi in a browser.
import * as oauth from "oauth4webapi";
import { CLIENT_ID, HOME, ISSUER } from "./settings.js";
import { shown, signsIn } from "./shown.js";

const insecure = { [oauth.allowInsecureRequests]: true };
const issuer = new URL(ISSUER);
const found = await oauth.discoveryRequest(issuer, insecure);
const server = await oauth.processDiscoveryResponse(issuer, found);
const client = { client_id: CLIENT_ID };
const redirectUri = `${HOME}/cb`;

signsIn(async () => {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  Object.assign(sessionStorage, { verifier, state });
  const url = new URL(server.authorization_endpoint);
  url.search = new URLSearchParams({
    client_id: CLIENT_ID,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid profile",
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  location.assign(url);
});
shown(async () => {
  if (!location.search) return undefined;
  const { verifier, state } = sessionStorage;
  const parameters = oauth.validateAuthResponse(server, client, new URL(location.href), state);
  const answer = await oauth.authorizationCodeGrantRequest(
    server, client, oauth.None(), parameters, redirectUri, verifier, insecure,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, { requireIdToken: true });
  const userinfo = await oauth.userInfoRequest(server, client, tokens.access_token, insecure);
  const { sub } = oauth.getValidatedIdTokenClaims(tokens);
  return (await oauth.processUserInfoResponse(server, client, sub, userinfo)).name;
});
