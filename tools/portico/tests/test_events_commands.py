from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
from click.testing import CliRunner, Result
from portico_cli.cli import main
from portico_contracts.users.republishing import REPUBLISH_EVENTS, EventsRepublished, LogPosition, RepublishEvents
from portico_fakes.fake_service import FakeService
from portico_harness.servers import RunningNats

MORNING = datetime.fromisoformat("2026-11-24T08:00:00Z").timestamp()
LAST = LogPosition(at=MORNING + 60, sequence=3, event_id="the last one")


class FakeUsers(FakeService):
    """users with a batch of 1,000 events and one of 7."""

    def __init__(self, nats: RunningNats) -> None:
        super().__init__(nats, "users", REPUBLISH_EVENTS, RepublishEvents(since=0, until=0))
        self.bus.respond(REPUBLISH_EVENTS, self._answer)

    async def _answer(self, request: Any) -> EventsRepublished:
        self.asked.append(request)
        return EventsRepublished(count=7) if request.after else EventsRepublished(count=1_000, after=LAST)


@pytest.fixture(name="users")
def _users(nats_server: RunningNats) -> Iterator[FakeUsers]:
    played = FakeUsers(nats_server)
    played.start()
    played.asked.clear()
    yield played
    played.stop()


def republish(nats: RunningNats, *arguments: str) -> Result:
    login = {"PORTICO_BUS_URL": nats.url, "PORTICO_BUS_PASSWORD": nats.password("operator")}
    return CliRunner().invoke(main, ("events", "republish", *arguments), env=login)


@pytest.mark.servers
def test_all_batches_are_published(nats_server: RunningNats, users: FakeUsers) -> None:
    """Batches are published in order, and the command prints their number and period."""
    done = republish(nats_server, "--since", "2026-11-24T08:00:00Z", "--until", "2026-11-24T10:00:00+01:00")

    assert (done.exit_code, done.stdout) == (
        0,
        "Published 1007 events from 2026-11-24T08:00:00Z to 2026-11-24T09:00:00Z again.\n",
    )
    assert users.asked == [
        RepublishEvents(since=MORNING, until=MORNING + 3_600),
        RepublishEvents(since=MORNING, until=MORNING + 3_600, after=LAST),
    ]


@pytest.mark.servers
def test_end_defaults_to_now(nats_server: RunningNats, users: FakeUsers) -> None:
    """Without an end the period ends now, and a time may be relative."""
    before = time.time()
    done = republish(nats_server, "--since", "2h")

    assert done.exit_code == 0
    assert before <= users.asked[0].until <= time.time()
    assert before - 7_200 <= users.asked[0].since <= time.time() - 7_200


@pytest.mark.servers
def test_age_before_all_times_is_the_first_time(nats_server: RunningNats, users: FakeUsers) -> None:
    """No calendar has the time 999999 days ago."""
    done = republish(nats_server, "--since", "999999d")

    assert (done.exit_code, users.asked[0].since) == (0, 0.0)
    assert "Published 1007 events from 1970-01-01T00:00:00Z" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "Missing option '--since'"),
        (("--since", "yesterday"), "neither a time with a UTC offset"),
        (("--since", "2026-11-24T08:00:00"), "neither a time with a UTC offset"),
        (("--since", "1h", "--until", "2h"), "--until must be later than --since."),
    ],
)
def test_invalid_times_are_refused(arguments: tuple[str, ...], sentence: str) -> None:
    """Invalid times and an empty period are explained, and nothing is published."""
    done = CliRunner().invoke(main, ("events", "republish", *arguments))

    assert done.exit_code == 2
    assert sentence in done.stderr
