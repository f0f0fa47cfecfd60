"""Batches of an import that are not answered, or whose rows cannot be written."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from portico_cli.bus_calls import watched
from portico_cli.user_import import importing
from portico_cli.user_import.importing import Importing
from portico_cli.user_import.lines import Line, batches
from portico_cli.user_import.results import RowResult
from portico_contracts.users import ImportUsers, RowOutcome, RowProblem, UsersImported
from portico_oauth.errors import UNAVAILABLE, ServiceError

CREATED = RowOutcome(status="created", user_id="1")
LOST = RowOutcome(
    status="refused", retry=True, problems=(RowProblem(field="", id=UNAVAILABLE.id, text=UNAVAILABLE.text),)
)


class Bus:
    """Answers with `outcomes`; `killed` batches are never answered, and then no replica is there for a request."""

    def __init__(self, *, killed: int = 0) -> None:
        self.asked: list[tuple[str, ...]] = []
        self.outcomes: dict[str, RowOutcome] = {}
        self._killed = killed

    async def call(self, _rpc: Any, message: ImportUsers, *, seconds: float) -> UsersImported:
        if not message.rows:
            raise UNAVAILABLE.error(part="users", cause="NoRespondersError")
        self.asked.append(message.rows)
        if len(self.asked) <= self._killed:
            await asyncio.Event().wait()
        return UsersImported(rows=tuple(self.outcomes.get(row, CREATED) for row in message.rows))


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watched, "LOOK_SECONDS", 0)
    monkeypatch.setattr(importing, "FIRST_PAUSE", 0)


async def run(bus: Any, rows: int) -> list[RowResult]:
    results: list[RowResult] = []
    lines: Iterator[Line] = (Line(number, f"row {number}") for number in range(rows))
    await Importing(bus, ImportUsers(rows=())).run(batches(lines), 1, results.append)
    return results


async def test_batch_of_a_killed_replica_is_repeated_when_none_is_left() -> None:
    """The timeout of a batch with a hundred passwords to hash is a minute, and no reply can come."""
    bus = Bus(killed=1)
    results = await run(bus, 1)

    assert [one.outcome for one in results] == [CREATED]
    assert bus.asked == [("row 0",)] * 2


async def test_import_stops_where_no_row_can_be_written() -> None:
    """A lost or full database would otherwise refuse a million rows, each batch after half a minute."""
    bus = Bus()
    bus.outcomes = {f"row {number}": LOST for number in range(100, 1000)}
    with pytest.raises(ServiceError, match=UNAVAILABLE.text):
        await run(bus, 1000)

    assert {rows[0] for rows in bus.asked} == {"row 0", "row 100"}


async def test_row_that_cannot_be_written_alone_does_not_stop_the_others() -> None:
    bus = Bus()
    bus.outcomes = {"row 3": LOST}
    results = await run(bus, 150)

    assert [one.line.number for one in results if one.outcome.status == "refused"] == [3]
    assert len(results) == 150
