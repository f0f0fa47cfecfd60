// oidc-spa, with the finished code.
import { oidc } from "./oidc.js";
import { shown, signsIn } from "./shown.js";

signsIn(() => oidc.login({ doesCurrentHrefRequiresAuth: false }));
shown(async () => {
  if (oidc.initializationError) throw oidc.initializationError;
  return oidc.isUserLoggedIn && oidc.getDecodedIdToken().name;
});
