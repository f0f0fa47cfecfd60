// node-oidc-provider with its own pages, for one client; whatever login is entered is the subject.
// Settings come from the environment: URL (its issuer), CLIENT_ID, CLIENT_SECRET, AUTH_METHOD, REDIRECT_URI.
import { generateKeyPairSync } from "node:crypto";
import Provider from "oidc-provider";

const { URL: ISSUER, CLIENT_ID, CLIENT_SECRET, AUTH_METHOD, REDIRECT_URI } = process.env;

function signingKey(type, options, alg) {
  const key = generateKeyPairSync(type, options).privateKey.export({ format: "jwk" });
  return { ...key, alg, use: "sig", kid: `key-of-${alg}` };
}

function account(subject) {
  const [name, verified] = subject.split("+");
  return {
    sub: subject,
    name: `${name} of elsewhere`,
    given_name: name,
    family_name: "Elsewhere",
    preferred_username: name,
    email: `${name}@elsewhere.example`,
    email_verified: verified !== "unverified",
    locale: "de",
  };
}

const provider = new Provider(ISSUER, {
  clients: [
    {
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      token_endpoint_auth_method: AUTH_METHOD,
      redirect_uris: [REDIRECT_URI],
      response_types: ["code"],
      grant_types: ["authorization_code"],
    },
  ],
  claims: {
    openid: ["sub"],
    email: ["email", "email_verified"],
    profile: ["name", "given_name", "family_name", "preferred_username", "locale"],
  },
  features: { devInteractions: { enabled: true } },
  findAccount: (_context, subject) => ({ accountId: subject, claims: () => account(subject) }),
  // Consent is not what is tested: whoever signs in has given it.
  async loadExistingGrant(context) {
    const { client, session, params } = context.oidc;
    const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
    grant.addOIDCScope(params.scope);
    await grant.save();
    return grant;
  },
  pkce: { required: () => true },
  cookies: { keys: ["signs the cookies of the test"] },
  jwks: { keys: [signingKey("rsa", { modulusLength: 2048 }, "RS256"), signingKey("ec", { namedCurve: "P-256" }, "ES256")] },
});
provider.listen(Number(new URL(ISSUER).port), new URL(ISSUER).hostname);
