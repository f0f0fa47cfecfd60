from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner, Result
from portico_cli.cli import main
from portico_contracts.users.listed_events import (
    LIST_EVENTS,
    EventsListed,
    ListedChange,
    ListedEvent,
    ListEvents,
)
from portico_fakes.fake_service import FakeService
from portico_harness.servers import RunningNats

pytestmark = pytest.mark.servers

LOCKED = ListedEvent(
    event_id="e1", at=1_764_142_212.0, type="updated", activity="users.locked", summary="Grace Hopper locked Carl",
    actor="grace", kind="users", object="carl", org_id="o1",
    changes=(ListedChange(field="state", before=("active",), after=("locked",)), ListedChange(field="password")),
)  # fmt: skip


class FakeUsers(FakeService):
    """users with a page of one event, and another one after it."""

    def __init__(self, nats: RunningNats) -> None:
        super().__init__(nats, "users", LIST_EVENTS, ListEvents(limit=1))
        self.bus.respond(LIST_EVENTS, self._answer)

    async def _answer(self, request: Any) -> EventsListed:
        self.asked.append(request)
        return EventsListed(events=(LOCKED,), next="" if request.after else "token")


@pytest.fixture(name="users")
def _users(nats_server: RunningNats) -> Iterator[FakeUsers]:
    played = FakeUsers(nats_server)
    played.start()
    played.asked.clear()
    yield played
    played.stop()


def events(nats: RunningNats, *arguments: str) -> Result:
    login = {"PORTICO_BUS_URL": nats.url, "PORTICO_BUS_PASSWORD": nats.password("operator")}
    return CliRunner().invoke(main, ("events", *arguments), env=login)


def test_events_are_sentences(nats_server: RunningNats, users: FakeUsers) -> None:
    """Without a subcommand the last fifty are listed, page by page."""
    done = events(nats_server)

    assert (done.exit_code, done.stdout) == (0, "2025-11-26T07:30:12Z  Grace Hopper locked Carl\n" * 2)
    assert [one.after for one in users.asked] == ["", "token"]


def test_conditions_are_sent(nats_server: RunningNats, users: FakeUsers) -> None:
    options = ("--since", "2026-11-24T08:00:00Z", "--user", "carl", "--org", "o1", "--activity", "users.locked")
    events(nats_server, "list", *options, "--sign-ins", "--limit", "1")

    assert users.asked == [
        ListEvents(
            limit=1, since=1_795_507_200.0, user_id="carl", org_id="o1", activity="users.locked",
            types=("signed_in", "signed_out", "signin_failed", "device_approved", "device_denied"),
        )
    ]  # fmt: skip


def test_changes_are_printed_on_request(nats_server: RunningNats, users: FakeUsers) -> None:
    """A secret value is only named."""
    done = events(nats_server, "list", "--limit", "1", "--changes")

    assert done.stdout.splitlines()[1:] == ["    state: active → locked", "    password"]


def test_json_is_one_object_a_line(nats_server: RunningNats, users: FakeUsers) -> None:
    done = events(nats_server, "list", "--json")

    assert [json.loads(line)["activity"] for line in done.stdout.splitlines()] == ["users.locked", "users.locked"]


def test_period_that_ends_before_it_begins_is_refused(nats_server: RunningNats, users: FakeUsers) -> None:
    """An empty list would look as if there were no events."""
    done = events(nats_server, "list", "--since", "1h", "--until", "2h")

    assert (done.exit_code, users.asked) == (2, [])
    assert "--until must be later than --since." in done.stderr
