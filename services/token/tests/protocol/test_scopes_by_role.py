"""Scopes of APIs that need a role: what is granted is the requested part that the user's roles allow (decision 0142)."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any, Final

import pytest
from msgspec.structs import replace
from portico_contracts.token import (
    ISSUE_IMPLICIT_TOKENS,
    PREVIEW_TOKENS,
    IssueImplicitTokens,
    PreviewTokens,
    TokensPreviewed,
)
from portico_contracts.users import GET_ROLES, Api, GetRoles, ProjectAccess, Roles, RoleScope
from portico_fakes.assertions import registered
from portico_fakes.token_service import SECRET, USER, TokenService
from portico_oauth.errors import ServiceError
from portico_oauth.grant_types import DEVICE_CODE, TOKEN_EXCHANGE
from portico_oauth.token_types import ACCESS_TOKEN, USER_ID

from .test_jwt_bearer import KEY, assertion

BUYER: Final = {"buyer": {"org-1": "acme.example"}}
LIMITED: Final = (RoleScope("orders.write", ("buyer", "seller")),)
ORDERS: Final = Api(
    "orders", ("https://orders.example",), ("orders.read", "orders.write"), ("orders.read", "orders.write"), LIMITED,
    "theirs",
)  # fmt: skip
STOCK: Final = Api("stock", (), ("orders.write",))
SCOPE: Final = ("openid", "offline_access", "orders.read", "orders.write")

Tokens = dict[str, Any]


@pytest.fixture(name="service")
def _service(token_service: TokenService) -> TokenService:
    """An application, a service that exchanges its tokens, and the API of another project."""
    for name in ("app", "relay"):
        grant_types = ("authorization_code", "refresh_token", "implicit", DEVICE_CODE, TOKEN_EXCHANGE)
        token_service.register(name, grant_types=grant_types, audience=("app", "relay", "project-1"))
    token_service.register("orders", project_id="theirs", org_id="org-2", audience=("orders", "theirs"))
    token_service.register_service_user("robot", keys=(registered(KEY),))
    token_service.users.apis = dict.fromkeys(("app", "relay", "robot"), (ORDERS,))
    token_service.users.may_act = {(USER, USER)}
    return token_service


async def by_code(service: TokenService, scope: tuple[str, ...] = SCOPE, /, **form: Any) -> Tokens:
    return (await service.redeem(service.issue_code("app", scope=scope), "app", **form)).json()  # type: ignore[no-any-return]


async def by_refresh(service: TokenService, scope: tuple[str, ...] = SCOPE) -> Tokens:
    tokens = await by_code(service, scope)
    return (await service.refresh(tokens["refresh_token"], "app")).json()  # type: ignore[no-any-return]


async def by_implicit(service: TokenService, scope: tuple[str, ...] = SCOPE) -> Tokens:
    grant = service.authz.codes[service.issue_code("app", scope=scope)].grant
    issued = await service.bus.call(ISSUE_IMPLICIT_TOKENS, IssueImplicitTokens(grant=grant, with_access_token=True))
    return {"access_token": issued.access_token, "scope": issued.scope}


async def by_device(service: TokenService, scope: tuple[str, ...] = SCOPE) -> Tokens:
    service.authz.devices["code"] = service.authz.codes[service.issue_code("app", scope=scope)].grant
    form = {"grant_type": DEVICE_CODE, "device_code": "code"}
    return (await service.token(form, basic=("app", SECRET))).json()  # type: ignore[no-any-return]


async def by_exchange(service: TokenService, scope: tuple[str, ...] = SCOPE, /, **form: str) -> Tokens:
    """The role is lost after the sign-in."""
    held = service.users.roles
    service.users.roles = {(USER, "theirs"): BUYER}
    subject = (await by_code(service, scope))["access_token"]
    service.users.roles = held
    await service.publish_user_changed()
    asked = {"subject_token": subject, "subject_token_type": ACCESS_TOKEN, "audience": "orders", **form}
    return (await service.token({"grant_type": TOKEN_EXCHANGE, **asked}, basic=("relay", SECRET))).json()  # type: ignore[no-any-return]


async def by_acting(service: TokenService, scope: tuple[str, ...] = SCOPE) -> Tokens:
    actor = (await by_code(service, ("openid",)))["access_token"]
    asked = {
        "subject_token": USER,
        "subject_token_type": USER_ID,
        "actor_token": actor,
        "actor_token_type": ACCESS_TOKEN,
    }
    form = {"grant_type": TOKEN_EXCHANGE, **asked, "audience": "orders", "scope": " ".join(scope[2:])}
    return (await service.token(form, basic=("app", SECRET))).json()  # type: ignore[no-any-return]


async def by_client_credentials(service: TokenService, scope: tuple[str, ...] = SCOPE, /, **form: str) -> Tokens:
    return (await service.client_credentials("robot", scope=" ".join(scope[2:]), **form)).json()  # type: ignore[no-any-return]


async def by_jwt_profile(service: TokenService, scope: tuple[str, ...] = SCOPE) -> Tokens:
    return (await service.jwt_bearer(assertion(service), scope=" ".join(scope[2:]))).json()  # type: ignore[no-any-return]


WAYS: Final[dict[str, Callable[[TokenService], Awaitable[Tokens]]]] = {
    "code": by_code,
    "refresh": by_refresh,
    "implicit": by_implicit,
    "device": by_device,
    "exchange": by_exchange,
    "acting": by_acting,
    "client_credentials": by_client_credentials,
    "jwt_profile": by_jwt_profile,
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("roles", "has_scope"), [({}, False), ({"guest": {}}, False), (BUYER, True)])
async def test_every_grant_narrows_by_the_roles(
    service: TokenService, way: str, *, roles: dict[str, dict[str, str]], has_scope: bool
) -> None:
    """One of the roles in the project of the API is needed; the request is narrowed, and not refused."""
    service.users.roles = {(one, "theirs"): roles for one in (USER, "robot") if roles}
    service.users.roles |= {(one, "project-1"): BUYER for one in (USER, "robot")}
    tokens = await WAYS[way](service)
    about = (await service.introspect(tokens["access_token"], "orders")).json()

    assert ("orders.write" in tokens["scope"].split()) is has_scope
    assert "orders.read" in tokens["scope"].split()
    assert about["scope"] == tokens["scope"]


@pytest.mark.parametrize("way", ["code", "client_credentials"])
async def test_token_is_not_for_an_api_without_a_granted_scope(service: TokenService, way: str) -> None:
    tokens = await {"code": by_code, "client_credentials": by_client_credentials}[way](
        service, ("openid", "offline_access", "orders.write")
    )

    assert "orders.write" not in tokens["scope"]
    assert (await service.introspect(tokens["access_token"], "orders")).json() == {"active": False}


async def test_role_that_is_lost_or_gained_after_the_sign_in(service: TokenService) -> None:
    """The next refresh omits the scope of a lost role; that of a new one needs a new sign-in."""
    service.users.roles = {(USER, "theirs"): BUYER}
    tokens = await by_code(service)
    service.users.roles = {}
    await service.publish_user_changed()
    lost = (await service.refresh(tokens["refresh_token"], "app")).json()
    named = (await service.refresh(lost["refresh_token"], "app", scope="orders.write")).json()
    without = await by_code(service)
    service.users.roles = {(USER, "theirs"): BUYER}
    await service.publish_user_changed()
    gained = (await service.refresh(without["refresh_token"], "app")).json()

    assert [one["scope"] for one in (tokens, lost, named, gained)] == [
        " ".join(SCOPE),
        "openid offline_access orders.read",
        "",
        "openid offline_access orders.read",
    ]


async def test_scope_of_two_apis_needs_the_role_of_each(service: TokenService) -> None:
    """The token is for both, so that the one that gives the scope to everybody does not open the other."""
    service.users.apis["app"] = (ORDERS, STOCK)

    assert (await by_code(service))["scope"] == "openid offline_access orders.read"


async def test_exchange_asks_for_the_roles_of_its_target_only(service: TokenService) -> None:
    service.register("stock", project_id="theirs", org_id="org-2", audience=("stock",))
    service.users.apis = {"app": (ORDERS, STOCK), "relay": (ORDERS, STOCK)}
    for audience, scope in (("stock", "orders.write"), ("orders", "")):
        tokens = await by_exchange(service, audience=audience, scope="orders.write")
        assert tokens["scope"] == scope, audience


async def test_exchange_refuses_what_the_subject_token_lacks(service: TokenService) -> None:
    """A withheld scope is no way to widen the others (TOKEN-281)."""
    refused = await by_exchange(service, ("openid", "offline_access", "orders.write"), scope="orders.read orders.write")

    assert refused["error"] == "invalid_scope"


@pytest.mark.parametrize(("asked", "granted"), [("email", "orders.read"), ("orders.write", "")])
async def test_default_scopes_of_a_resource_need_the_role_too(service: TokenService, asked: str, granted: str) -> None:
    """They are for requests without a scope of the API; one whose scope is withheld does not get the others."""
    resource = ORDERS.resources[0]
    tokens = await by_client_credentials(service, ("", "", asked), resource=resource)

    assert tokens["scope"] == granted


async def test_scopes_without_roles_ask_for_none(service: TokenService) -> None:
    asked: list[GetRoles] = []

    async def answer(ask: GetRoles) -> Roles:
        asked.append(ask)
        return Roles(roles={})

    service.bus.respond(GET_ROLES, answer)
    service.users.apis = dict.fromkeys(("app", "robot"), (replace(ORDERS, role_scopes=(), project_id=""),))
    for way in ("code", "client_credentials"):
        assert "orders.write" in (await WAYS[way](service))["scope"]

    assert asked == []


async def test_preview_names_the_roles_that_a_scope_needs(service: TokenService) -> None:
    ask = PreviewTokens(
        user_id=USER, client_id="app", scope=("openid", "orders.write", "orders.delete"), claim_rules=()
    )
    found = await service.bus.call(PREVIEW_TOKENS, ask)

    assert found.scope == ("openid",)
    assert [(one.scope, one.reason.value, one.roles) for one in found.dropped] == [
        ("orders.write", "role", ("buyer", "seller")),
        ("orders.delete", "unknown", ()),
    ]


async def test_preview_with_other_roles(service: TokenService) -> None:
    """Scopes, claims and the access of the project are those of a user who has them; the stored ones stay."""
    service.users.roles = {(USER, "project-1"): {"guest": {}}}
    service.register("app", roles_claim="groups_of_app", checks_roles=True)
    service.users.admissions[USER, "project-1"] = ProjectAccess(has_project=True, has_role=True)

    async def preview(roles: dict[str, dict[str, dict[str, str]]] | None) -> TokensPreviewed:
        scope = ("openid", "orders.write")
        ask = PreviewTokens(user_id=USER, client_id="app", scope=scope, claim_rules=(), roles=roles)
        return await service.bus.call(PREVIEW_TOKENS, ask)

    changed, stored = await preview({"theirs": BUYER, "project-1": {"admin": {}}}), await preview(None)
    with pytest.raises(ServiceError) as refused:
        await preview({"project-1": {}})

    assert [one.scope for one in (changed, stored)] == [("openid", "orders.write"), ("openid",)]
    for place in ("id_token", "userinfo", "introspection"):
        found = [json.loads(getattr(one, place))["groups_of_app"] for one in (changed, stored)]
        assert found == [["admin"], ["guest"]], place
    assert refused.value.id == "TOKEN-297"
