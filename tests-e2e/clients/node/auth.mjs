// A relying party with Auth.js on Express, for one user at a time.
// Settings come from the environment: ISSUER, CLIENT_ID, URL, METHOD, CLIENT_SECRET.
import { randomUUID } from "node:crypto";
import { Auth, skipCSRFCheck } from "@auth/core";
import { ExpressAuth, getSession } from "@auth/express";
import express from "express";

const { ISSUER, CLIENT_ID, URL: HOME, METHOD, CLIENT_SECRET } = process.env;
const provider = await (await fetch(`${ISSUER}/.well-known/openid-configuration`)).json();
let hint;

const config = {
  basePath: "/auth",
  secret: randomUUID(),
  trustHost: true,
  providers: [
    {
      id: "portico",
      name: "Portico",
      type: "oidc",
      issuer: ISSUER,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      authorization: { params: { scope: "openid profile" } },
      checks: ["pkce", "state", "nonce"],
      idToken: false,
      ...(METHOD === "default" ? {} : { client: { token_endpoint_auth_method: METHOD } }),
    },
  ],
  callbacks: {
    jwt: ({ token, account }) => {
      hint = account?.id_token ?? hint;
      return token;
    },
  },
};

const app = express();
app.use("/auth", ExpressAuth(config));
app.get("/", async (request, response) => response.send(`Hello ${(await getSession(request, config))?.user.name}`));
app.get("/login", async (request, response) => {
  // What `signIn("portico")` of next-auth does on the server: Auth.js begins by a form, never by a link.
  const form = new Request(`${HOME}/auth/signin/portico`, { method: "POST", body: new URLSearchParams() });
  const begun = await Auth(form, { ...config, skipCSRFCheck });
  response.append("Set-Cookie", begun.headers.getSetCookie()).redirect(begun.headers.get("Location"));
});
app.get("/logout", (request, response) => {
  const query = new URLSearchParams({ id_token_hint: hint, post_logout_redirect_uri: `${HOME}/bye` });
  response.redirect(`${provider.end_session_endpoint}?${query}`);
});
app.listen(Number(new URL(HOME).port), "localhost");
