// @azure/msal-browser, with the finished code.
import { shown, signsIn } from "./shown.js";
import { signIn, signedIn } from "./sign-in.js";

signsIn(signIn);
shown(async () => (await signedIn())?.idTokenClaims.name);
