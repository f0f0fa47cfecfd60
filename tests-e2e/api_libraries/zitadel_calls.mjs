// Calls Portico with ZITADEL's TypeScript SDK: node zitadel_calls.mjs ISSUER ORG_ID TOKEN grpc|grpc-web REQUEST_ID
// Prints a JSON object: the result of each call by the name of its method, "ok" or the code of the error.
import { createServerTransport } from "@zitadel/client/node";
import {
  createOIDCServiceClient, createSessionServiceClient, createSettingsServiceClient, createUserServiceClient, makeReqCtx,
} from "@zitadel/client/v2";
import { createClientTransport } from "@zitadel/client/web";
import { Code, ConnectError } from "@connectrpc/connect";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { TextQueryMethod } from "@zitadel/proto/zitadel/object/v2/object_pb.js";
import { createHmac } from "node:crypto";
import assert from "node:assert/strict";

const [issuer, orgId, token, protocol, authRequestId] = process.argv.slice(2);
const createTransport = protocol === "grpc" ? createServerTransport : createClientTransport;
const results = {};
const tag = String(process.hrtime.bigint());

function clientOf(token, createClient = createUserServiceClient) {
  const service = createClient(createTransport(token, { baseUrl: issuer }));
  return async (method, request) => {
    try {
      const answer = await service[method](request);
      results[method] = "ok";
      return answer;
    } catch (error) {
      if (!(error instanceof ConnectError)) throw error;
      results[method] = Code[error.code].replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
      process.stderr.write(`${method}: ${error.message}\n`);
      return undefined;
    }
  };
}

function totp(secret) {
  const bits = [...secret].map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"));
  const key = Buffer.from(bits.join("").match(/.{8}/g).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const digest = createHmac("sha1", key).update(counter).digest();
  return String((digest.readUInt32BE(digest[19] & 15) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

const call = clientOf(token);
const returnCode = { case: "returnCode", value: {} };
const bytes = (text) => new TextEncoder().encode(text);

// A person, with address, number, password and metadata.
const added = await call("addHumanUser", {
  username: `ada-${tag}`,
  organization: { org: { case: "orgId", value: orgId } },
  profile: { givenName: "Ada", familyName: "Byron" },
  email: { email: `ada-${tag}@mail.example`, verification: returnCode },
  phone: { phone: "+41791234567", verification: returnCode },
  metadata: [{ key: "number", value: bytes("1") }],
  passwordType: { case: "password", value: { password: "Correct-Horse-1" } },
});
const userId = added.userId;
const ada = (await call("getUserByID", { userId })).user;
assert.equal(ada.type.value.profile.givenName, "Ada");
assert.equal(ada.type.value.profile.familyName, "Byron");
await call("verifyEmail", { userId, verificationCode: added.emailCode });
await call("verifyPhone", { userId, verificationCode: added.phoneCode });
await call("setEmail", { userId, email: `ada.b-${tag}@mail.example`, verification: returnCode });
await call("resendEmailCode", { userId, verification: returnCode });
await call("sendEmailCode", { userId, verification: returnCode });
await call("setPhone", { userId, phone: "+41791234568", verification: returnCode });
await call("resendPhoneCode", { userId, verification: returnCode });
await call("removePhone", { userId });
const reset = await call("passwordReset", { userId, medium: returnCode });
await call("setPassword", {
  userId,
  newPassword: { password: "Correct-Horse-2" },
  verification: { case: "verificationCode", value: reset.verificationCode },
});
await call("setUserMetadata", { userId, metadata: [{ key: "a", value: bytes("1") }] });
assert.equal((await call("listUserMetadata", { userId })).metadata.length, 2);
await call("deleteUserMetadata", { userId, keys: ["a"] });
await call("updateHumanUser", { userId, profile: { givenName: "Ada", familyName: "Lovelace" } });

// The newer calls for both kinds of users.
const human = {
  profile: { givenName: "Grace", familyName: "Hopper" },
  email: { email: `grace-${tag}@mail.example`, verification: returnCode },
  passwordType: { case: "password", value: { password: "Correct-Horse-1" } },
};
const grace = await call("createUser", {
  organizationId: orgId, username: `grace-${tag}`, userType: { case: "human", value: human },
});
await call("updateUser", { userId: grace.id, userType: { case: "human", value: { profile: { givenName: "Amazing" } } } });
const changed = (await call("getUserByID", { userId: grace.id })).user.type.value.profile;
assert.deepEqual([changed.givenName, changed.familyName], ["Amazing", "Hopper"]);
const machine = { case: "machine", value: { name: "Robot", description: "Sweeps" } };
const robot = await call("createUser", { organizationId: orgId, username: `robot-${tag}`, userType: machine });

// Conditions of the list.
const inOrg = { query: { case: "organizationIdQuery", value: { organizationId: orgId } } };
const byFirst = { query: { case: "firstNameQuery", value: { firstName: "Ada" } } };
const byName = { query: { case: "userNameQuery", value: { userName: `robot-${tag}` } } };
const either = { query: { case: "orQuery", value: { queries: [byFirst, byName] } } };
const people = { query: { case: "notQuery", value: { query: byName } } };
const method = TextQueryMethod.STARTS_WITH;
const byLogin = { query: { case: "loginNameQuery", value: { loginName: `grace-${tag}`, method } } };
const ids = async (...queries) =>
  (await call("listUsers", { queries: [inOrg, ...queries] })).result.map((user) => user.userId).sort();
assert.deepEqual(await ids(either), [userId, robot.id].sort());
assert.deepEqual(await ids(either, people), [userId]);
assert.deepEqual(await ids({ query: { case: "andQuery", value: { queries: [either, people] } } }), [userId]);
assert.deepEqual(await ids(byLogin), [grace.id]);

// Factors.
const { secret } = await call("registerTOTP", { userId });
await call("verifyTOTPRegistration", { userId, code: totp(secret) });
await call("listAuthenticationMethodTypes", { userId });
await call("listAuthenticationFactors", { userId });
await call("removeTOTP", { userId });
await call("verifyEmail", { userId: grace.id, verificationCode: grace.emailCode });
await call("addOTPEmail", { userId: grace.id });
await call("removeOTPEmail", { userId: grace.id });
await call("addOTPSMS", { userId });
await call("removeOTPSMS", { userId });
await call("humanMFAInitSkipped", { userId });
await call("createPasskeyRegistrationLink", { userId, medium: returnCode });
const publicKeyCredential = { id: "AA", rawId: "AA", type: "public-key", response: {} };
const { passkeyId } = await call("registerPasskey", { userId });
await call("verifyPasskeyRegistration", { userId, passkeyId, publicKeyCredential, passkeyName: "k" });
await call("listPasskeys", { userId });
await call("removePasskey", { userId, passkeyId: "none" });
const { u2fId } = await call("registerU2F", { userId });
await call("verifyU2FRegistration", { userId, u2fId, publicKeyCredential, tokenName: "k" });
await call("removeU2F", { userId, u2fId: "none" });
const { passwordType, ...withoutPassword } = human;
const eve = await call("createUser", {
  organizationId: orgId, username: `eve-${tag}`, userType: { case: "human", value: withoutPassword },
});
await call("createInviteCode", { userId: eve.id, verification: { case: "sendCode", value: {} } });
await call("resendInviteCode", { userId: eve.id });
await call("verifyInviteCode", { userId: eve.id, verificationCode: "WRONG" });

// The installation has no identity providers.
await call("addIDPLink", { userId, idpLink: { idpId: "none", userId: "u", userName: "n" } });
await call("listIDPLinks", { userId });
await call("removeIDPLink", { userId, idpId: "none", linkedUserId: "u" });
const urls = { successUrl: `${issuer}/ok`, failureUrl: `${issuer}/no` };
await call("startIdentityProviderIntent", { idpId: "none", content: { case: "urls", value: urls } });
await call("retrieveIdentityProviderIntent", { idpIntentId: "none", idpIntentToken: "none" });

// Service users and their credentials, of which the token then is used.
const expirationDate = timestampFromDate(new Date(Date.now() + 86_400_000));
const key = await call("addKey", { userId: robot.id, expirationDate });
assert.deepEqual(Object.keys(JSON.parse(new TextDecoder().decode(key.keyContent))).sort(), [
  "expirationDate", "key", "keyId", "type", "userId",
]);
await call("listKeys", {});
await call("removeKey", { userId: robot.id, keyId: key.keyId });
const pat = await call("addPersonalAccessToken", { userId: robot.id, expirationDate });
assert.equal((await clientOf(pat.token)("getUserByID", { userId: robot.id })).user.userId, robot.id);
await call("listPersonalAccessTokens", {});
await call("removePersonalAccessToken", { userId: robot.id, tokenId: pat.tokenId });
await call("addSecret", { userId: robot.id });
await call("removeSecret", { userId: robot.id });

// What own login pages read.
const read = clientOf(token, createSettingsServiceClient);
const ctx = makeReqCtx(orgId);
const login = (await read("getLoginSettings", { ctx })).settings;
assert.equal(login.allowUsernamePassword, true);
for (const kind of ["PasswordComplexity", "PasswordExpiry", "Lockout", "LegalAndSupport", "Branding", "Domain"]) {
  await read(`get${kind}Settings`, { ctx });
}
await read("getActiveIdentityProviders", { ctx });
await read("getGeneralSettings", {});
await read("getSecuritySettings", {});
await read("setSecuritySettings", { enableImpersonation: false });
const level = { case: "organizationId", value: orgId };
await read("getHostedLoginTranslation", { level, locale: "en" });
await read("setHostedLoginTranslation", { level, locale: "en", translations: {} });

// An own login page: a session, and the end of the authorization request.
const session = clientOf(token, createSessionServiceClient);
const oidc = clientOf(token, createOIDCServiceClient);
const { sessionId } = await session("createSession", {
  checks: { user: { search: { case: "userId", value: userId } }, password: { password: "Correct-Horse-2" } },
  userAgent: { ip: "192.0.2.7", header: { accept: { values: ["a"] } } },
  metadata: { shop: bytes("books") },
  lifetime: { seconds: 600n },
});
const { sessionToken } = await session("setSession", { sessionId, metadata: { page: bytes("2") } });
const known = (await session("getSession", { sessionId, sessionToken })).session;
assert.equal(known.factors.user.id, userId);
assert.ok(known.factors.password.verifiedAt);
assert.equal(new TextDecoder().decode(known.metadata.shop), "books");
assert.deepEqual([known.userAgent.ip, known.userAgent.header.accept.values], ["192.0.2.7", ["a"]]);
const byId = { query: { case: "idsQuery", value: { ids: [sessionId] } } };
assert.deepEqual((await session("listSessions", { queries: [byId] })).sessions.map((one) => one.id), [sessionId]);
const { authRequest } = await oidc("getAuthRequest", { authRequestId });
assert.deepEqual([authRequest.id, authRequest.scope], [authRequestId, ["openid", "profile", "email"]]);
const callbackKind = { case: "session", value: { sessionId, sessionToken } };
assert.ok((await oidc("createCallback", { authRequestId, callbackKind })).callbackUrl.startsWith(issuer));
await session("deleteSession", { sessionId, sessionToken });
await oidc("getDeviceAuthorizationRequest", { userCode: "AAAA-BBBB" });
const deny = { case: "deny", value: {} };
await oidc("authorizeOrDenyDeviceAuthorization", { deviceAuthorizationId: "none", decision: deny });

// States, and the end.
await call("deactivateUser", { userId: robot.id });
await call("reactivateUser", { userId: robot.id });
await call("lockUser", { userId });
await call("unlockUser", { userId });
for (const id of [userId, grace.id, eve.id, robot.id]) await call("deleteUser", { userId: id });

console.log(JSON.stringify(results));
process.exit(0);
