"""When a row of failures to publish is reported."""

from __future__ import annotations

from nats.js.errors import APIError
from portico_runtime.publishing import FAILURES, Publishing


class Monotonic:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.seconds = 50.0

    def __call__(self) -> float:
        """The present."""
        return self.seconds


def failing(*moments: float) -> tuple[Publishing, Monotonic]:
    """Attempts that failed at these seconds."""
    clock = Monotonic()
    publishing = Publishing(30.0, clock)
    for moment in moments:
        clock.seconds = moment
        publishing.failed(TimeoutError())
    return publishing, clock


def test_failures_are_reported_after_thirty_seconds() -> None:
    """One failure or many in a short time are no degradation, a row over 30 s is one."""
    assert failing()[0].degradation() == ""
    assert failing(100)[0].degradation() == ""
    assert failing(100, 115, 129.9)[0].degradation() == ""
    assert failing(100, 115, 130)[0].degradation() == "no event could be published for 30 s (TimeoutError)"


def test_a_success_ends_the_row() -> None:
    """What failed before an event was stored no longer counts."""
    publishing, clock = failing(100, 130)
    publishing.reset()
    clock.seconds = 140
    publishing.failed(TimeoutError())

    assert publishing.degradation() == ""


def test_old_failures_prove_nothing() -> None:
    """A service that has not tried to publish for more than a minute knows nothing about the present."""
    publishing, clock = failing(100, 130)
    clock.seconds = 190

    assert publishing.degradation() != ""
    clock.seconds = 190.1
    assert publishing.degradation() == ""


def test_the_servers_own_words_are_the_reason() -> None:
    """The reason that JetStream gave is reported, cut to a line."""
    publishing, clock = failing(100)
    clock.seconds = 131
    publishing.failed(APIError(code=503, err_code=10047, description="insufficient storage " + "x" * 200))

    assert publishing.degradation().startswith("no event could be published for 31 s (insufficient storage xxx")
    assert len(publishing.degradation()) < 180


def test_failures_are_counted() -> None:
    """The metric grows with each event that was not acknowledged."""
    before = FAILURES._value.get()
    failing(1, 2, 3)

    assert FAILURES._value.get() == before + 3
