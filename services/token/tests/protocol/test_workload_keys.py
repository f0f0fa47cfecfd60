"""Keys of the issuers of trusted workloads: rotated, withdrawn, and while users or the issuer is down (decision 0152)."""

from __future__ import annotations

import asyncio

import pytest
from portico_contracts.users import IssuerKeys
from portico_fakes.assertions import registered, sign
from portico_fakes.clock import FrozenClock
from portico_fakes.token_service import TokenService
from portico_fakes.workload_tokens import (
    CI,
    DOWN,
    KEY,
    OTHER,
    ci_token,
    claims,
    credentials,
    pod_token,
    with_workloads,
)


@pytest.fixture
def service(token_service: TokenService) -> TokenService:
    token_service.register_service_user("plain")
    return with_workloads(token_service)


async def test_a_rotated_key_is_fetched_at_its_first_token(service: TokenService) -> None:
    """The issuer signs with a new key: no request fails, and known keys are not requested again."""
    for _ in range(3):
        assert (await credentials(service, ci_token(service))).status_code == 200
    service.users.issuer_keys[CI] = IssuerKeys(keys=(registered(OTHER), registered(KEY)))
    for _ in range(3):
        assert (await credentials(service, ci_token(service, KEY))).status_code == 200

    assert [(ask.client_id, ask.issuer, ask.kid) for ask in service.users.keys_asked] == [
        ("robot", CI, "k2"),
        ("robot", CI, "k1"),
    ]


async def test_a_withdrawn_key_ends(service: TokenService, clock: FrozenClock) -> None:
    """Keys are requested again after five minutes, and those that the issuer took back verify no more."""
    token = ci_token(service)
    assert (await credentials(service, token)).status_code == 200
    service.users.issuer_keys[CI] = IssuerKeys(keys=(registered(KEY),))
    clock.tick(301)

    assert (await credentials(service, token)).status_code == 401


async def test_made_up_kids_are_bounded(service: TokenService) -> None:
    """A flood of unsigned tokens requests the keys of an issuer twelve times a minute, not more."""
    for number in range(30):
        forged = sign(KEY, claims(service, iss=CI), kid=f"made-up-{number}")
        assert (await credentials(service, forged)).status_code == 401

    assert len(service.users.keys_asked) == 12


async def test_keys_of_an_untrusted_issuer_are_never_requested(service: TokenService) -> None:
    """Neither are the keys of one whose keys were pasted."""
    await credentials(service, ci_token(service, iss="https://evil.example.test"))
    await credentials(service, ci_token(service), "plain")
    await credentials(service, pod_token(service, OTHER))

    assert service.users.keys_asked == []


async def test_known_keys_serve_while_users_is_not_reached(service: TokenService, clock: FrozenClock) -> None:
    """For a day; without known keys, the request gets the error of an unavailable service."""
    assert (await credentials(service, ci_token(service))).status_code == 200
    service.users.issuer_keys[CI] = DOWN
    clock.tick(3_000)
    served = await credentials(service, ci_token(service))
    clock.tick(86_400)
    refused = await credentials(service, ci_token(service))

    assert (served.status_code, refused.status_code) == (200, 503)


async def test_known_keys_serve_while_the_issuer_is_not_reached(service: TokenService, clock: FrozenClock) -> None:
    """For a day after they were read."""
    assert (await credentials(service, ci_token(service))).status_code == 200
    service.users.issuer_keys[CI] = IssuerKeys(is_reached=False)
    clock.tick(3_000)
    served = await credentials(service, ci_token(service))
    clock.tick(86_400)

    assert (served.status_code, (await credentials(service, ci_token(service))).status_code) == (200, 401)


async def test_waiting_requests_share_a_failure(service: TokenService) -> None:
    """While users does not respond, 20 requests wait for one question, not for twenty in turn."""
    service.users.issuer_keys[CI] = DOWN

    answers = await asyncio.gather(*(credentials(service, ci_token(service)) for _ in range(20)))

    assert {one.status_code for one in answers} == {503}
    assert len(service.users.keys_asked) == 1
