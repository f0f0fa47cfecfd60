"""acr and auth_time in access tokens and introspection, for step-up at APIs (RFC 9470 section 6, decision 0148)."""

from __future__ import annotations

from typing import Any

import pytest
from portico_contracts.users import AccessTokenType
from portico_fakes.token_service import TokenService

from .test_roles_list import claims_in, shown

PLACES = ("access_token", "introspection")


def how(claims: dict[str, Any]) -> tuple[Any, Any]:
    return claims.get("acr"), claims.get("auth_time")


@pytest.mark.parametrize("is_on", [False, True])
async def test_application_decides(token_service: TokenService, is_on: bool) -> None:
    """As in the ID token; off by default, and never in userinfo."""
    found = await shown(token_service, access_token_acr=is_on, clock_skew_seconds=2)
    wanted = how(found["id_token"]) if is_on else (None, None)

    assert all(how(found["id_token"]))
    assert [how(found[place]) for place in PLACES] == [wanted, wanted]
    assert how(found["userinfo"]) == (None, None)


async def test_unproven_age_is_not_stated(token_service: TokenService) -> None:
    """Where a provider did not state when the user authenticated, no API takes the sign-in for a new one."""
    token_service.register("app", access_token_type=AccessTokenType.JWT, access_token_acr=True)
    code = token_service.issue_code("app", scope=("openid",), auth_time_proven=False)
    tokens = (await token_service.redeem(code, "app")).json()
    shown_there = (await token_service.introspect(tokens["access_token"], "app")).json()

    assert [
        ("auth_time" in claims, "acr" in claims) for claims in (claims_in(tokens["access_token"]), shown_there)
    ] == [(False, True)] * 2
