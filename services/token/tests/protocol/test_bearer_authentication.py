"""Authentication by access token for Portico's own APIs (IR-01, IR-06, MG-06)."""

from __future__ import annotations

import pytest
from portico_contracts.events import APP_CHANGED, Changed
from portico_contracts.token import AUTHENTICATE_BEARER, REVOKE_USER, AuthenticateBearer, Bearer, RevokeUser
from portico_contracts.users import AccessTokenType
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_fakes.token_service import USER, TokenService
from portico_oauth.grant_types import AUTHORIZATION_CODE, REFRESH_TOKEN
from portico_oauth.scopes import OWN_PROJECT

SCOPE = "openid urn:portico:project:id:portico:aud"
ROBOT = "robot"
KINDS = pytest.mark.parametrize("kind", list(AccessTokenType))


async def _service_user_token(service: TokenService, kind: AccessTokenType, scope: str = SCOPE) -> str:
    service.register_service_user(ROBOT, access_token_type=kind)
    answer = await service.client_credentials(ROBOT, scope=scope)
    token: str = answer.json()["access_token"]
    return token


async def _bearer(bus: MemoryBus, token: str) -> Bearer | None:
    return (await bus.call(AUTHENTICATE_BEARER, AuthenticateBearer(token=token, audience=OWN_PROJECT))).bearer


@KINDS
async def test_service_user_with_the_audience_is_authenticated(
    token_service: TokenService, bus: MemoryBus, kind: AccessTokenType
) -> None:
    """The reserved scope adds the service's own project to the audience of both kinds of token."""
    bearer = await _bearer(bus, await _service_user_token(token_service, kind))

    assert bearer is not None
    assert (bearer.user_id, bearer.client_id) == (ROBOT, ROBOT)
    assert SCOPE.split()[1] in bearer.scope


@KINDS
async def test_end_user_with_the_audience_is_authenticated(
    token_service: TokenService, bus: MemoryBus, kind: AccessTokenType
) -> None:
    """The application needs access to the management API."""
    token_service.register("app", access_token_type=kind, management_access=True)
    answer = await token_service.redeem(token_service.issue_code("app", scope=tuple(SCOPE.split())), "app")
    bearer = await _bearer(bus, answer.json()["access_token"])

    assert bearer is not None
    assert (bearer.user_id, bearer.client_id, bearer.session_id) == (USER, "app", "session-1")
    assert await _bearer(bus, answer.json()["id_token"]) is None


@pytest.mark.parametrize("is_proven", [True, False])
async def test_proof_of_auth_time_is_returned(token_service: TokenService, bus: MemoryBus, *, is_proven: bool) -> None:
    """An API that requires a recent sign-in needs this, also after a refresh."""
    token_service.register("app", management_access=True, grant_types=(AUTHORIZATION_CODE, REFRESH_TOKEN))
    scope = (*SCOPE.split(), "offline_access")
    code = token_service.issue_code("app", scope=scope, auth_time_proven=is_proven)
    first = (await token_service.redeem(code, "app")).json()
    second = (await token_service.refresh(first["refresh_token"], "app")).json()
    bearers = [await _bearer(bus, one["access_token"]) for one in (first, second)]

    assert [one.auth_time_proven for one in bearers if one] == [is_proven, is_proven]


async def test_beginning_of_the_session_is_returned(token_service: TokenService, bus: MemoryBus) -> None:
    """Recovery of an account removes what was added since then (decision 0116), also by a refreshed token."""
    token_service.register("app", management_access=True, grant_types=(AUTHORIZATION_CODE, REFRESH_TOKEN))
    scope = (*SCOPE.split(), "offline_access")
    code = token_service.issue_code("app", scope=scope, session_began=1_000)
    first = (await token_service.redeem(code, "app")).json()
    second = (await token_service.refresh(first["refresh_token"], "app")).json()
    bearers = [await _bearer(bus, one["access_token"]) for one in (first, second)]

    assert [one.session_began for one in bearers if one] == [1_000, 1_000]


@KINDS
async def test_application_without_access_gets_no_api_audience(
    token_service: TokenService, bus: MemoryBus, kind: AccessTokenType
) -> None:
    """The scope is dropped like an unknown one, and the response lists the granted scope (decision 0085)."""
    token_service.register("app", access_token_type=kind)
    answer = (await token_service.redeem(token_service.issue_code("app", scope=tuple(SCOPE.split())), "app")).json()

    assert answer["scope"] == "openid"
    assert await _bearer(bus, answer["access_token"]) is None


@KINDS
async def test_revoked_access_ends_existing_tokens(
    token_service: TokenService, bus: MemoryBus, kind: AccessTokenType
) -> None:
    """Neither an existing token nor one of its refresh token is valid for the management API afterwards
    (decision 0085).
    """
    grants = ("authorization_code", "refresh_token")
    token_service.register("app", access_token_type=kind, management_access=True, grant_types=grants)
    scope = (*SCOPE.split(), "offline_access")
    tokens = (await token_service.redeem(token_service.issue_code("app", scope=scope), "app")).json()
    before = await _bearer(bus, tokens["access_token"])
    token_service.register("app", access_token_type=kind, grant_types=grants)
    changed = Changed(event_id="e1", aggregate_id="app", org_id="org-1", sequence=2, at=0.0, actor="a")
    await bus.publish(APP_CHANGED, changed, event_id="e1")
    refreshed = (await token_service.refresh(tokens["refresh_token"], "app")).json()

    assert before is not None
    assert refreshed["scope"] == "openid offline_access"
    assert [await _bearer(bus, one["access_token"]) for one in (tokens, refreshed)] == [None, None]


@KINDS
async def test_token_for_another_audience_authenticates_no_user(
    token_service: TokenService, bus: MemoryBus, kind: AccessTokenType
) -> None:
    """A token without the audience, unknown, malformed, expired or revoked gets the same response."""
    other = await _service_user_token(token_service, kind, scope="openid")
    revoked = await _service_user_token(token_service, kind)
    await bus.call(REVOKE_USER, RevokeUser(user_id=ROBOT))

    for token in (other, revoked, "unknown", "a.b.c", "", "é"):
        assert await _bearer(bus, token) is None


@KINDS
async def test_expired_token_authenticates_no_user(
    token_service: TokenService, bus: MemoryBus, clock: FrozenClock, kind: AccessTokenType
) -> None:
    token = await _service_user_token(token_service, kind)
    clock.tick(3_600)
    await token_service.receive_keys()

    assert await _bearer(bus, token) is None
