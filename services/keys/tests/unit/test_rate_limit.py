"""The limit at the key set."""

from __future__ import annotations

import pytest
from portico_keys.rate_limit import MAX_ADDRESSES, RateLimit
from portico_oauth.errors import Kind, Refusal
from portico_testing.clock import FrozenClock

MINUTE = 1_790_000_040.0


@pytest.fixture
def limit_clock() -> FrozenClock:
    """Ten seconds into a minute."""
    return FrozenClock(MINUTE + 10)


def test_the_request_after_the_last_allowed_one_is_refused(limit_clock: FrozenClock) -> None:
    """Exactly the configured number of requests a minute is answered; the refusal says when the next one is."""
    limit = RateLimit(limit_clock, 3)
    for _ in range(3):
        limit.count("192.0.2.1")

    with pytest.raises(Refusal) as refused:
        limit.count("192.0.2.1")
    assert Kind.SLOW_DOWN is refused.value.kind
    assert refused.value.retry_after == 50


def test_addresses_are_counted_apart(limit_clock: FrozenClock) -> None:
    """One caller that hammers costs no other caller an answer."""
    limit = RateLimit(limit_clock, 1)
    limit.count("192.0.2.1")

    limit.count("192.0.2.2")


def test_the_next_minute_starts_afresh(limit_clock: FrozenClock) -> None:
    """A caller that waited as told is answered."""
    limit = RateLimit(limit_clock, 1)
    limit.count("192.0.2.1")
    limit_clock.tick(50)

    limit.count("192.0.2.1")


def test_the_counters_are_bounded(limit_clock: FrozenClock) -> None:
    """However many addresses come, memory is bounded and the ones too many share one limit (FD-27)."""
    limit = RateLimit(limit_clock, 1)
    for number in range(MAX_ADDRESSES):
        limit.count(f"address-{number}")
    limit.count("one too many")

    with pytest.raises(Refusal):
        limit.count("another too many")
    assert len(limit._counts) <= MAX_ADDRESSES + 1
