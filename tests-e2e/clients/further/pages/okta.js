// okta-auth-js. The endpoints are named, because the library knows those of Okta only.
import { OktaAuth } from "@okta/okta-auth-js";
import { CLIENT_ID, HOME, ISSUER } from "./settings.js";
import { shown, signsIn } from "./shown.js";

const metadata = await (await fetch(`${ISSUER}/.well-known/openid-configuration`)).json();
const okta = new OktaAuth({
  issuer: ISSUER,
  clientId: CLIENT_ID,
  redirectUri: `${HOME}/cb`,
  scopes: ["openid", "profile"],
  authorizeUrl: metadata.authorization_endpoint,
  tokenUrl: metadata.token_endpoint,
  userinfoUrl: metadata.userinfo_endpoint,
  revokeUrl: metadata.revocation_endpoint,
  logoutUrl: metadata.end_session_endpoint,
});

signsIn(() => okta.signInWithRedirect());
shown(async () => {
  if (!okta.isLoginRedirect()) return undefined;
  const { tokens } = await okta.token.parseFromUrl();
  okta.tokenManager.setTokens(tokens);
  return (await okta.getUser()).name;
});
