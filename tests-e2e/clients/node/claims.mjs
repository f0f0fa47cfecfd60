// An API with oauth4webapi: checks a JWT access token, reads userinfo, and prints the claim that the arguments name.
// Settings come from the environment: ISSUER, CLIENT_ID, AUDIENCE; arguments: the access token, the subject, the claim.
import * as oauth from "oauth4webapi";

const { ISSUER, CLIENT_ID, AUDIENCE } = process.env;
const [token, subject, claim] = process.argv.slice(2);
const insecure = { [oauth.allowInsecureRequests]: true };
const issuer = new URL(ISSUER);
const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
const request = new Request("http://localhost/", { headers: { Authorization: `Bearer ${token}` } });
const claims = await oauth.validateJwtAccessToken(server, request, AUDIENCE, insecure);
const client = { client_id: CLIENT_ID };
const response = await oauth.userInfoRequest(server, client, token, insecure);
const user = await oauth.processUserInfoResponse(server, client, subject, response);
console.log(JSON.stringify([claims[claim], user[claim]]));
