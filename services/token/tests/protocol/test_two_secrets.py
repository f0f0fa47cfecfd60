"""A replaced client secret stays valid for a while."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from portico_contracts.diagnostics import RECORD_TRACES
from portico_contracts.users import SECRET_USED, AuthMethod, secret_name
from portico_fakes.clock import FrozenClock
from portico_fakes.token_service import SECRET, TokenService
from portico_oauth.opaque import fingerprint

FORMER = "the secret before"
KEPT = 20
SCOPE = {"grant_type": "client_credentials", "scope": "openid"}


async def _status(service: TokenService, secret: str, method: AuthMethod) -> int:
    form = {"grant_type": "refresh_token", "refresh_token": "r", "client_id": "app", "client_secret": secret}
    if method is AuthMethod.CLIENT_SECRET_POST:
        return (await service.token(form)).status_code
    return (
        await service.token({"grant_type": "refresh_token", "refresh_token": "r"}, basic=("app", secret))
    ).status_code


def _register(service: TokenService, method: AuthMethod, **fields: object) -> None:
    may = ("authorization_code", "refresh_token")
    service.register("app", method, grant_types=may, **fields)


@pytest.mark.parametrize("method", [AuthMethod.CLIENT_SECRET_BASIC, AuthMethod.CLIENT_SECRET_POST])
async def test_both_secrets_are_valid_until_the_former_expires(
    token_service: TokenService, clock: FrozenClock, method: AuthMethod
) -> None:
    """The expiry is exact to the second, by the clock of token."""
    until = token_service.clock.now() + KEPT
    _register(token_service, method, previous_secret_hash=fingerprint(FORMER), previous_secret_until=until)

    assert await _status(token_service, "neither", method) == 401
    assert await _status(token_service, SECRET, method) == 400
    assert await _status(token_service, FORMER, method) == 400
    clock.tick(KEPT - 1)
    assert await _status(token_service, FORMER, method) == 400
    clock.tick(1)
    assert await _status(token_service, FORMER, method) == 401
    assert await _status(token_service, SECRET, method) == 400


async def test_former_secret_without_expiry_is_invalid(token_service: TokenService) -> None:
    """An older release of users sends no expiry."""
    _register(token_service, AuthMethod.CLIENT_SECRET_BASIC, previous_secret_hash=fingerprint(FORMER))

    assert await _status(token_service, FORMER, AuthMethod.CLIENT_SECRET_BASIC) == 401


async def test_expiry_without_a_former_secret_accepts_nothing(token_service: TokenService) -> None:
    until = token_service.clock.now() + KEPT
    _register(token_service, AuthMethod.CLIENT_SECRET_BASIC, secret_hash="", previous_secret_until=until)

    assert await _status(token_service, "-" * 43, AuthMethod.CLIENT_SECRET_BASIC) == 401
    assert await _status(token_service, SECRET, AuthMethod.CLIENT_SECRET_BASIC) == 401


async def test_service_users_have_a_former_secret_too(token_service: TokenService, clock: FrozenClock) -> None:
    until = token_service.clock.now() + KEPT
    kept = {"previous_secret_hash": fingerprint(FORMER), "previous_secret_until": until}
    token_service.register_service_user("robot", **kept)

    during = await token_service.token(SCOPE, basic=("robot", FORMER))
    newest = await token_service.token(SCOPE, basic=("robot", SECRET))
    clock.tick(KEPT)
    over = await token_service.token(SCOPE, basic=("robot", FORMER))

    assert (during.status_code, newest.status_code, over.status_code) == (200, 200, 401)


@pytest.mark.parametrize("method", [AuthMethod.CLIENT_SECRET_BASIC, AuthMethod.CLIENT_SECRET_POST])
async def test_secret_expires(token_service: TokenService, clock: FrozenClock, method: AuthMethod) -> None:
    """The end is exact to the second; the diagnostics name it."""
    _register(token_service, method, secret_until=token_service.clock.now() + KEPT)

    clock.tick(KEPT - 1)
    assert await _status(token_service, SECRET, method) == 400
    clock.tick(1)
    assert await _status(token_service, SECRET, method) == 401
    for _ in range(50):
        await asyncio.sleep(0)
    bus: Any = token_service.bus
    [*_, last] = [body for subject, body in bus.reported if subject == RECORD_TRACES.subject]
    assert last.traces[-1].checks[-1].hint == "secret_expired"


async def test_use_of_a_secret_is_reported_once_an_hour(token_service: TokenService, clock: FrozenClock) -> None:
    """Each secret by itself; a wrong one never."""
    basic, until = AuthMethod.CLIENT_SECRET_BASIC, token_service.clock.now() + 7 * 86_400
    _register(token_service, basic, previous_secret_hash=fingerprint(FORMER), previous_secret_until=until)

    bus: Any = token_service.bus

    def reported() -> list[str]:
        return [body.name for subject, body in bus.reported if subject == SECRET_USED.subject]

    names = [secret_name(fingerprint(one)) for one in (SECRET, FORMER)]
    for secret in (SECRET, SECRET, FORMER, "neither"):
        await _status(token_service, secret, basic)
    assert reported() == names
    clock.tick(3599)
    await _status(token_service, SECRET, basic)
    assert reported() == names
    clock.tick(1)
    await _status(token_service, SECRET, basic)
    assert reported() == [*names, names[0]]
