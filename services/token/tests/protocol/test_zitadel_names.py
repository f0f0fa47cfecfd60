"""Scopes and claims by ZITADEL's names (decision 0105)."""

from __future__ import annotations

from typing import Any

import jwt
import pytest
from portico_contracts.users import AccessTokenType, UserClaims
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.memory_grants import MemoryGrants
from portico_fakes.token_service import USER, token_service_in_memory
from portico_oauth.jose import SigningKey

AUD = "openid urn:zitadel:iam:org:project:id:zitadel:aud"
ADMIN = {"admin": {"org-1": "example.test"}}
NAMES = {
    "urn:portico:project:roles": ADMIN,
    "urn:portico:project:project-1:roles": ADMIN,
    "urn:portico:user:metadata": {"team": "YQ"},
    "urn:zitadel:iam:org:project:roles": ADMIN,
    "urn:zitadel:iam:org:project:project-1:roles": ADMIN,
    "urn:zitadel:iam:user:metadata": {"team": "YQ"},
}


def reserved(claims: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in claims.items() if name.startswith("urn:")}


@pytest.mark.parametrize("names", [True, False])
async def test_scope_of_the_sdks_has_an_effect_only_with_the_setting(
    clock: FrozenClock, bus: MemoryBus, grants: MemoryGrants, signing_keys: tuple[SigningKey, ...], names: bool
) -> None:
    async with token_service_in_memory(clock, bus, grants, signing_keys, zitadel_names=names).running() as service:
        service.register_service_user("robot")
        answer = (await service.client_credentials("robot", scope=AUD)).json()

    if names:
        assert answer["scope"] == "openid urn:portico:project:id:portico:aud"
    else:
        assert answer["error"] == "invalid_scope"


async def test_claims_have_both_names_everywhere(
    clock: FrozenClock, bus: MemoryBus, grants: MemoryGrants, signing_keys: tuple[SigningKey, ...]
) -> None:
    async with token_service_in_memory(clock, bus, grants, signing_keys, zitadel_names=True).running() as service:
        service.register(
            "app",
            access_token_type=AccessTokenType.JWT,
            access_token_roles=True,
            id_token_roles=True,
            userinfo_roles=True,
            id_token_userinfo_assertion=True,
        )
        known = service.users.people[USER]
        service.users.people[USER] = UserClaims(user=known.user, metadata={"team": "YQ"})
        service.users.roles[USER, "project-1"] = ADMIN
        scope = ("openid", "urn:portico:user:metadata")
        tokens = (await service.redeem(service.issue_code("app", scope=scope), "app")).json()
        read = [(await service.userinfo(tokens["access_token"])).json()]
        read.append((await service.introspect(tokens["access_token"], "app")).json())
    for name in ("access_token", "id_token"):
        read.append(jwt.decode(tokens[name], options={"verify_signature": False}))

    shared = {name: value for name, value in NAMES.items() if "project-1" not in name}
    assert [{name: reserved(claims)[name] for name in shared} for claims in read] == [shared] * 4
    assert [reserved(claims) for claims in (read[0], *read[2:])] == [NAMES] * 3
