// angular-auth-oidc-client.
import "@angular/compiler";
import { createApplication } from "@angular/platform-browser";
import { OidcSecurityService, provideAuth } from "angular-auth-oidc-client";
import { firstValueFrom } from "rxjs";
import { CLIENT_ID, HOME, ISSUER } from "./settings.js";
import { shown, signsIn } from "./shown.js";

const config = {
  authority: ISSUER,
  clientId: CLIENT_ID,
  redirectUrl: `${HOME}/cb`,
  scope: "openid profile",
  responseType: "code",
};

const application = await createApplication({ providers: [provideAuth({ config })] });
const oidc = application.injector.get(OidcSecurityService);

signsIn(() => oidc.authorize());
shown(async () => {
  const result = await firstValueFrom(oidc.checkAuth());
  if (result.errorMessage) throw new Error(result.errorMessage);
  return result.isAuthenticated && result.userData.name;
});
