#!/usr/bin/env bash
# Expected: a browser library without a client secret names itself at the revocation endpoint by client_id in the body,
#   as public clients do (RFC 6749 section 3.2.1), and "Basic" is followed by id and secret joined by a colon (RFC 7617).
# Instead: okta-auth-js revokes with "Authorization: Basic" and the base64 of the client id alone, without a colon and
#   without client_id in the body. A server that divides at the colon sees no client at all.
# Versions: @okta/okta-auth-js 8.0.1, Node.js 18 and later. Seen on 2026-11-29.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @okta/okta-auth-js@8.0.1 >/dev/null
cat >revoke.cjs <<'JS'
const http = require("node:http");
const { OktaAuth } = require("@okta/okta-auth-js");
const server = http.createServer((request, response) => {
  let body = "";
  request.on("data", (part) => (body += part));
  request.on("end", () => {
    const header = request.headers.authorization ?? "";
    const told = Buffer.from(header.replace(/^Basic /, ""), "base64").toString();
    console.log(`Authorization holds: ${told}`);
    console.log(`colon in it: ${told.includes(":")}`);
    console.log(`client_id in the body: ${new URLSearchParams(body).has("client_id")}`);
    response.writeHead(200, { "content-type": "application/json" });
    response.end("{}");
  });
});
server.listen(0, "127.0.0.1", async () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const revokeUrl = `${issuer}/revoke`;
  const client = new OktaAuth({ issuer, revokeUrl, clientId: "spa-client", redirectUri: `${issuer}/callback` });
  await client.revokeAccessToken({ accessToken: "an-opaque-token", scopes: ["openid"] });
  server.close();
  server.closeAllConnections();
});
JS
node revoke.cjs | tee seen
diff seen - <<'SEEN'
Authorization holds: spa-client
colon in it: false
client_id in the body: false
SEEN
