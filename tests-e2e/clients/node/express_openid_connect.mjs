// A relying party with express-openid-connect on Express.
// Settings come from the environment: ISSUER, CLIENT_ID, URL, METHOD, CLIENT_SECRET or KEY (PEM).
import { randomUUID } from "node:crypto";
import express from "express";
import openid from "express-openid-connect";

const { ISSUER, CLIENT_ID, URL: HOME, METHOD, CLIENT_SECRET, KEY } = process.env;
const app = express();
app.use(
  openid.auth({
    issuerBaseURL: ISSUER,
    baseURL: HOME,
    clientID: CLIENT_ID,
    ...(KEY ? { clientAssertionSigningKey: KEY, clientAssertionSigningAlg: "RS256" } : { clientSecret: CLIENT_SECRET }),
    ...(METHOD === "default" ? {} : { clientAuthMethod: METHOD }),
    secret: randomUUID(),
    authorizationParams: { response_type: "code", scope: "openid profile offline_access" },
    routes: { callback: "/cb", postLogoutRedirect: `${HOME}/bye` },
    authRequired: false,
    idpLogout: true,
  }),
);
app.get("/", async (request, response) => {
  response.send(request.oidc.isAuthenticated() ? `Hello ${(await request.oidc.fetchUserInfo()).name}` : "Sign in");
});
app.get("/refresh", async (request, response) => {
  await request.oidc.accessToken.refresh();
  response.send(`Hello again ${(await request.oidc.fetchUserInfo()).name}`);
});
app.listen(Number(new URL(HOME).port), "localhost");
