// AppAuth-JS in a browser. It reads the code from the fragment unless its query reader is replaced.
import {
  AuthorizationNotifier,
  AuthorizationRequest,
  AuthorizationServiceConfiguration,
  BaseTokenRequestHandler,
  BasicQueryStringUtils,
  DefaultCrypto,
  FetchRequestor,
  LocalStorageBackend,
  RedirectRequestHandler,
  TokenRequest,
} from "@openid/appauth";
import { CLIENT_ID, HOME, ISSUER } from "./settings.js";
import { shown, signsIn } from "./shown.js";

class Query extends BasicQueryStringUtils {
  parse(input) {
    return super.parse(input, false);
  }
}

const requestor = new FetchRequestor();
const server = await AuthorizationServiceConfiguration.fetchFromIssuer(ISSUER, requestor);
const handler = new RedirectRequestHandler(new LocalStorageBackend(), new Query(), location, new DefaultCrypto());
const client = { client_id: CLIENT_ID, redirect_uri: `${HOME}/cb` };

signsIn(() => {
  const wanted = { ...client, scope: "openid profile", response_type: AuthorizationRequest.RESPONSE_TYPE_CODE };
  handler.performAuthorizationRequest(server, new AuthorizationRequest(wanted));
});
shown(async () => {
  let returned;
  const notifier = new AuthorizationNotifier();
  notifier.setAuthorizationListener((request, response) => (returned = { request, response }));
  handler.setAuthorizationNotifier(notifier);
  await handler.completeAuthorizationRequestIfPossible();
  if (!returned) return undefined;
  const extras = { code_verifier: returned.request.internal.code_verifier };
  const asked = { ...client, grant_type: "authorization_code", code: returned.response.code, extras };
  const tokens = await new BaseTokenRequestHandler(requestor).performTokenRequest(server, new TokenRequest(asked));
  const headers = { Authorization: `Bearer ${tokens.accessToken}` };
  return (await (await fetch(server.userInfoEndpoint, { headers })).json()).name;
});
