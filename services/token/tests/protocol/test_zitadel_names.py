"""Scopes and claims by ZITADEL's names (decision 0105)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final

import httpx
import jwt
import pytest
from portico_contracts.users import AccessTokenType, UserClaims
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.token_service import SECRET, USER, TokenService, token_service_in_memory
from portico_oauth.grant_types import TOKEN_EXCHANGE
from portico_oauth.jose import SigningKey

AUD: Final = "openid urn:zitadel:iam:org:project:id:zitadel:aud"
ADMIN: Final = {"admin": {"org-1": "example.test"}}
OURS: Final = {
    "urn:portico:project:roles": ADMIN,
    "urn:portico:project:project-1:roles": ADMIN,
    "urn:portico:user:metadata": {"team": "YQ"},
}
THEIRS: Final = {
    "urn:zitadel:iam:org:project:roles": ADMIN,
    "urn:zitadel:iam:org:project:project-1:roles": ADMIN,
    "urn:zitadel:iam:user:metadata": {"team": "YQ"},
}
OUR_SCOPE: Final = ("openid", "offline_access", "urn:portico:project:roles", "urn:portico:user:metadata")
THEIR_SCOPE: Final = ("openid", "offline_access", "urn:zitadel:iam:org:project:roles", "urn:zitadel:iam:user:metadata")
ACCESS_TOKEN: Final = "urn:ietf:params:oauth:token-type:access_token"


@pytest.fixture
async def service(
    clock: FrozenClock, bus: MemoryBus, grants: MemoryGrants, signing_keys: tuple[SigningKey, ...]
) -> AsyncIterator[TokenService]:
    async with token_service_in_memory(clock, bus, grants, signing_keys, zitadel_names=True).running() as service:
        service.register(
            "app",
            access_token_type=AccessTokenType.JWT,
            id_token_userinfo_assertion=True,
            grant_types=("authorization_code", "refresh_token", TOKEN_EXCHANGE),
        )
        known = service.users.people[USER]
        service.users.people[USER] = UserClaims(user=known.user, metadata={"team": "YQ"})
        service.users.roles[USER, "project-1"] = ADMIN
        yield service


async def signed_in(service: TokenService, scope: tuple[str, ...]) -> dict[str, Any]:
    tokens: dict[str, Any] = (await service.redeem(service.issue_code("app", scope=scope), "app")).json()
    return tokens


async def exchange(service: TokenService, tokens: dict[str, Any], scope: str) -> httpx.Response:
    form = {
        "subject_token": tokens["access_token"],
        "subject_token_type": ACCESS_TOKEN,
        "audience": "app",
        "scope": scope,
    }
    return await service.token({"grant_type": TOKEN_EXCHANGE, **form}, basic=("app", SECRET))


async def read(service: TokenService, tokens: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Returns the reserved claims of each of the four outputs."""
    token = tokens["access_token"]
    found = {
        "userinfo": (await service.userinfo(token)).json(),
        "introspection": (await service.introspect(token, "app")).json(),
        "access token": jwt.decode(token, options={"verify_signature": False}),
    }
    if "id_token" in tokens:
        found["id token"] = jwt.decode(tokens["id_token"], options={"verify_signature": False})
    return {place: _reserved(claims) for place, claims in found.items()}


def _reserved(claims: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in claims.items() if name.startswith("urn:")}


@pytest.mark.parametrize("names", [True, False])
@pytest.mark.parametrize("scope", [AUD, "openid urn:zitadel:iam:user:metadata", "openid urn:zitadel:iam:org:id:org-1"])
async def test_scope_of_the_sdks_has_an_effect_only_with_the_setting(
    clock: FrozenClock, bus: MemoryBus, grants: MemoryGrants, signing_keys: tuple[SigningKey, ...], names: bool, scope: str
) -> None:  # fmt: skip
    async with token_service_in_memory(clock, bus, grants, signing_keys, zitadel_names=names).running() as service:
        service.register_service_user("robot")
        answer = (await service.client_credentials("robot", scope=scope)).json()

    if names:
        assert answer["scope"] == scope.replace("zitadel:iam:org:project:id:zitadel", "portico:project:id:portico")
    else:
        assert answer["error"] == "invalid_scope"


@pytest.mark.parametrize(
    ("scope", "expected"),
    [(OUR_SCOPE, OURS), (THEIR_SCOPE, THEIRS), ((*OUR_SCOPE, *THEIR_SCOPE[2:]), OURS | THEIRS)],
    ids=["Portico's", "ZITADEL's", "both"],
)
async def test_claims_have_the_names_that_were_requested(
    service: TokenService, scope: tuple[str, ...], expected: dict[str, Any]
) -> None:
    """In access tokens, id_tokens, introspection and userinfo, and again after a refresh."""
    tokens = await signed_in(service, scope)
    refreshed = (await service.refresh(tokens["refresh_token"], "app")).json()

    assert await read(service, tokens) == dict.fromkeys(
        ("userinfo", "introspection", "access token", "id token"), expected
    )
    assert await read(service, refreshed) == await read(service, tokens)
    assert tokens["scope"] == refreshed["scope"] == " ".join(scope)


async def test_claims_of_settings_have_both_names(service: TokenService) -> None:
    """The settings of an application name no claim, so programs with either SDK find it."""
    service.register("app", access_token_type=AccessTokenType.JWT, access_token_roles=True, id_token_roles=True, userinfo_roles=True)  # fmt: skip
    found = await read(service, await signed_in(service, ("openid",)))
    roles = {name: value for name, value in (OURS | THEIRS).items() if name.endswith("roles")}

    assert found == dict.fromkeys(found, roles)


@pytest.mark.parametrize(("granted", "requested", "expected"), [(THEIR_SCOPE, OUR_SCOPE, OURS), (OUR_SCOPE, THEIR_SCOPE, THEIRS)])  # fmt: skip
async def test_part_of_the_scope_is_requested_under_either_name(
    service: TokenService, granted: tuple[str, ...], requested: tuple[str, ...], expected: dict[str, Any]
) -> None:
    """A refresh and an exchange may name what was granted otherwise; the new token has the names of its request."""
    tokens = await signed_in(service, granted)
    part = " ".join(word for word in requested if word != "offline_access")
    exchanged = (await exchange(service, tokens, part)).json()
    refreshed = (await service.refresh(tokens["refresh_token"], "app", scope=part)).json()

    for answer in (exchanged, refreshed):
        assert answer["scope"] == part
        assert (await read(service, answer))["access token"] == expected


@pytest.mark.parametrize("word", ["urn:zitadel:iam:user:metadata", "urn:zitadel:iam:org:projects:roles"])
async def test_other_name_gives_nothing_that_was_not_granted(service: TokenService, word: str) -> None:
    tokens = await signed_in(service, ("openid", "offline_access"))
    exchanged = await exchange(service, tokens, word)
    refreshed = await service.refresh(tokens["refresh_token"], "app", scope=f"openid {word}")

    assert [one.json()["error"] for one in (exchanged, refreshed)] == ["invalid_scope"] * 2
