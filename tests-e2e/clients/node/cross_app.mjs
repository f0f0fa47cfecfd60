// Requests an identity assertion with the MCP SDK, and prints what it returns or throws.
// Arguments: token endpoint, outside server, resource, client id, scope. The id_token and the secret are in the environment.
import { requestJwtAuthorizationGrant } from "@modelcontextprotocol/client";

const [tokenEndpoint, audience, resource, clientId, scope] = process.argv.slice(2);
const { ID_TOKEN: idToken, CLIENT_SECRET: clientSecret } = process.env;
const asked = {
  tokenEndpoint, audience: new URL(audience), resource: new URL(resource), clientId, clientSecret, idToken, scope,
};

console.log(JSON.stringify(await requestJwtAuthorizationGrant(asked).catch((error) => ({ error: error.message }))));
