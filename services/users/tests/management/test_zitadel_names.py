"""The methods of ZITADEL's SDKs, below ``/zitadel.``, in the JSON that they send (decision 0105)."""

from __future__ import annotations

from typing import Any, Final

import pytest
from portico_fakes.management_api import ApiResponse, read_connect

pytestmark = pytest.mark.servers

USERS: Final = "zitadel.user.v2.UserService"


async def call(managed: Any, method: str, members: dict[str, Any], *, by: str = "owner") -> ApiResponse:
    headers = {"Authorization": f"Bearer {managed.tokens[by]}"}
    answer = await managed.api.http.post(f"/{method.replace(':', '/')}", json=members, headers=headers)
    return ApiResponse(0, answer.json()) if answer.status_code == 200 else read_connect(answer)


def ada(managed: Any, name: str = "ada") -> dict[str, Any]:
    return {
        "userId": f"{name}-{managed.tag}",
        "username": f"{name}.{managed.tag}",
        "organization": {"orgId": managed.org_id},
        "profile": {"givenName": "Ada", "familyName": "Byron"},
        "email": {"email": f"{name}-{managed.tag}@mail.example", "isVerified": True},
    }


async def test_user_is_created_and_read_by_the_names_of_the_sdk(managed: Any) -> None:
    created = await call(managed, f"{USERS}:AddHumanUser", ada(managed))
    got = await call(managed, f"{USERS}:GetUserByID", {"userId": created.body["userId"]})
    conditions = [{"inUserIdsQuery": {"userIds": [created.body["userId"]]}}]
    listed = await call(managed, f"{USERS}:ListUsers", {"queries": conditions})

    assert got.body["user"]["human"]["profile"]["givenName"] == "Ada"
    assert "firstName" not in got.body["user"]["human"]["profile"]
    assert [one["userId"] for one in listed.body["result"]] == [created.body["userId"]]
    assert listed.body["details"].keys() == {"totalResult", "processedSequence", "timestamp"}


async def test_conditions_are_combined(managed: Any) -> None:
    """Conditions on login name, number and a list of addresses are combined too, as in portico.user.v2.ListUsers."""
    names = ("ada", "bob", "eve")
    for name in names:
        user = {**ada(managed, name), "profile": {"givenName": name, "familyName": "Byron"}}
        await call(managed, f"{USERS}:AddHumanUser", {**user, "phone": {"phone": "+41791234567", "isVerified": True}})

    async def found(*queries: dict[str, Any]) -> str:
        family = {"lastNameQuery": {"lastName": "Byron"}}
        listed = await call(managed, f"{USERS}:ListUsers", {"queries": [family, *queries]})
        assert listed.code == 0, listed.body
        ids = {one["userId"] for one in listed.body.get("result", [])}
        return " ".join(name for name in names if f"{name}-{managed.tag}" in ids)

    is_ada, is_bob = ({"firstNameQuery": {"firstName": name}} for name in ("ada", "bob"))
    either = {"orQuery": {"queries": [is_ada, is_bob]}}
    not_ada = {"notQuery": {"query": is_ada}}
    login_name = f"ada.{managed.tag}@{managed.domain(managed.org_id)}"
    starts = {"loginName": f"EVE.{managed.tag}", "method": "TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE"}
    address = f"bob-{managed.tag}@mail.example"

    assert [
        await found(either),
        await found(not_ada),
        await found(either, not_ada),
        await found({"andQuery": {"queries": [either, not_ada]}}),
        await found({"notQuery": {"query": either}}),
        await found({"loginNameQuery": {"loginName": login_name}}),
        await found({"loginNameQuery": {"loginName": f"ada.{managed.tag}@other.example"}}),
        await found({"loginNameQuery": starts}),
        await found({"inUserEmailsQuery": {"userEmails": [address, "nobody@mail.example"]}}),
        await found({"phoneQuery": {"number": "+4179", "method": "TEXT_QUERY_METHOD_STARTS_WITH"}}),
    ] == ["ada bob", "bob eve", "bob", "bob", "eve", "ada", "", "eve", "bob", "ada bob eve"]


def _nested(levels: int) -> dict[str, Any]:
    query: dict[str, Any] = {"firstNameQuery": {"firstName": "ada"}}
    for _ in range(levels):
        query = {"notQuery": {"query": query}}
    return query


@pytest.mark.parametrize(
    "query",
    [
        {"notQuery": {"query": {"wordsQuery": {"text": "ada"}}}},
        {"loginNameQuery": {"loginName": "a", "method": "TEXT_QUERY_METHOD_CONTAINS"}},
        {"orQuery": {"queries": [{"orQuery": {"queries": [_nested(0)] * 20}}] * 5}},
        _nested(6),
        {"orQuery": {"queries": []}},
    ],
)
async def test_conditions_are_limited(managed: Any, query: dict[str, Any]) -> None:
    answer = await managed.api.json(
        "portico.user.v2.UserService.ListUsers", {"queries": [query]}, token=managed.tokens["owner"]
    )

    assert answer.error_code == "USER-303"


async def test_newer_methods_serve_users_of_both_kinds(managed: Any) -> None:
    """CreateUser and UpdateUser; values that are not sent stay."""
    ids = {}
    for kind, values in (
        ("human", {"profile": {"givenName": "Ada", "familyName": "Byron", "nickName": "A"},
                   "email": {"email": f"new-{managed.tag}@mail.example", "returnCode": {}}}),
        ("machine", {"name": "Robot", "description": "Sweeps"}),
    ):  # fmt: skip
        members = {"organizationId": managed.org_id, "username": f"{kind}.{managed.tag}", kind: values}
        made = await call(managed, f"{USERS}:CreateUser", members)
        assert made.code == 0, made.body
        assert made.body.keys() == {"id", "creationDate", *(["emailCode"] if kind == "human" else [])}
        ids[kind] = made.body["id"]
    changes: dict[str, Any] = {"human": {"profile": {"givenName": "Augusta"}}, "machine": {"description": "Mops"}}
    for kind, change in changes.items():
        changed = await call(managed, f"{USERS}:UpdateUser", {"userId": ids[kind], kind: change})
        assert changed.body.keys() == {"changeDate"}
    await call(managed, f"{USERS}:UpdateUser", {"userId": ids["machine"], "username": f"mop.{managed.tag}"})
    read = {
        kind: (await call(managed, f"{USERS}:GetUserByID", {"userId": id})).body["user"] for kind, id in ids.items()
    }

    profile = read["human"]["human"]["profile"]
    assert (profile["givenName"], profile["familyName"], profile["nickName"]) == ("Augusta", "Byron", "A")
    machine = read["machine"]["machine"]
    assert (machine["name"], machine["description"]) == ("Robot", "Mops")
    assert (read["machine"]["username"], read["machine"]["details"]["resourceOwner"]) == (
        f"mop.{managed.tag}",
        managed.org_id,
    )


async def test_human_without_a_user_name_is_created(managed: Any) -> None:
    """The SDK omits optional values; the user name is then the address, and the organization that of the call."""
    address = f"new-{managed.tag}@mail.example"
    human = {"profile": {"givenName": "Ada", "familyName": "Byron"}, "email": {"email": address, "isVerified": True}}
    made = await call(managed, f"{USERS}:CreateUser", {"human": human})
    assert made.code == 0, made.body
    read = (await call(managed, f"{USERS}:GetUserByID", {"userId": made.body["id"]})).body["user"]

    assert (read["username"], read["details"]["resourceOwner"]) == (address, managed.org_id)


@pytest.mark.parametrize(
    ("method", "members", "field"),
    [
        ("CreateUser", {"userId": "chosen", "username": "robot", "machine": {"name": "Robot"}}, "userId"),
        ("CreateUser", {"human": {"totpSecret": "JBSWY3DPEHPK3PXP"}}, "human.totpSecret"),
        ("UpdateUser", {"userId": "robot-{tag}", "username": "x", "machine": {"name": "Robot"}}, "username"),
        ("UpdateUser", {"userId": "robot-{tag}", "human": {"profile": {"givenName": "Ada"}}}, "human"),
    ],
)
async def test_values_without_a_place_are_refused_by_name(
    managed: Any, method: str, members: dict[str, Any], field: str
) -> None:
    """Leaving them out would change what the call means."""
    members = {name: value.format(tag=managed.tag) if name == "userId" else value for name, value in members.items()}
    answer = await call(managed, f"{USERS}:{method}", members)

    assert answer.error_code == "USER-303"
    assert answer.fields == [field]


@pytest.mark.parametrize(
    ("method", "changed", "fields"),
    [
        ("AddHumanUser", {"profile": {"givenName": "A" * 201}}, ["profile.givenName", "profile.familyName"]),
        ("AddHumanUser", {"organization": {"orgId": "x" * 201}}, ["organization.orgId"]),
        ("UpdateHumanUser", {"profile": {"givenName": "A", "familyName": " Byron"}}, ["profile.familyName"]),
        ("CreateUser", {"machine": {"name": "Robot"}}, ["username"]),
        ("CreateUser", {"username": "x", "machine": {"name": " Robot"}}, ["machine.name"]),
        ("CreateUser", {"human": {"profile": {"givenName": "A", "familyName": " B"}, "email": {"email": "a@b.example"}}},
         ["human.profile.familyName"]),
        ("UpdateUser", {"human": {"profile": {"familyName": " Byron"}}}, ["human.profile.familyName"]),
    ],
)  # fmt: skip
async def test_errors_have_the_field_names_of_the_sdk(
    managed: Any, method: str, changed: dict[str, Any], fields: list[str]
) -> None:
    await call(managed, f"{USERS}:AddHumanUser", ada(managed))
    members = {
        "AddHumanUser": {**ada(managed, "eve"), **changed},
        "UpdateHumanUser": {"userId": f"ada-{managed.tag}", **changed},
        "UpdateUser": {"userId": f"ada-{managed.tag}", **changed},
        "CreateUser": {**changed, "organizationId": managed.org_id},
    }[method]
    answer = await call(managed, f"{USERS}:{method}", members)

    assert (answer.code, answer.fields) == (3, fields)
    assert answer.body["message"].startswith(f"{fields[0]}: ")


@pytest.mark.parametrize(
    ("by", "codes"), [("viewer", [7, 7, 7, 12]), ("foreign", [5, 7, 5, 12]), ("expired", [16, 16, 16, 12])]
)
async def test_calls_need_the_permissions_of_their_operations(managed: Any, by: str, codes: list[int]) -> None:
    """Each step of a composed call needs its own."""
    new = {"organizationId": managed.org_id, "username": f"x.{managed.tag}"}
    human = {"profile": {"givenName": "A", "familyName": "B"}, "email": {"email": f"a-{managed.tag}@b.example"}}
    user = {"userId": f"self-{managed.tag}", "username": f"y.{managed.tag}"}
    calls = (
        ("CreateUser", {**new, "human": human}),
        ("CreateUser", {**new, "machine": {"name": "Robot"}}),
        ("UpdateUser", user),
        ("HumanMFAInitSkipped", user),
    )

    assert [(await call(managed, f"{USERS}:{method}", members, by=by)).code for method, members in calls] == codes


SETTINGS: Final = "zitadel.settings.v2.SettingsService"


async def test_settings_are_the_policies_of_an_organization_or_of_the_instance(managed: Any) -> None:
    policy = "portico.management.v1.PolicyService"
    token = managed.tokens["owner"]
    await managed.api.json(
        f"{policy}.AddCustomLoginPolicy",
        {"hidePasswordReset": True, "multiFactors": ["MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION"]},
        token=token,
    )
    await managed.api.json(
        f"{policy}.AddCustomPasswordComplexityPolicy", {"minLength": "12", "hasNumber": True}, token=token
    )
    await managed.api.json(
        f"{policy}.AddCustomPrivacyPolicy", {"privacyLink": "https://a.example/privacy"}, token=token
    )
    await managed.api.json(f"{policy}.AddCustomLabelPolicy", {"primaryColor": "#112233"}, token=token)
    of_org = {"ctx": {"orgId": managed.org_id}}

    async def read(word: str, ctx: dict[str, Any], **more: Any) -> dict[str, Any]:
        answer = await call(managed, f"{SETTINGS}:Get{word}", ctx, **more)
        assert answer.code == 0, answer.body
        found: dict[str, Any] = answer.body["settings"]
        return found

    login = await read("LoginSettings", {})
    assert (login["hidePasswordReset"], login["passkeysType"]) == (True, "PASSKEYS_TYPE_ALLOWED")
    assert login["resourceOwnerType"] == "RESOURCE_OWNER_TYPE_ORG"
    assert await read("LoginSettings", of_org, by="iam") == login
    assert (login["allowUsernamePassword"], login["allowExternalIdp"]) == (True, True)
    instance = await read("LoginSettings", {"ctx": {"instance": True}}, by="iam")
    assert (instance.get("hidePasswordReset"), instance["resourceOwnerType"]) == (None, "RESOURCE_OWNER_TYPE_INSTANCE")
    assert await read("PasswordComplexitySettings", {}) == {
        "minLength": "12",
        "requiresNumber": True,
        "resourceOwnerType": "RESOURCE_OWNER_TYPE_ORG",
    }
    assert (await read("LegalAndSupportSettings", of_org))["privacyPolicyLink"] == "https://a.example/privacy"
    assert (await read("BrandingSettings", of_org))["lightTheme"]["primaryColor"] == "#112233"
    for word in ("LockoutSettings", "PasswordExpirySettings"):
        assert (await read(word, of_org))["resourceOwnerType"] == "RESOURCE_OWNER_TYPE_INSTANCE"


async def test_only_active_identity_providers_are_listed(managed: Any) -> None:
    """Own login pages show a button for each, and a sign-in through a deactivated provider is refused."""
    token, idps = managed.tokens["owner"], "portico.management.v1.IDPService"
    google = {"clientId": "portico", "clientSecret": "a secret"}
    ids = {}
    for name in ("kept", "left"):
        added = await managed.api.json(
            f"{idps}.AddGoogleProvider", {"name": f"{name} {managed.tag}", **google}, token=token
        )
        ids[name] = added.body["id"]
        await managed.api.json(
            "portico.management.v1.PolicyService.AddIDPToLoginPolicy", {"idpId": ids[name]}, token=token
        )
    await managed.api.json(
        f"{idps}.DeactivateOrgIDP", {}, token=token, path=f"/management/v1/idps/{ids['left']}/_deactivate"
    )
    listed = await call(managed, f"{SETTINGS}:GetActiveIdentityProviders", {})

    assert listed.body["identityProviders"] == [{"id": ids["kept"], "name": f"kept {managed.tag}"}]
    assert listed.body["details"]["totalResult"] == "1"


@pytest.mark.parametrize(
    ("by", "ctx", "code"),
    [
        ("owner", {"instance": True}, 7),
        ("owner", {"orgId": "other-{tag}"}, 7),
        ("foreign", {"orgId": "org-{tag}"}, 7),
        ("self", {}, 7),
        ("expired", {}, 16),
    ],
)
async def test_settings_need_the_permission_for_policies(managed: Any, by: str, ctx: dict[str, Any], code: int) -> None:
    ctx = {name: value.format(tag=managed.tag) if name == "orgId" else value for name, value in ctx.items()}
    answer = await call(managed, f"{SETTINGS}:GetLoginSettings", {"ctx": ctx}, by=by)

    assert answer.code == code


async def test_method_that_the_sdk_does_not_know_hides_no_others(managed: Any) -> None:
    """A user with recovery codes, which ZITADEL's enumeration does not have here, still has the other methods."""
    created = await call(
        managed, f"{USERS}:AddHumanUser", {**ada(managed), "password": {"password": "a long secret 12"}}
    )
    rows, user_id = managed.users.parts.mongo.database["users"], created.body["userId"]
    await rows.update_one({"_id": user_id}, {"$set": {"hasTotp": True, "recoveryCodes": 8}})
    listed = await call(managed, f"{USERS}:ListAuthenticationMethodTypes", {"userId": user_id})

    assert listed.body["authMethodTypes"] == [
        "AUTHENTICATION_METHOD_TYPE_PASSWORD",
        "AUTHENTICATION_METHOD_TYPE_TOTP",
    ]
