// Calls tools of a protected MCP server: prints the address to open, and reads the address that the browser returns to.
// Each tool but the first waits for a line.
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createInterface } from "node:readline";

const [server, clientId, redirectUri, ...tools] = process.argv.slice(2);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const stored = {};
const provider = {
  clientMetadataUrl: clientId,
  redirectUrl: redirectUri,
  clientMetadata: { redirect_uris: [redirectUri], token_endpoint_auth_method: "none" },
  clientInformation: () => stored.client,
  saveClientInformation: (client) => { stored.client = client; },
  tokens: () => stored.tokens,
  saveTokens: (tokens) => { stored.tokens = tokens; },
  redirectToAuthorization: (url) => console.log(`OPEN ${url.href}`),
  saveCodeVerifier: (verifier) => { stored.verifier = verifier; },
  codeVerifier: () => stored.verifier,
};

async function connect() {
  const transport = new StreamableHTTPClientTransport(new URL(server), { authProvider: provider });
  const client = new Client({ name: "tests", version: "1.0.0" });
  try {
    await client.connect(transport);
    return client;
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
  }
  await transport.finishAuth(new URL((await lines.next()).value).searchParams.get("code"));
  return connect();
}

const client = await connect();
for (const [number, tool] of (tools.length ? tools : ["read_notes {}"]).entries()) {
  if (number) await lines.next();
  const [, name, text] = tool.match(/^(\S+) (.*)$/);
  const result = await client.callTool({ name, arguments: JSON.parse(text) });
  console.log(`RESULT ${result.content[0].text.replaceAll("\n", " | ")}`);
}
console.log(`TOKEN ${stored.tokens.access_token}`);
process.exit(0);
