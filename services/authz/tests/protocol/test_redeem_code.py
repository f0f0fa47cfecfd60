from __future__ import annotations

import pytest
from portico_contracts.authz import REDEEM_CODE, CodeRedeemed, RedeemCode
from portico_fakes.authz_service import CALLBACK, AuthzService
from portico_fakes.clock import FrozenClock
from portico_fakes.memory_bus import MemoryBus
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.pkce import challenge_of

VERIFIER = "v" * 43


@pytest.fixture
async def code(clock: FrozenClock, bus: MemoryBus) -> str:
    landing = await AuthzService(clock, bus).browser().sign_in()
    return landing.query["code"]


@pytest.fixture
async def bound_code(clock: FrozenClock, bus: MemoryBus) -> str:
    browser = AuthzService(clock, bus).browser()
    landing = await browser.sign_in(code_challenge=challenge_of(VERIFIER), code_challenge_method="S256")
    return landing.query["code"]


async def redeem(bus: MemoryBus, code: str, **fields: str) -> CodeRedeemed:
    return await bus.call(
        REDEEM_CODE, RedeemCode(**{"code": code, "client_id": "web", "redirect_uri": CALLBACK, **fields})
    )


async def refused(bus: MemoryBus, code: str, **fields: str) -> tuple[Kind, str]:
    with pytest.raises(ServiceError) as caught:
        await redeem(bus, code, **fields)
    return caught.value.kind, caught.value.id


async def test_code_is_redeemed_once(bus: MemoryBus, code: str, clock: FrozenClock) -> None:
    """A repeated code, after 1 s and after 30 s, returns only the grant to revoke (TK-03)."""
    first = await redeem(bus, code)
    assert first.grant is not None
    for seconds in (1, 29, 500):
        clock.tick(seconds)
        again = await redeem(bus, code)

        assert again.grant is None
        assert again.spent_grant_id == first.grant.grant_id


async def test_code_expires_after_sixty_seconds(bus: MemoryBus, code: str, clock: FrozenClock) -> None:
    """A code has expired after 60 s (TK-03)."""
    clock.tick(60)

    assert await refused(bus, code) == (Kind.INVALID_GRANT, "AUTHZ-040")


async def test_code_is_valid_until_the_last_second(bus: MemoryBus, code: str, clock: FrozenClock) -> None:
    """A code is valid after 59 s (TK-03)."""
    clock.tick(59)

    assert (await redeem(bus, code)).grant is not None


WRONG = [
    {"client_id": "other"},
    {"client_id": ""},
    {"redirect_uri": ""},
    {"redirect_uri": f"{CALLBACK}/"},
    {"redirect_uri": f"{CALLBACK}?keep=1"},
]


@pytest.mark.parametrize("wrong", WRONG)
async def test_wrong_client_or_redirect_uri_does_not_use_a_code_up(
    bus: MemoryBus, code: str, wrong: dict[str, str]
) -> None:
    """The wrong request is refused, and the right client still gets its grant (TK-05, TK-08)."""
    assert await refused(bus, code, **wrong) == (Kind.INVALID_GRANT, "AUTHZ-040")
    assert (await redeem(bus, code)).grant is not None


@pytest.mark.parametrize("wrong", WRONG)
async def test_redeemed_code_names_its_grant_to_its_client_only(
    bus: MemoryBus, code: str, wrong: dict[str, str]
) -> None:
    """An attacker cannot revoke another client's grant with a redeemed code (TK-05)."""
    await redeem(bus, code)

    assert await refused(bus, code, **wrong) == (Kind.INVALID_GRANT, "AUTHZ-040")


async def test_challenge_needs_its_verifier(bus: MemoryBus, bound_code: str) -> None:
    """A missing verifier is invalid_request, a wrong one is invalid_grant, and neither uses the code up (TK-06)."""
    assert await refused(bus, bound_code) == (Kind.INVALID_REQUEST, "AUTHZ-041")
    for verifier in ("w" * 43, "v" * 42, "v" * 129, "v" * 42 + "+", "wrong", "\u00fc" * 43):
        assert await refused(bus, bound_code, code_verifier=verifier) == (Kind.INVALID_GRANT, "AUTHZ-043")

    assert (await redeem(bus, bound_code, code_verifier=VERIFIER)).grant is not None


async def test_reuse_counts_only_with_the_right_verifier(bus: MemoryBus, bound_code: str) -> None:
    await redeem(bus, bound_code, code_verifier=VERIFIER)

    assert await refused(bus, bound_code, code_verifier="w" * 43) == (Kind.INVALID_GRANT, "AUTHZ-043")
    assert (await redeem(bus, bound_code, code_verifier=VERIFIER)).spent_grant_id


async def test_verifier_without_challenge_is_refused(bus: MemoryBus, code: str) -> None:
    """A verifier without a challenge would be a PKCE downgrade (TK-06, RFC 9700 §4.8)."""
    assert await refused(bus, code, code_verifier=VERIFIER) == (Kind.INVALID_REQUEST, "AUTHZ-042")
    assert (await redeem(bus, code)).grant is not None


@pytest.mark.parametrize("made_up", ["", "x", "00" + "A" * 43, "zz" + "A" * 43, "\u00fc", "{00}" * 20, "a" * 10_000])
async def test_malformed_code_is_refused(bus: MemoryBus, code: str, made_up: str) -> None:
    assert await refused(bus, made_up) == (Kind.INVALID_GRANT, "AUTHZ-040")
