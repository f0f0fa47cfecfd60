"""Repeated client assertions without `jti` (decision 0027)."""

from __future__ import annotations

from typing import Any

import httpx
import msgspec
import pytest
from portico_contracts import http
from portico_contracts.users import AuthMethod
from portico_fakes.assertions import ASSERTION_TYPE, claims_of, registered, sign
from portico_fakes.clock import FrozenClock
from portico_fakes.token_service import CALLBACK, ISSUER, TokenService
from portico_oauth.jose import SigningKey

KEY = SigningKey.generate("k1", "EdDSA")
"""Its signatures are deterministic: the same claims are the same bytes."""

PATHS = ("/oauth/v2/token", "/oauth/v2/introspect", "/oauth/v2/revoke")


@pytest.fixture
def service(token_service: TokenService) -> TokenService:
    """With the client ``signer`` and the service user ``robot``, which sign with the same key."""
    token_service.register("signer", AuthMethod.PRIVATE_KEY_JWT, keys=(registered(KEY),))
    token_service.register_service_user("robot", keys=(registered(KEY),))
    return token_service


def signed(clock: FrozenClock, subject: str = "signer", **changes: Any) -> str:
    """Returns an assertion issued now, without `jti` unless the changes have one."""
    return sign(KEY, claims_of(subject, ISSUER, clock.now(), **{"jti": ..., **changes}))


async def present(service: TokenService, path: str, assertion: str) -> httpx.Response:
    """Sends a request to one of the three endpoints, valid except for the assertion."""
    form = {"client_assertion_type": ASSERTION_TYPE, "client_assertion": assertion}
    if path == http.TOKEN:
        code = service.issue_code("signer")
        return await service.token({"grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK, **form})
    return await service.http.post(path, data={"token": "x", **form})


@pytest.mark.parametrize("path", PATHS)
async def test_assertion_without_jti_may_repeat_for_five_seconds(
    service: TokenService, clock: FrozenClock, path: str
) -> None:
    """A library that writes whole seconds and no jti may send the same assertion several times, and a later
    replay is refused (JW-10).
    """
    assertion = signed(clock)
    statuses = []
    for seconds in (0, 0, 0.9, 4.1, 0.1, 30):  # at 0, 0, 0.9, 5.0, 5.1 and 35.1 seconds
        clock.tick(seconds)
        statuses.append((await present(service, path, assertion)).status_code)

    assert statuses == [200, 200, 200, 200, 401, 401]


async def test_late_first_use_leaves_no_time_for_repeats(service: TokenService, clock: FrozenClock) -> None:
    """The time counts from the issue, so an old assertion works once (JW-10)."""
    assertion = signed(clock)
    clock.tick(6)

    assert (await present(service, http.INTROSPECT, assertion)).status_code == 200
    assert (await present(service, http.INTROSPECT, assertion)).status_code == 401


async def test_issue_in_the_future_gives_no_more_time(service: TokenService, clock: FrozenClock) -> None:
    """If the client's clock is ahead, the time counts from the first use (JW-10)."""
    assertion = signed(clock, iat=int(clock.now()) + 9)
    statuses = []
    for seconds in (0, 5, 1):
        clock.tick(seconds)
        statuses.append((await present(service, http.INTROSPECT, assertion)).status_code)

    assert statuses == [200, 200, 401]


@pytest.mark.parametrize("path", PATHS)
async def test_assertion_with_jti_works_once(service: TokenService, clock: FrozenClock, path: str) -> None:
    """An assertion with a jti is accepted only once (JW-10)."""
    assertion = signed(clock, jti="one")

    assert (await present(service, path, assertion)).status_code == 200
    assert (await present(service, path, assertion)).status_code == 401


@pytest.mark.parametrize("changes", [{}, {"jti": "one"}])
async def test_jwt_profile_grant_accepts_an_assertion_once(
    service: TokenService, clock: FrozenClock, changes: dict[str, str]
) -> None:
    """The assertion is the grant itself, so a repeat would be a second grant (JW-10)."""
    assertion = signed(clock, "robot", **changes)
    answers = [await service.jwt_bearer(assertion) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [200, 400]
    assert answers[1].json()["error"] == "invalid_grant"


@pytest.mark.parametrize("path", PATHS)
async def test_application_may_require_a_jti(service: TokenService, clock: FrozenClock, path: str) -> None:
    """An assertion without jti is refused at its first use, and the holder of the key learns why (JW-10)."""
    client = service.users.clients["signer"]
    service.users.clients["signer"] = msgspec.structs.replace(client, assertion_jti_required=True)

    without = await present(service, path, signed(clock))
    named = await present(service, path, signed(clock, jti="one"))

    assert (without.status_code, without.json()) == (
        401,
        {
            "error": "invalid_client",
            "error_description": "The client assertion has no jti, and this application requires one.",
        },
    )
    assert named.status_code == 200
