"""Calls Portico with ZITADEL's Python SDK: ``zitadel_calls.py ISSUER ORG_ID KEY_FILE REQUEST_ID``.

Prints a JSON object: the result of each call by the name of its method, "ok" or the code of the error.
"""

from __future__ import annotations

import base64
import datetime
import hmac
import json
import re
import struct
import sys
import time
from collections.abc import Callable
from typing import Any

import zitadel_client as sdk
from zitadel_client import models as m
from zitadel_client.exceptions import ApiError

issuer, org_id, key_file, request_id = sys.argv[1:]
results: dict[str, str] = {}
zitadel = sdk.Zitadel.with_private_key(issuer, key_file)
users = zitadel.users
tag = str(time.time_ns())


def call(method: Callable[..., Any], *requests: Any) -> Any:
    try:
        answer = method(*requests)
    except ApiError as error:
        results[method.__name__] = str(error.response_body["code"])
        sys.stderr.write(f"{method.__name__}: {error.response_body['message']}\n")
        return None
    results[method.__name__] = "ok"
    return answer


def one(method: str, request: str, **values: Any) -> Any:
    """A call with a single message, made of its values by their Python names."""
    return call(getattr(users, method), getattr(m, f"UserService{request}Request")(**values))


def totp(secret: str) -> str:
    digest = hmac.digest(base64.b32decode(secret), struct.pack(">Q", int(time.time()) // 30), "sha1")
    offset = digest[-1] & 15
    return f"{(struct.unpack_from('>I', digest, offset)[0] & 0x7FFFFFFF) % 1_000_000:06d}"


def human(name: str) -> dict[str, Any]:
    return {
        "username": f"{name}-{tag}",
        "organization": m.UserServiceOrganization(org_id=org_id),
        "profile": m.UserServiceSetHumanProfile(given_name=name.title(), family_name="Byron", nick_name="A"),
        "email": m.UserServiceSetHumanEmail(email=f"{name}-{tag}@mail.example", return_code={}),
        "phone": m.UserServiceSetHumanPhone(phone="+41791234567", return_code={}),
        "metadata": [m.UserServiceSetMetadataEntry(key="number", value="MQ==")],
    }


# A person, with address, number, password and metadata.
password = m.UserServicePassword(password="Correct-Horse-1")
added = one("add_human_user", "AddHumanUser", **human("ada"), password=password)
ada = added.user_id
got = one("get_user_by_id", "GetUserByID", user_id=ada).user
assert (got.human.profile.given_name, got.human.profile.family_name) == ("Ada", "Byron"), got
assert got.details.resource_owner == org_id
one("verify_email", "VerifyEmail", user_id=ada, verification_code=added.email_code)
one("verify_phone", "VerifyPhone", user_id=ada, verification_code=added.phone_code)
changed = one("set_email", "SetEmail", user_id=ada, email=f"ada.b-{tag}@mail.example", return_code={})
one("resend_email_code", "ResendEmailCode", user_id=ada, return_code={})
one("send_email_code", "SendEmailCode", user_id=ada, return_code={})
one("set_phone", "SetPhone", user_id=ada, phone="+41791234568", return_code={})
one("resend_phone_code", "ResendPhoneCode", user_id=ada, return_code={})
one("remove_phone", "RemovePhone", user_id=ada)
reset = one("password_reset", "PasswordReset", user_id=ada, return_code={})
new = m.UserServicePassword(password="Correct-Horse-2")
one("set_password", "SetPassword", user_id=ada, new_password=new, verification_code=reset.verification_code)
one("set_user_metadata", "SetUserMetadata", user_id=ada, metadata=[m.UserServiceMetadata(key="a", value="MQ==")])
listed = one("list_user_metadata", "ListUserMetadata", user_id=ada)
assert {entry.key for entry in listed.metadata} == {"a", "number"}, listed
one("delete_user_metadata", "DeleteUserMetadata", user_id=ada, keys=["a"])
profile = m.UserServiceSetHumanProfile(given_name="Ada", family_name="Lovelace")
one("update_human_user", "UpdateHumanUser", user_id=ada, profile=profile)

# The newer calls for both kinds of users.
made = one(
    "create_user",
    "CreateUser",
    organization_id=org_id,
    username=f"grace-{tag}",
    human=m.UserServiceHuman(
        profile=m.UserServiceProfile(given_name="Grace", family_name="Hopper"),
        email=m.UserServiceSetHumanEmail(email=f"grace-{tag}@mail.example", return_code={}),
    ),
)
if made:
    assert made.email_code
    assert made.creation_date
    profile = m.UserServiceProfile(given_name="Amazing")
    one("update_user", "UpdateUser", user_id=made.id, human=m.UserServiceHuman(profile=profile))
    grace = users.get_user_by_id(m.UserServiceGetUserByIDRequest(user_id=made.id)).user
    assert (grace.human.profile.given_name, grace.human.profile.family_name) == ("Amazing", "Hopper"), grace
machine = m.UserServiceMachine(name="Robot", description="Sweeps")
robot = users.create_user(
    m.UserServiceCreateUserRequest(organization_id=org_id, username=f"robot-{tag}", machine=machine)
).id
machine = m.UserServiceMachine(description="Sweeps and mops")
users.update_user(m.UserServiceUpdateUserRequest(user_id=robot, machine=machine))
found = users.get_user_by_id(m.UserServiceGetUserByIDRequest(user_id=robot)).user
assert (found.machine.name, found.machine.description) == ("Robot", "Sweeps and mops"), found

# Conditions of the list.
Query = m.UserServiceSearchQuery


def ids(*queries: Any) -> set[str]:
    answer = one("list_users", "ListUsers", queries=[in_org, *queries], query=m.UserServiceListQuery(limit=10))
    return {user.user_id for user in answer.result or []} if answer else set()


in_org = Query(organization_id_query=m.UserServiceOrganizationIdQuery(organization_id=org_id))
by_first = Query(first_name_query=m.UserServiceFirstNameQuery(first_name="Ada"))
by_name = Query(user_name_query=m.UserServiceUserNameQuery(user_name=f"robot-{tag}"))
both = Query(or_query=m.UserServiceOrQuery(queries=[by_first, by_name]))
people = Query(not_query=m.UserServiceNotQuery(query=by_name))
emails = m.UserServiceInUserEmailsQuery(user_emails=[f"ADA.b-{tag}@mail.example", "nobody@mail.example"])
login_name = m.UserServiceLoginNameQuery(
    login_name=f"grace-{tag}", method=m.UserServiceTextQueryMethod.TEXT_QUERY_METHOD_STARTS_WITH
)
assert ids(both) == {ada, robot}
assert ids(both, people) == {ada}
assert ids(Query(and_query=m.UserServiceAndQuery(queries=[both, people]))) == {ada}
assert ids(Query(login_name_query=login_name)) == {made.id}
assert ids(Query(phone_query=m.UserServicePhoneQuery(number="+41791234567"))) == set()

# Factors.
started = one("register_totp", "RegisterTOTP", user_id=ada)
one("verify_totp_registration", "VerifyTOTPRegistration", user_id=ada, code=totp(started.secret))
one("list_authentication_method_types", "ListAuthenticationMethodTypes", user_id=ada)
one("list_authentication_factors", "ListAuthenticationFactors", user_id=ada)
one("remove_totp", "RemoveTOTP", user_id=ada)
one("verify_email", "VerifyEmail", user_id=made.id, verification_code=made.email_code)
one("add_otp_email", "AddOTPEmail", user_id=made.id)
one("remove_otp_email", "RemoveOTPEmail", user_id=made.id)
one("add_otpsms", "AddOTPSMS", user_id=ada)
one("remove_otpsms", "RemoveOTPSMS", user_id=ada)
one("generate_recovery_codes", "GenerateRecoveryCodes", user_id=ada)
one("remove_recovery_codes", "RemoveRecoveryCodes", user_id=ada)
one("human_mfa_init_skipped", "HumanMFAInitSkipped", user_id=ada)
one("create_passkey_registration_link", "CreatePasskeyRegistrationLink", user_id=ada, return_code={})
passkey = one("register_passkey", "RegisterPasskey", user_id=ada)
broken = {"id": "AA", "rawId": "AA", "type": "public-key", "response": {}}
one(
    "verify_passkey_registration",
    "VerifyPasskeyRegistration",
    user_id=ada,
    passkey_id=passkey.passkey_id if passkey else "none",
    public_key_credential=broken,
    passkey_name="k",
)
one("list_passkeys", "ListPasskeys", user_id=ada)
one("remove_passkey", "RemovePasskey", user_id=ada, passkey_id="none")
key = one("register_u2_f", "RegisterU2F", user_id=ada)
one(
    "verify_u2_f_registration",
    "VerifyU2FRegistration",
    user_id=ada,
    u2f_id=key.u2f_id if key else "none",
    public_key_credential=broken,
    token_name="k",
)
one("remove_u2_f", "RemoveU2F", user_id=ada, u2f_id="none")
invite = one("create_invite_code", "CreateInviteCode", user_id=made.id, return_code={})
users.create_invite_code(m.UserServiceCreateInviteCodeRequest(user_id=made.id, send_code={}))
one("resend_invite_code", "ResendInviteCode", user_id=made.id)
one("verify_invite_code", "VerifyInviteCode", user_id=made.id, verification_code="WRONG")

# The installation has no identity providers.
link = m.UserServiceIDPLink(idp_id="none", user_id="u", user_name="n")
one("add_idp_link", "AddIDPLink", user_id=ada, idp_link=link)
one("list_idp_links", "ListIDPLinks", user_id=ada)
one("remove_idp_link", "RemoveIDPLink", user_id=ada, idp_id="none", linked_user_id="u")
urls = m.UserServiceRedirectURLs(success_url=f"{issuer}/ok", failure_url=f"{issuer}/no")
one("start_identity_provider_intent", "StartIdentityProviderIntent", idp_id="none", urls=urls)
one(
    "retrieve_identity_provider_intent",
    "RetrieveIdentityProviderIntent",
    idp_intent_id="none",
    idp_intent_token="none",
)

# Service users and their credentials, which then are used.
later = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=1)
added_key = one("add_key", "AddKey", user_id=robot, expiration_date=later)
file = json.loads(base64.b64decode(added_key.key_content))
assert {"type", "keyId", "key", "userId"} <= file.keys(), file.keys()
one("list_keys", "ListKeys")
one("remove_key", "RemoveKey", user_id=robot, key_id=added_key.key_id)
token = one("add_personal_access_token", "AddPersonalAccessToken", user_id=robot, expiration_date=later)
mine = sdk.Zitadel.with_access_token(issuer, token.token).users
assert mine.get_user_by_id(m.UserServiceGetUserByIDRequest(user_id=robot)).user.user_id == robot
one("list_personal_access_tokens", "ListPersonalAccessTokens")
one("remove_personal_access_token", "RemovePersonalAccessToken", user_id=robot, token_id=token.token_id)
secret = one("add_secret", "AddSecret", user_id=robot)
mine = sdk.Zitadel.with_client_credentials(issuer, robot, secret.client_secret).users
assert mine.get_user_by_id(m.UserServiceGetUserByIDRequest(user_id=robot)).user.user_id == robot
one("remove_secret", "RemoveSecret", user_id=robot)

# What own login pages read.
settings = zitadel.settings
context = m.SettingsServiceRequestContext(org_id=org_id)


def setting(kind: str, **values: Any) -> Any:
    request = getattr(m, f"SettingsServiceGet{kind}Request")(**values)
    return call(getattr(settings, "get_" + re.sub("(?<!^)(?=[A-Z])", "_", kind).lower()), request)


found = setting("LoginSettings", ctx=context).settings
assert found.allow_username_password, found
for kind in (
    "PasswordComplexitySettings",
    "PasswordExpirySettings",
    "LockoutSettings",
    "LegalAndSupportSettings",
    "BrandingSettings",
    "ActiveIdentityProviders",
    "DomainSettings",
):
    setting(kind, ctx=context)
call(settings.get_general_settings, {})
call(settings.get_security_settings, {})
call(settings.set_security_settings, m.SettingsServiceSetSecuritySettingsRequest(enable_impersonation=False))
setting("HostedLoginTranslation", organization_id=org_id, locale="en")
texts = m.SettingsServiceSetHostedLoginTranslationRequest(organization_id=org_id, locale="en", translations={})
call(settings.set_hosted_login_translation, texts)

# An own login page: a session, and the end of the authorization request.
sessions, oidc = zitadel.sessions, zitadel.oidc
checks = m.SessionServiceChecks(
    user=m.SessionServiceCheckUser(user_id=ada),
    password=m.SessionServiceCheckPassword(password="Correct-Horse-2"),
)
agent = m.SessionServiceUserAgent(ip="192.0.2.7", header={"accept": m.SessionServiceHeaderValues(values=["a"])})
new_session = m.SessionServiceCreateSessionRequest(
    checks=checks, user_agent=agent, metadata={"shop": "Ym9va3M="}, lifetime="600s"
)
created = call(sessions.create_session, new_session)
session_id = created.session_id
more = m.SessionServiceSetSessionRequest(session_id=session_id, metadata={"page": "Mg=="})
latest = call(sessions.set_session, more).session_token
read = call(
    sessions.get_session, m.SessionServiceGetSessionRequest(session_id=session_id, session_token=latest)
).session
assert read.factors.user.id == ada, read
assert read.factors.password.verified_at, read
assert set(read.metadata) == {"shop", "page"}, read
assert (read.user_agent.ip, read.user_agent.header["accept"].values) == ("192.0.2.7", ["a"]), read
by_id = m.SessionServiceSearchQuery(ids_query=m.SessionServiceIDsQuery(ids=[session_id]))
listed = call(sessions.list_sessions, m.SessionServiceListSessionsRequest(queries=[by_id]))
assert [one.id for one in listed.sessions] == [session_id], listed
asked = call(oidc.get_auth_request, m.OIDCServiceGetAuthRequestRequest(auth_request_id=request_id)).auth_request
assert (asked.id, asked.scope) == (request_id, ["openid", "profile", "email"]), asked
finished = m.OIDCServiceCreateCallbackRequest(
    auth_request_id=request_id, session=m.OIDCServiceSession(session_id=session_id, session_token=latest)
)
assert call(oidc.create_callback, finished).callback_url.startswith(issuer)
call(sessions.delete_session, m.SessionServiceDeleteSessionRequest(session_id=session_id, session_token=latest))
code = m.OIDCServiceGetDeviceAuthorizationRequestRequest(user_code="AAAA-BBBB")
call(oidc.get_device_authorization_request, code)
denied = m.OIDCServiceAuthorizeOrDenyDeviceAuthorizationRequest(device_authorization_id="none", deny={})
call(oidc.authorize_or_deny_device_authorization, denied)

# States, and the end.
one("deactivate_user", "DeactivateUser", user_id=robot)
one("reactivate_user", "ReactivateUser", user_id=robot)
one("lock_user", "LockUser", user_id=ada)
one("unlock_user", "UnlockUser", user_id=ada)
for user in (ada, made.id, robot):
    one("delete_user", "DeleteUser", user_id=user)

sys.stdout.write(json.dumps(results))
