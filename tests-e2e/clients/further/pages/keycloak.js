// keycloak-js. The application has JWT access tokens, which this library decodes.
import Keycloak from "keycloak-js";
import { CLIENT_ID, HOME, ISSUER } from "./settings.js";
import { shown, signsIn } from "./shown.js";

const keycloak = new Keycloak({ oidcProvider: ISSUER, clientId: CLIENT_ID });

signsIn(() => keycloak.login({ redirectUri: `${HOME}/cb`, scope: "openid profile" }));
shown(async () => {
  await keycloak.init({ checkLoginIframe: false, redirectUri: `${HOME}/cb` });
  return keycloak.authenticated && (await keycloak.loadUserInfo()).name;
});
