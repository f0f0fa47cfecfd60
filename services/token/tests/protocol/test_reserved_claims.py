"""Roles, metadata and resource owner in JWT access tokens and id_tokens, by reserved scopes and by registration."""

from __future__ import annotations

from typing import Any

import jwt
import pytest
from portico_contracts.users import GET_ROLES, AccessTokenType, UserClaims
from portico_fakes.assertions import claims_of, registered, sign
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.token_service import ISSUER, USER, TokenService
from portico_oauth.jose import SigningKey

JWT = AccessTokenType.JWT
KEY = SigningKey.generate("k1", "ES256")
ROLES = "urn:portico:project:roles"
OWN, OTHER = "urn:portico:project:project-1:roles", "urn:portico:project:p2:roles"
AUD = "urn:portico:project:id:p2:aud"
METADATA, OWNER = "urn:portico:user:metadata", "urn:portico:user:resourceowner"
ADMIN, READER = {"admin": {"org-1": "example.test"}}, {"reader": {"org-2": "other.test"}}
HOSTILE = dict.fromkeys(("iss", "sub", "aud", "exp", "scope", "client_id", "jti", "azp", "acr"), "evil")


@pytest.fixture
def service(token_service: TokenService) -> TokenService:
    """With a user who has roles in two projects, and hostile data."""
    users = token_service.users
    users.audiences["p2"] = ("api-2", "p2")
    known = users.people[USER].user
    users.people[USER] = UserClaims(
        user=known,
        claims={"name": "Ada", "email": "a@b.test", **HOSTILE},
        metadata={"team": "YQ", **HOSTILE},
        org_name="Analysts",
        org_domain="example.test",
    )
    for user in (USER, "robot"):
        users.roles[user, "project-1"] = ADMIN
        users.roles[user, "p2"] = READER
    return token_service


def claims_in(token: str) -> dict[str, Any]:
    claims: dict[str, Any] = jwt.decode(token, options={"verify_signature": False})
    return claims


async def reserved_claims_in(service: TokenService, scope: str, **client: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns the claims of reserved scopes in access token and id_token."""
    service.register("app", access_token_type=JWT, **client)
    answer = (await service.redeem(service.issue_code("app", scope=tuple(scope.split())), "app")).json()
    both = [claims_in(answer[name]) for name in ("access_token", "id_token")]
    return tuple({k: v for k, v in one.items() if k.startswith("urn:")} for one in both)  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("scope", "client", "access", "identity"),
    [
        ("openid", {}, {}, {}),
        (f"openid {AUD}", {}, {}, {}),
        ("openid", {"access_token_roles": True}, {OWN: ADMIN, ROLES: ADMIN}, {}),
        ("openid", {"id_token_roles": True}, {}, {OWN: ADMIN, ROLES: ADMIN}),
        (f"openid {ROLES}", {}, {OWN: ADMIN, ROLES: ADMIN}, {OWN: ADMIN, ROLES: ADMIN}),
        (f"openid {ROLES} {AUD}", {}, *([{OWN: ADMIN, OTHER: READER, ROLES: ADMIN}] * 2)),
        (f"openid {ROLES} {AUD}", {"project_id": "p3"}, {OTHER: READER}, {OTHER: READER}),
    ],
)
async def test_roles_by_scope_and_registration(
    service: TokenService, scope: str, client: dict[str, Any], access: dict[str, Any], identity: dict[str, Any]
) -> None:
    """A scope requests roles in both tokens, a registration in one, and the short claim is that of the
    application's project.
    """
    assert await reserved_claims_in(service, scope, **client) == (access, identity)


async def test_opaque_token_loads_no_roles(service: TokenService, bus: MemoryBus) -> None:
    """Introspection returns the roles, so they are not requested at issuance."""
    bus.silent.add(GET_ROLES.subject)
    service.register("app", access_token_roles=True)

    answer = await service.redeem(service.issue_code("app"), "app")

    assert answer.status_code == 200


async def test_metadata_and_resource_owner(service: TokenService) -> None:
    """A scope requests them in JWT access tokens and at userinfo, but not in the id_token (decisions §1)."""
    access, identity = await reserved_claims_in(service, f"openid profile {METADATA} {OWNER}")

    assert access == {
        METADATA: {"team": "YQ", **HOSTILE},
        f"{OWNER}:id": "org-1",
        f"{OWNER}:name": "Analysts",
        f"{OWNER}:primary_domain": "example.test",
    }
    assert identity == {}


async def test_stored_data_overrides_no_protocol_claim(service: TokenService) -> None:
    """An access token never has claims of profile or email (JW-20)."""
    service.register("app", access_token_type=JWT, access_token_roles=True)
    scope = ("openid", "profile", "email", METADATA, OWNER, ROLES)

    answer = (await service.redeem(service.issue_code("app", scope=scope), "app")).json()
    claims = claims_in(answer["access_token"])
    protocol = {name for name in claims if not name.startswith("urn:")}

    assert protocol == {"iss", "sub", "aud", "exp", "iat", "nbf", "client_id", "jti", "scope"}
    assert (claims["iss"], claims["sub"], claims["client_id"]) == (ISSUER, USER, "app")
    assert "evil" not in {str(claims[name]) for name in protocol}


@pytest.mark.parametrize("grant", ["client_credentials", "jwt-bearer"])
async def test_roles_of_a_service_user(service: TokenService, grant: str) -> None:
    """A service user belongs to no project, so the short claim is that of the only project in its scope."""
    service.register_service_user("robot", access_token_type=JWT, keys=(registered(KEY),))
    scope = f"openid {ROLES} {AUD} {OWNER}"
    if grant == "jwt-bearer":
        assertion = sign(KEY, claims_of("robot", ISSUER, service.clock.now()))
        answer = (await service.jwt_bearer(assertion, scope=scope)).json()
        identity = claims_in(answer["id_token"])
        assert {name: identity[name] for name in identity if name.startswith("urn:")} == {OTHER: READER, ROLES: READER}
    else:
        answer = (await service.client_credentials("robot", scope=scope)).json()
    claims = claims_in(answer["access_token"])

    assert (claims[OTHER], claims[ROLES], claims[f"{OWNER}:id"]) == (READER, READER, "org-1")
    assert OWN not in claims


async def test_roles_are_current_at_refresh(service: TokenService) -> None:
    service.register("app", access_token_type=JWT, grant_types=("authorization_code", "refresh_token"))
    code = service.issue_code("app", scope=("openid", "offline_access", ROLES))
    first = (await service.redeem(code, "app")).json()
    del service.users.roles[USER, "project-1"]
    await service.publish_user_changed()
    second = (await service.refresh(first["refresh_token"], "app")).json()

    assert claims_in(first["access_token"])[ROLES] == ADMIN
    assert ROLES not in claims_in(second["access_token"])


async def test_unavailable_roles_are_503_and_keep_the_token(service: TokenService, bus: MemoryBus) -> None:
    """The refresh token is not consumed (P2)."""
    service.register("app", access_token_type=JWT, grant_types=("authorization_code", "refresh_token"))
    code = service.issue_code("app", scope=("openid", "offline_access", ROLES))
    first = (await service.redeem(code, "app")).json()
    bus.silent.add(GET_ROLES.subject)
    await service.publish_user_changed()
    silent = await service.refresh(first["refresh_token"], "app")
    bus.silent.clear()

    assert silent.status_code == 503
    assert (await service.refresh(first["refresh_token"], "app")).status_code == 200
