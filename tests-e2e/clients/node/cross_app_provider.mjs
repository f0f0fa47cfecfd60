// Signs in at an MCP server with the CrossAppAccessProvider of the MCP SDK, and prints the tokens or what it throws.
// Arguments: issuer of the company, client id there, issuer of the MCP server, client id there, port of the MCP server,
// scope. The id_token and the secret are in the environment.
import { createServer } from "node:http";
import { auth, CrossAppAccessProvider, discoverAndRequestJwtAuthGrant } from "@modelcontextprotocol/client";

const [idpUrl, idpClientId, issuer, clientId, port, scope] = process.argv.slice(2);
const { ID_TOKEN: idToken, CLIENT_SECRET: clientSecret } = process.env;
const serverUrl = `http://localhost:${port}/mcp`;

// RFC 9728: what the MCP server publishes about itself.
const metadata = { resource: serverUrl, authorization_servers: [issuer], scopes_supported: scope.split(" ") };
const server = createServer((request, response) => {
  const found = request.url.startsWith("/.well-known/oauth-protected-resource");
  response.writeHead(found ? 200 : 404, { "Content-Type": "application/json" });
  response.end(JSON.stringify(found ? metadata : {}));
});
await new Promise((listening) => server.listen(Number(port), "localhost", listening));

const provider = new CrossAppAccessProvider({
  clientId, clientSecret, expectedIssuer: issuer,
  assertion: async ({ authorizationServerUrl: audience, resourceUrl: resource, scope: wanted, fetchFn }) => {
    const given = await discoverAndRequestJwtAuthGrant({
      idpUrl, audience, resource, idToken, clientId: idpClientId, clientSecret, scope: wanted, fetchFn,
    });
    return given.jwtAuthGrant;
  },
});
try {
  const result = await auth(provider, { serverUrl, scope });
  console.log(JSON.stringify({ result, ...provider.tokens() }));
} catch (error) {
  console.log(JSON.stringify({ error: error.message }));
}
server.close();
