"""The parameter resource of token requests (RFC 8707 section 2.2, decisions 0092 and 0097)."""

from __future__ import annotations

from typing import Any, Final

import jwt
import pytest
from msgspec.structs import replace
from portico_contracts.token import ISSUE_IMPLICIT_TOKENS, IssueImplicitTokens
from portico_contracts.users import AccessTokenType, Api, ClaimPlace, ClaimRule, ClaimSource
from portico_fakes.token_service import SECRET, USER, TokenService
from portico_harness.rows import row
from portico_oauth.grant_types import TOKEN_EXCHANGE
from portico_oauth.token_types import ACCESS_TOKEN, USER_ID

ORDERS = Api("orders", ("https://orders.example",), ("read", "orders.write"), ("read",))
INVOICES = Api("invoices", ("https://invoices.example", "https://invoices.example/v2"), ("read", "invoices.pay"))
BOTH = (*ORDERS.resources, INVOICES.resources[0])
SCOPE = ("openid", "email", "offline_access", "read", "orders.write", "invoices.pay")


@pytest.fixture(name="service")
def _service(token_service: TokenService) -> TokenService:
    token_service.register("app", grant_types=("authorization_code", "refresh_token"))
    for api in ("orders", "invoices"):
        token_service.register(api, project_id="theirs", org_id="org-2", audience=(api, "theirs"))
    token_service.register_service_user("robot")
    person = token_service.users.people[USER]
    token_service.users.people[USER] = replace(person, claims={"email": "ada@example.com"})
    token_service.users.apis = {"app": (ORDERS, INVOICES), "robot": (ORDERS, INVOICES)}
    return token_service


def claims_in(token: str) -> dict[str, Any]:
    claims: dict[str, Any] = jwt.decode(token, options={"verify_signature": False})
    return claims


async def exchange(service: TokenService, resources: tuple[str, ...], **form: Any) -> dict[str, Any]:
    response = await service.redeem(service.issue_code("app", scope=SCOPE, resources=resources), "app", **form)
    return {"status": response.status_code, **response.json()}


async def about(service: TokenService, tokens: dict[str, Any], caller: str) -> dict[str, Any]:
    answer = (await service.introspect(tokens["access_token"], caller)).json()
    return {name: answer.get(name) for name in ("active", "aud", "scope")}


async def test_token_is_for_the_requested_resource_alone(service: TokenService) -> None:
    """Audience and scope are those of its API; the client itself and userinfo are not in it (decision 0092)."""
    tokens = await exchange(service, ORDERS.resources)

    assert tokens["scope"] == "read orders.write"
    assert await about(service, tokens, "orders") == {
        "active": True,
        "aud": ["https://orders.example", "orders"],
        "scope": "read orders.write",
    }
    assert [(await about(service, tokens, caller))["active"] for caller in ("app", "invoices")] == [False, False]
    assert (await service.userinfo(tokens["access_token"])).status_code == 403


async def test_id_token_has_the_claims_that_userinfo_cannot_give(service: TokenService) -> None:
    with_resource, without = [claims_in((await exchange(service, one))["id_token"]) for one in (ORDERS.resources, ())]

    assert (with_resource["aud"], with_resource["email"]) == (["app"], "ada@example.com")
    assert "email" not in without


async def test_token_requests_narrow_to_one_of_several(service: TokenService) -> None:
    """Each refresh may name another; without a resource the token is for all of them."""
    tokens = await exchange(service, BOTH, resource="https://invoices.example/")
    one = (await service.refresh(tokens["refresh_token"], "app", resource=ORDERS.resources[0])).json()
    all_again = (await service.refresh(one["refresh_token"], "app")).json()

    assert (await about(service, tokens, "invoices"))["aud"] == ["https://invoices.example", "invoices"]
    assert (await about(service, one, "orders"))["aud"] == ["https://orders.example", "orders"]
    assert (tokens["scope"], one["scope"]) == ("read invoices.pay", "read orders.write")
    assert (await about(service, all_again, "orders"))["aud"] == [
        *("https://orders.example", "orders", "https://invoices.example", "invoices")
    ]


async def test_token_requests_never_widen(service: TokenService) -> None:
    """Otherwise the audience would be the client's choice (GHSA-p2fr-6hmx-4528); the refresh token stays usable."""
    wider = await exchange(service, ORDERS.resources, resource=INVOICES.resources[0])
    other_of_api = await exchange(service, BOTH, resource=INVOICES.resources[1])
    unknown = await exchange(service, (), resource="https://other.example")
    malformed = await exchange(service, ORDERS.resources, resource="orders")
    tokens = await exchange(service, ORDERS.resources)
    refused = await service.refresh(tokens["refresh_token"], "app", resource=INVOICES.resources[0])
    refreshed = await service.refresh(tokens["refresh_token"], "app")

    assert [(one["status"], one["error"]) for one in (wider, other_of_api, unknown, malformed)] == [
        (400, "invalid_target")
    ] * 4
    assert (refused.status_code, refused.json()["error"], refreshed.status_code) == (400, "invalid_target", 200)


async def test_without_resources_at_sign_in_those_of_the_scope_may_be_named(service: TokenService) -> None:
    """The token narrows to what it was for anyway; a resource whose API is not in the scope is refused."""
    code = service.issue_code("app", scope=("openid", "offline_access", "invoices.pay"))
    tokens = (await service.redeem(code, "app", resource=INVOICES.resources[0])).json()
    other = await service.refresh(tokens["refresh_token"], "app", resource=ORDERS.resources[0])

    assert (await about(service, tokens, "invoices"))["scope"] == "invoices.pay"
    assert other.json()["error"] == "invalid_target"


async def test_withdrawn_resource_is_left_out_and_the_last_refused(service: TokenService) -> None:
    tokens = await exchange(service, BOTH)
    service.users.apis["app"] = (ORDERS,)
    await service.publish_app_changed()
    refreshed = (await service.refresh(tokens["refresh_token"], "app")).json()
    service.users.apis["app"] = ()
    await service.publish_app_changed()
    refused = (await service.refresh(refreshed["refresh_token"], "app")).json()

    assert (await about(service, refreshed, "orders"))["aud"] == ["https://orders.example", "orders"]
    assert (refreshed["scope"], refused["error"]) == ("read orders.write", "invalid_target")


async def test_service_users_name_resources(service: TokenService) -> None:
    """The default scopes where none of an API is requested; a scope of another API stays invalid."""
    resource = ORDERS.resources[0]
    default, named = [
        (await service.client_credentials("robot", scope=scope, resource=resource)).json()
        for scope in ("openid", "openid orders.write")
    ]
    foreign = (await service.client_credentials("robot", scope="invoices.pay", resource=resource)).json()
    unknown = (await service.client_credentials("robot", resource="https://other.example")).json()

    assert (default["scope"], named["scope"]) == ("read", "orders.write")
    assert (await about(service, named, "orders"))["aud"] == ["https://orders.example", "orders"]
    assert (foreign["error"], unknown["error"]) == ("invalid_scope", "invalid_target")


async def test_jwt_has_the_resource_as_its_audience(service: TokenService) -> None:
    service.register(
        "app", grant_types=("authorization_code",), access_token_type=AccessTokenType.JWT, access_token_roles=True
    )
    claims = claims_in((await exchange(service, ORDERS.resources))["access_token"])

    assert (claims["aud"], claims["scope"]) == (["https://orders.example", "orders"], "read orders.write")


TARGETS: Final[tuple[tuple[dict[str, str], str], ...]] = (
    ({"resource": INVOICES.resources[0]}, "read"),
    ({"audience": "invoices"}, "read"),
    ({"audience": "theirs"}, "read orders.write"),
    ({"audience": "invoices", "resource": ORDERS.resources[0]}, "read orders.write"),
)


async def exchanged_scope(service: TokenService, token: str, target: dict[str, str]) -> list[str]:
    """The scope that orders gets for a target; empty if it gets no token."""
    form = {"grant_type": TOKEN_EXCHANGE, "subject_token": token, "subject_token_type": ACCESS_TOKEN}
    scope: str = (await service.token(form | target, basic=("orders", SECRET))).json().get("scope", "")
    return scope.split()


def register_exchange(service: TokenService) -> None:
    service.register("orders", project_id="theirs", org_id="org-2", grant_types=(TOKEN_EXCHANGE,))
    service.users.apis["orders"] = (ORDERS, INVOICES)
    service.users.audiences["theirs"] = ("orders", "invoices", "theirs")


@pytest.mark.parametrize("resources", [(), ORDERS.resources, BOTH])
async def test_exchange_reaches_no_scope_of_the_same_name(service: TokenService, resources: tuple[str, ...]) -> None:
    """The scope of one API is no scope of another one that the sign-in was not for (decision 0096)."""
    register_exchange(service)
    service.users.apis["app"] = (ORDERS, INVOICES) if resources else (ORDERS,)
    code = service.issue_code("app", scope=("openid", "read", "orders.write"), resources=resources)
    token = (await service.redeem(code, "app", resource=ORDERS.resources[0])).json()["access_token"]
    for target, words in TARGETS:
        expected = words.replace("read", "")
        assert await exchanged_scope(service, token, target) == expected.split(), target


async def test_exchange_reaches_an_api_that_joined_at_a_refresh(service: TokenService) -> None:
    register_exchange(service)
    service.users.apis["app"] = (ORDERS,)
    code = service.issue_code("app", scope=("offline_access", "read"))
    refresh_token = (await service.redeem(code, "app")).json()["refresh_token"]
    service.users.apis["app"] = (ORDERS, INVOICES)
    await service.publish_app_changed()
    token = (await service.refresh(refresh_token, "app")).json()["access_token"]

    assert await exchanged_scope(service, token, {"audience": "invoices"}) == ["read"]


ROLES: Final = "urn:portico:project:roles"
OF_APP, OF_THEIRS = "urn:portico:project:project-1:roles", "urn:portico:project:theirs:roles"
ADMIN, PAYER = {"admin": {"org-1": "a.test"}}, {"payer": {"org-2": "b.test"}}
OWN: Final[dict[str, Any]] = {"roles": ["admin"], "groups": ["staff"], "roleNote": "x", ROLES: ADMIN, OF_APP: ADMIN}
NOTE: Final = ClaimRule(claim="roleNote", source=ClaimSource.FIXED, value="x", places=(ClaimPlace.ACCESS_TOKEN,))
NAMES_THEIRS: Final = "urn:portico:project:id:theirs:aud"
ROLES_OF: Final[tuple[tuple[tuple[str, ...], str, dict[str, Any]], ...]] = (
    (ORDERS.resources, NAMES_THEIRS, OWN),
    (INVOICES.resources[:1], NAMES_THEIRS, {"roles": ["payer"], OF_THEIRS: PAYER}),
    (INVOICES.resources[:1], "email", {}),
    (BOTH, NAMES_THEIRS, {**OWN, "roles": ["project-1:admin", "theirs:payer"], OF_THEIRS: PAYER}),
)


def register_roles(service: TokenService, client_id: str, **fields: Any) -> None:
    """Registers a client whose JWTs have roles, groups and a claim of a rule; orders are in its project, invoices in another one."""
    settings: dict[str, Any] = dict.fromkeys(("access_token_roles", "id_token_roles"), True)
    settings |= {"roles_claim": "roles", "groups_claim": "groups", "claim_rules": (NOTE,)}
    settings |= {"access_token_type": AccessTokenType.JWT, "audience": (client_id, "orders", "project-1")}
    service.register(client_id, **settings | fields)
    service.users.audiences["theirs"] = ("invoices", "theirs")
    service.users.roles = {(USER, "project-1"): ADMIN, (USER, "theirs"): PAYER}
    service.users.groups[USER] = ("staff",)


def roles_in(token: str) -> dict[str, Any]:
    return {name: value for name, value in claims_in(token).items() if name == "groups" or "role" in name}


def role_keys(claims: dict[str, Any]) -> list[str]:
    """The keys in the claims of projects."""
    return sorted(key for name in (OF_APP, OF_THEIRS) for key in claims.get(name, {}))


@pytest.mark.parametrize("way", ["code", "refresh", "implicit"])
async def test_jwt_has_roles_in_projects_of_its_apis_only(service: TokenService, way: str) -> None:
    """The JWT has no groups either, unless an API is in the application's project; the id_token has them all (decision
    0097).
    """
    register_roles(service, "app", grant_types=("authorization_code", "refresh_token", "implicit"))
    for resources, word, expected in ROLES_OF:
        with row(resources, word):
            scope = ("openid", "offline_access", "read", word)
            one = {"resource": resources[0]} if resources != BOTH else {}
            code = service.issue_code("app", scope=scope, resources=resources if way == "implicit" else BOTH)
            if way == "implicit":
                ask = IssueImplicitTokens(grant=service.authz.codes[code].grant, with_access_token=True)
                issued = await service.bus.call(ISSUE_IMPLICIT_TOKENS, ask)
                access_token, id_token = issued.access_token, issued.id_token
            else:
                tokens = (await service.redeem(code, "app", **one)).json()
                if way == "refresh":
                    tokens = (await service.refresh(tokens["refresh_token"], "app", **one)).json()
                access_token, id_token = tokens["access_token"], tokens["id_token"]

            assert roles_in(access_token) == expected
            assert {"groups": ["staff"], OF_APP: ADMIN}.items() <= roles_in(id_token).items()


REQUESTED_ROLES: Final[tuple[tuple[Api, tuple[str, ...], list[str]], ...]] = (
    (ORDERS, (ROLES,), ["admin"]),
    (ORDERS, (), []),
    (INVOICES, (ROLES, NAMES_THEIRS), ["payer"]),
    (INVOICES, (ROLES,), []),
)


async def assert_roles(service: TokenService, tokens: dict[str, Any], api: Api, expected: list[str]) -> None:
    """The scope names roles only where the API gets some, in introspection and in a JWT."""
    shown = (await service.introspect(tokens["access_token"], api.client_id)).json()

    assert tokens["scope"].split() == ["read", *([ROLES] if expected else [])]
    assert role_keys(shown) == role_keys(claims_in(tokens["access_token"])) == expected


async def test_requested_roles_reach_the_apis_of_their_projects(service: TokenService) -> None:
    """The application's project, and those that the scope names (decision 0097)."""
    grant_types = ("authorization_code", "refresh_token")
    register_roles(service, "app", grant_types=grant_types, access_token_roles=False)
    service.register("orders", audience=("app", "orders", "project-1"))
    for api, words, expected in REQUESTED_ROLES:
        with row(api, words):
            scope, resource = ("openid", "offline_access", "read", *words), api.resources[0]
            code = service.issue_code("app", scope=scope, resources=BOTH)
            tokens = (await service.redeem(code, "app", resource=resource)).json()
            refreshed = (await service.refresh(tokens["refresh_token"], "app", resource=resource)).json()

            await assert_roles(service, tokens, api, expected)
            await assert_roles(service, refreshed, api, expected)


async def test_requested_roles_of_a_service_user_reach_the_apis_of_their_projects(service: TokenService) -> None:
    service.register_service_user("robot", access_token_type=AccessTokenType.JWT)
    service.users.audiences = {"theirs": ("invoices", "theirs"), "other": ("api", "other")}
    service.users.roles = {("robot", "theirs"): PAYER, ("robot", "other"): ADMIN}
    for word, expected in ((NAMES_THEIRS, ["payer"]), ("email", [])):
        scope = f"read {ROLES} {word} urn:portico:project:id:other:aud"
        form = {"grant_type": "client_credentials", "scope": scope, "resource": INVOICES.resources[0]}
        tokens = (await service.token(form, basic=("robot", SECRET))).json()

        await assert_roles(service, tokens, INVOICES, expected)
        assert "admin" not in str(claims_in(tokens["access_token"]))


@pytest.mark.parametrize(("audience", "expected"), [("invoices", {}), ("orders", OWN)])
async def test_exchanged_jwt_has_roles_in_projects_of_its_apis_only(
    service: TokenService, audience: str, expected: dict[str, Any]
) -> None:
    """The same for tokens of an exchange, and for those of an actor."""
    register_roles(service, "relay", grant_types=("authorization_code", TOKEN_EXCHANGE))
    service.users.apis["relay"] = (ORDERS, INVOICES)
    service.users.may_act = {(USER, USER)}
    token = (await service.redeem(service.issue_code("relay"), "relay")).json()["access_token"]
    form = {"grant_type": TOKEN_EXCHANGE, "audience": audience, "scope": "openid"}
    exchanged = {"subject_token": token, "subject_token_type": ACCESS_TOKEN}
    acting = {"subject_token": USER, "subject_token_type": USER_ID, "actor_token": token}
    acting["actor_token_type"] = ACCESS_TOKEN
    for subject in (exchanged, acting):
        tokens = (await service.token(form | subject, basic=("relay", SECRET))).json()
        assert roles_in(tokens["access_token"]) == expected, subject
