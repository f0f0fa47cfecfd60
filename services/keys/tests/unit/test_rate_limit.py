from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from portico_fakes.clock import FrozenClock
from portico_keys.rate_limit import MAX_ADDRESSES, RateLimit
from portico_oauth.errors import Kind, ServiceError

MINUTE = 1_790_000_040.0


@pytest.fixture
def limit_clock() -> FrozenClock:
    return FrozenClock(MINUTE + 10)


def test_request_over_the_limit_is_refused(limit_clock: FrozenClock) -> None:
    """Exactly the configured number of requests a minute passes, and the error has the seconds until the next one."""
    limit = RateLimit(limit_clock, 3)
    for _ in range(3):
        limit.count("192.0.2.1")

    with pytest.raises(ServiceError) as refused:
        limit.count("192.0.2.1")
    assert Kind.TOO_MANY_REQUESTS is refused.value.kind
    assert refused.value.retry_after == 50
    limit_clock.tick(50)
    limit.count("192.0.2.1")


def test_minute_boundary_does_not_double_the_limit(limit_clock: FrozenClock) -> None:
    """A full share just before and just after a minute boundary would be twice the limit."""
    limit = RateLimit(limit_clock, 60)
    limit_clock.tick(49)
    for _ in range(60):
        limit.count("192.0.2.1")
    limit_clock.tick(2)
    for _ in range(2):
        limit.count("192.0.2.1")

    with pytest.raises(ServiceError) as refused:
        limit.count("192.0.2.1")
    assert refused.value.retry_after == 1


@given(st.lists(st.floats(0, 20), min_size=1, max_size=200), st.integers(1, 30))
def test_client_waiting_for_retry_after_is_answered(pauses: list[float], per_minute: int) -> None:
    clock = FrozenClock(MINUTE)
    limit = RateLimit(clock, per_minute)
    for pause in pauses:
        clock.tick(pause)
        if seconds := advertised_seconds(limit):
            clock.tick(seconds)
            limit.count("192.0.2.1")


def advertised_seconds(limit: RateLimit) -> int:
    """Returns 0 if the request was answered."""
    try:
        limit.count("192.0.2.1")
    except ServiceError as error:
        return error.retry_after or -1
    return 0


@given(st.lists(st.floats(0, 3), min_size=1, max_size=400), st.integers(5, 60))
def test_no_interval_exceeds_the_limit(pauses: list[float], per_minute: int) -> None:
    """Any ten seconds contain at most a share and a sixth, also across a minute boundary."""
    clock = FrozenClock(MINUTE)
    limit = RateLimit(clock, per_minute)
    answered: list[float] = []
    for pause in pauses:
        clock.tick(pause)
        if advertised_seconds(limit) == 0:
            answered.append(clock.now())

    assert all(sum(start <= at < start + 10 for at in answered) <= per_minute * 7 / 6 + 1 for start in answered)


def test_steady_caller_at_the_limit_is_always_answered(limit_clock: FrozenClock) -> None:
    limit = RateLimit(limit_clock, 60)
    for _ in range(300):
        limit.count("192.0.2.1")
        limit_clock.tick(1)


def test_addresses_are_counted_separately(limit_clock: FrozenClock) -> None:
    limit = RateLimit(limit_clock, 1)
    limit.count("192.0.2.1")

    limit.count("192.0.2.2")


def test_counts_expire_after_two_quiet_minutes(limit_clock: FrozenClock) -> None:
    limit = RateLimit(limit_clock, 2)
    for pause in (0, 0, 110, 0):
        limit_clock.tick(pause)
        limit.count("192.0.2.1")


def test_number_of_counters_is_bounded(limit_clock: FrozenClock) -> None:
    """Addresses beyond the bound share one limit (FD-27)."""
    limit = RateLimit(limit_clock, 1)
    for number in range(MAX_ADDRESSES):
        limit.count(f"address-{number}")
    limit.count("one too many")

    with pytest.raises(ServiceError):
        limit.count("another too many")
    assert len(limit._counts) <= MAX_ADDRESSES + 1
