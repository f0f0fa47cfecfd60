from __future__ import annotations

from typing import Any, Final

import pytest
from portico_fakes.management_api import ApiResponse, call_as

pytestmark = pytest.mark.servers

ORG = "portico.management.v1.PolicyService"
IAM = "portico.admin.v1.PolicyService"
PASSWORD = "correct horse battery"

WANTED: dict[str, dict[str, Any]] = {
    "Login": {
        "allowRegister": True,
        "verifiedEmailRequired": True,
        "forceMfa": True,
        "hidePasswordReset": True,
        "allowExternalIdp": True,
        "enrolment": "ENROLMENT_TYPE_PASSWORD",
        "allowDeviceAuthorization": True,
        "allowEmailCodeSignIn": True,
    },
    "PasswordComplexity": {"minLength": "10", "hasUppercase": True},
    "PasswordAge": {"maxAgeDays": "90", "expireWarnDays": "80"},
    "Lockout": {"maxPasswordAttempts": "3"},
    "Privacy": {"tosLink": "https://a.example/tos", "supportEmail": "help@a.example"},
    "Label": {"primaryColor": "#112233", "hideLoginNameSuffix": True},
}
FACTORS = {
    "secondFactors": ["SECOND_FACTOR_TYPE_U2F", "SECOND_FACTOR_TYPE_OTP", "SECOND_FACTOR_TYPE_OTP_EMAIL"],
    "multiFactors": ["MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION"],
}
HELD: dict[str, dict[str, Any]] = {**WANTED, "Login": {**WANTED["Login"], **FACTORS}}
"""As read back: factors are set by separate calls."""


IN_FORCE: Final[dict[str, Any]] = {"Login": {"deviceAuthorizationInForce": True}}
"""Once the instance allows it too."""


async def _do(
    managed: Any, name: str, body: Any = None, *, of: str = ORG, by: str = "owner", path: str = ""
) -> ApiResponse:
    return await call_as(managed, f"{of}.{name}", body or {}, by=by, path=path)


async def _get(managed: Any, kind: str, *, by: str = "owner") -> dict[str, Any]:
    policy: dict[str, Any] = (await _do(managed, f"Get{kind}Policy", by=by)).body["policy"]
    assert policy.pop("details")
    return policy


@pytest.mark.parametrize("kind", WANTED)
async def test_own_policy_applies_until_it_is_reset(managed: Any, kind: str) -> None:
    """After adding, changing and resetting a policy, responses have its owner."""
    default = await _get(managed, kind)
    missing = [await _do(managed, f"UpdateCustom{kind}Policy", WANTED[kind])]
    missing.append(await _do(managed, f"Reset{kind}PolicyToDefault"))
    added = await _do(managed, f"AddCustom{kind}Policy", WANTED[kind])
    own = await _get(managed, kind)
    again = await _do(managed, f"AddCustom{kind}Policy", WANTED[kind])
    same = await _do(managed, f"UpdateCustom{kind}Policy", WANTED[kind])
    reset = await _do(managed, f"Reset{kind}PolicyToDefault")

    assert default["isDefault"]
    assert [response.code for response in missing] == [5, 5]
    assert added.body["details"]["resourceOwner"] == managed.org_id
    assert own == HELD[kind]
    assert (again.code, same.code, reset.code) == (6, 9, 0)
    assert await _get(managed, kind) == default


async def test_absent_field_keeps_providers_forbidden(managed: Any) -> None:
    """A caller that does not know the field does not change it; a caller that sends it does."""
    await _do(managed, "AddCustomLoginPolicy", {**WANTED["Login"], "allowExternalIdp": False})
    unaware = {name: value for name, value in WANTED["Login"].items() if name != "allowExternalIdp"}
    await _do(managed, "UpdateCustomLoginPolicy", {**unaware, "hidePasswordReset": False})
    left_out = await _get(managed, "Login")
    await _do(managed, "UpdateCustomLoginPolicy", {**unaware, "allowExternalIdp": True})

    assert "allowExternalIdp" not in left_out
    assert (await _get(managed, "Login"))["allowExternalIdp"]


@pytest.mark.parametrize(
    "word",
    [
        "allowExternalIdp",
        "mayRegister",
        "verifiedMail",
        "forceMfa",
        "hidePasswordReset",
        "allowDeviceAuthorization",
        "allowEmailCodeSignIn",
        "allowAccountDeletion",
    ],
)
async def test_document_with_one_rule_creates_a_login_policy(managed: Any, word: str) -> None:
    """The policy then exists for callers who add one, and can be changed."""
    response = {"id": managed.org_id, "name": managed.org_id, "primaryDomain": managed.domain(managed.org_id)}
    await managed.users.apply({**response, "loginPolicy": {word: True}})

    assert (await _do(managed, "AddCustomLoginPolicy", WANTED["Login"])).code == 6
    assert (await _do(managed, "UpdateCustomLoginPolicy", WANTED["Login"])).code == 0


@pytest.mark.parametrize("kind", WANTED)
async def test_organization_inherits_the_instance_policy(managed: Any, kind: str) -> None:
    """An organization with its own policy keeps it."""
    await _do(managed, f"AddCustom{kind}Policy", WANTED[kind], by="foreign")
    updated = await _do(managed, f"Update{kind}Policy", WANTED[kind], of=IAM, by="iam")
    changed = {**HELD[kind], "isDefault": True, **IN_FORCE.get(kind, {})}

    assert updated.code == 0, updated.body
    assert updated.body["details"]["resourceOwner"] == "instance"
    assert await _get(managed, kind) == changed
    assert await _get(managed, kind, by="foreign") == {**HELD[kind], **IN_FORCE.get(kind, {})}


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("PasswordComplexity", {"minLength": 7}),
        ("PasswordComplexity", {"minLength": 73}),
        ("Privacy", {"tosLink": "javascript:alert(1)"}),
        ("Privacy", {"helpLink": "http://a.example"}),
        ("Privacy", {"supportEmail": "nobody"}),
        ("Label", {"warnColorDark": "red"}),
        ("Label", {"fontColor": "#12345g"}),
        ("Label", {"fontColor": "#abcdef"}),
        ("Label", {"primaryColorDark": "#112233"}),
        ("Label", {"backgroundColor": "#102030"}),
        ("Label", {"fontFamily": "comic"}),
        ("Lockout", {"maxPasswordAttempts": 1001}),
        ("PasswordAge", {"maxAgeDays": 36501}),
        ("PasswordAge", {"expireWarnDays": 36501}),
    ],
)
async def test_invalid_policy_is_refused(managed: Any, kind: str, body: dict[str, Any]) -> None:
    """Invalid values give code 3 with the field, including URLs that could become scripts (MG-20)."""
    refused = await _do(managed, f"AddCustom{kind}Policy", body)

    assert (refused.code, refused.fields) == (3, list(body))
    assert (await _get(managed, kind))["isDefault"]


@pytest.mark.parametrize(
    ("rule", "bad", "good"),
    [
        ("hasLowercase", "CORRECT HORSE", "CORRECT hORSE"),
        ("hasUppercase", "correct horse", "correct Horse"),
        ("hasNumber", "correct horse", "correct h0rse"),
        ("hasSymbol", "correcthorse", "correct-horse"),
        ("minLength", "correct horse", "correct horses"),
    ],
)
async def test_policy_applies_to_new_passwords(managed: Any, rule: str, bad: str, good: str) -> None:
    """The policy applies to created users and to changed passwords."""
    rules = {"minLength": 14} if rule == "minLength" else {"minLength": 8, rule: True}
    await _do(managed, "AddCustomPasswordComplexityPolicy", rules)
    refused = await managed.add(managed.new_human(password={"password": bad}))
    taken = await managed.add(managed.new_human(password={"password": good}))

    assert (refused.code, refused.fields) == (3, ["password.password"])
    assert taken.code == 0, taken.body


async def test_lockout_policy_locks_until_a_manager_unlocks(managed: Any) -> None:
    """A locked user cannot sign in with the right password; unlocking resets the count."""
    await _do(managed, "AddCustomLockoutPolicy", {"maxPasswordAttempts": 3})
    name = f"ada-{managed.tag}"
    added = await managed.add(managed.new_human(username=name, password={"password": PASSWORD}))
    user_id = added.body["userId"]
    for _ in range(2):
        await managed.users.try_password(name, "something else")
    before = (await managed.get(user_id)).body["user"]["state"]
    await managed.users.try_password(name, "something else")
    after = (await managed.get(user_id)).body["user"]["state"]
    locked = await managed.users.try_password(name, PASSWORD)
    path = f"/v2/users/{user_id}/unlock"
    unlocked = await call_as(managed, "portico.user.v2.UserService.UnlockUser", {}, path=path)
    await managed.users.try_password(name, "something else")

    assert (before, after) == ("USER_STATE_ACTIVE", "USER_STATE_LOCKED")
    assert locked.user is None
    assert unlocked.code == 0, unlocked.body
    assert (await managed.users.try_password(name, PASSWORD)).user is not None


async def test_no_lockout_without_a_policy(managed: Any) -> None:
    """Without a policy no number of attempts locks a user (LG-03)."""
    name = f"ada-{managed.tag}"
    added = await managed.add(managed.new_human(username=name, password={"password": PASSWORD}))
    for _ in range(4):
        await managed.users.try_password(name, "something else")

    assert (await managed.get(added.body["userId"])).body["user"]["state"] == "USER_STATE_ACTIVE"


async def _idp(managed: Any, of: str, *, by: str = "owner") -> str:
    body = {
        "name": f"jwt {managed.tag}",
        "jwtEndpoint": "https://a.example",
        "issuer": "a",
        "keysEndpoint": "https://a.example",
    }
    return str((await call_as(managed, of, body, by=by)).body["idpId"])


async def _offered(managed: Any) -> list[str]:
    listed = (await _do(managed, "ListLoginPolicyIDPs", {"query": {"asc": True}})).body.get("result", [])
    assert listed == (await _get(managed, "Login")).get("idps", [])
    return [link["idpId"] for link in listed]


async def test_identity_providers_are_offered_in_the_login_policy(managed: Any) -> None:
    """The instance's providers are offered until the organization offers its own, each once, and never other
    organizations'.
    """
    own = await _idp(managed, "portico.management.v1.IDPService.AddOrgJWTIDP")
    instances = await _idp(managed, "portico.admin.v1.IDPService.AddJWTIDP", by="iam")
    foreign = await _idp(managed, "portico.management.v1.IDPService.AddOrgJWTIDP", by="foreign")
    await _do(managed, "AddIDPToLoginPolicy", {"idpId": instances}, of=IAM, by="iam")
    inherited = await _offered(managed)
    added = await _do(managed, "AddIDPToLoginPolicy", {"idpId": own, "ownerType": "IDP_OWNER_TYPE_ORG"})
    twice = await _do(managed, "AddIDPToLoginPolicy", {"idpId": own})
    wrong = await _do(managed, "AddIDPToLoginPolicy", {"idpId": instances, "ownerType": "IDP_OWNER_TYPE_ORG"})
    refused = await _do(managed, "AddIDPToLoginPolicy", {"idpId": foreign})

    assert inherited == [instances]
    assert (added.code, twice.code, wrong.code, refused.code) == (0, 6, 5, 5)
    assert (twice.error_code, refused.error_code) == ("USER-622", "USER-318")
    assert await _offered(managed) == [own]
    path = f"/management/v1/policies/login/idps/{own}"
    assert (await _do(managed, "RemoveIDPFromLoginPolicy", path=path)).code == 0
    assert await _offered(managed) == []
    await _do(managed, "ResetLoginPolicyToDefault")
    assert await _offered(managed) == [instances]
