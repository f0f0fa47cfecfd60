// node-oidc-provider as the issuer of a CI server: jobs get a JWT for an audience, and tests some that are wrong.
// POST /rotate has it sign with a new key. Settings come from the environment: URL (its issuer) and SECRET.
import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import Provider from "oidc-provider";

const { URL: ISSUER, SECRET } = process.env;
const keys = [];
let handle;
let number = 0;

const job = (client_id) => ({
  client_id,
  client_secret: SECRET,
  grant_types: ["client_credentials"],
  response_types: [],
  redirect_uris: [],
});

const asked = (context, name) => JSON.parse(context.get(name) || "{}");

function renew() {
  const key = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" });
  number += 1;
  keys.unshift({ ...key, alg: "RS256", use: "sig", kid: `job-key-${number}` });
  keys.length = Math.min(keys.length, 2); // as many as CI servers publish: the new one and the last
  const provider = new Provider(ISSUER, {
    clients: [job("shop-main"), job("shop-fork")],
    jwks: { keys },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, resource) => ({
          scope: "",
          audience: resource,
          accessTokenFormat: "jwt",
          accessTokenTTL: 300,
          jwt: { sign: { alg: "RS256", kid: keys[0].kid } },
        }),
      },
    },
    formats: {
      customizers: {
        // A CI server signs no access tokens (typ at+jwt). The headers replace claims and header members.
        jwt(context, _token, jwt) {
          jwt.header = { typ: "JWT", ...asked(context, "x-header") };
          Object.assign(jwt.payload, asked(context, "x-claims"));
          for (const name of asked(context, "x-without").names ?? []) delete jwt.payload[name];
        },
      },
    },
  });
  handle = provider.callback();
}

renew();
createServer((request, response) => {
  if (request.method !== "POST" || request.url !== "/rotate") return handle(request, response);
  renew();
  return response.end("{}");
}).listen(Number(new URL(ISSUER).port), new URL(ISSUER).hostname);
