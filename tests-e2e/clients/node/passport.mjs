// A relying party with Passport's strategy for OpenID Connect on Express, for one user at a time.
// Settings come from the environment: ISSUER, CLIENT_ID, URL, CLIENT_SECRET.
import { randomUUID } from "node:crypto";
import express from "express";
import session from "express-session";
import passport from "passport";
import OpenIDConnectStrategy from "passport-openidconnect";

const { ISSUER, CLIENT_ID, URL: HOME, CLIENT_SECRET } = process.env;
const provider = await (await fetch(`${ISSUER}/.well-known/openid-configuration`)).json();
let hint;

passport.use(
  new OpenIDConnectStrategy(
    {
      issuer: provider.issuer,
      authorizationURL: provider.authorization_endpoint,
      tokenURL: provider.token_endpoint,
      userInfoURL: provider.userinfo_endpoint,
      clientID: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      callbackURL: `${HOME}/cb`,
      scope: "profile",
      skipUserProfile: false,
    },
    (issuer, profile, context, idToken, done) => {
      hint = idToken;
      return done(null, profile);
    },
  ),
);
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));

const app = express();
app.use(session({ secret: randomUUID(), resave: false, saveUninitialized: false }));
app.use(passport.session());
app.get("/", (request, response) => response.send(`Hello ${request.user?.displayName}`));
app.get("/login", passport.authenticate("openidconnect"));
app.get("/cb", passport.authenticate("openidconnect", { successRedirect: "/" }));
app.get("/logout", (request, response) => {
  const query = new URLSearchParams({ id_token_hint: hint, post_logout_redirect_uri: `${HOME}/bye` });
  response.redirect(`${provider.end_session_endpoint}?${query}`);
});
app.listen(Number(new URL(HOME).port), "localhost");
