from __future__ import annotations

from nats.js.errors import APIError
from portico_runtime.bus.publishing import FAILURES, Publishing


class Monotonic:
    def __init__(self) -> None:
        self.seconds = 50.0

    def __call__(self) -> float:
        return self.seconds


def failing(*moments: float) -> tuple[Publishing, Monotonic]:
    clock = Monotonic()
    publishing = Publishing(30.0, clock)
    for moment in moments:
        clock.seconds = moment
        publishing.failed(TimeoutError())
    return publishing, clock


def test_failures_are_reported_after_thirty_seconds() -> None:
    """Failures within a short time are not reported; failures over 30 seconds are."""
    assert failing()[0].degradation() == ""
    assert failing(100)[0].degradation() == ""
    assert failing(100, 115, 129.9)[0].degradation() == ""
    assert failing(100, 115, 130)[0].degradation() == "no event could be published for 30 s (TimeoutError)"


def test_success_ends_the_failures() -> None:
    publishing, clock = failing(100, 130)
    publishing.reset()
    clock.seconds = 140
    publishing.failed(TimeoutError())

    assert publishing.degradation() == ""


def test_old_failures_are_not_reported() -> None:
    """A service that has not published for more than a minute reports nothing."""
    publishing, clock = failing(100, 130)
    clock.seconds = 190

    assert publishing.degradation() != ""
    clock.seconds = 190.1
    assert publishing.degradation() == ""


def test_reason_is_the_servers_error() -> None:
    """The reason that JetStream gave is reported, cut to one line."""
    publishing, clock = failing(100)
    clock.seconds = 131
    publishing.failed(APIError(code=503, err_code=10047, description="insufficient storage " + "x" * 200))

    assert publishing.degradation().startswith("no event could be published for 31 s (insufficient storage xxx")
    assert len(publishing.degradation()) < 180


def test_failures_are_counted() -> None:
    before = FAILURES._value.get()
    failing(1, 2, 3)

    assert FAILURES._value.get() == before + 3
