// A command-line program with openid-client: prints the code, waits for the approval, refreshes once.
// Settings come from the environment: ISSUER, CLIENT_ID.
import * as client from "openid-client";

const { ISSUER, CLIENT_ID } = process.env;
const options = { execute: [client.allowInsecureRequests] };
const config = await client.discovery(new URL(ISSUER), CLIENT_ID, undefined, client.None(), options);
const device = await client.initiateDeviceAuthorization(config, { scope: "openid profile offline_access" });
console.log(JSON.stringify({ link: device.verification_uri_complete, code: device.user_code }));

const tokens = await client.pollDeviceAuthorizationGrant(config, device);
const fresh = await client.refreshTokenGrant(config, tokens.refresh_token);
const user = await client.fetchUserInfo(config, fresh.access_token, tokens.claims().sub);
console.log(JSON.stringify({ name: user.name, sub: user.sub }));
