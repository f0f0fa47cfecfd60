"""Sends rows in batches, and repeats what was not answered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Final

import msgspec
from portico_contracts.error_ids import BODY_UNREADABLE
from portico_contracts.subjects import Rpc
from portico_contracts.users import IMPORT_USERS, ImportUsers, RowOutcome, RowProblem, UsersImported
from portico_oauth.errors import Kind, ServiceError
from portico_runtime.bus.nats_bus import NatsBus

from portico_cli.bus_calls.in_order import answers_in_order, from_thread
from portico_cli.bus_calls.watched import call_watched
from portico_cli.user_import.lines import Line
from portico_cli.user_import.results import RowResult

_SECONDS: Final = 60.0
_ATTEMPTS: Final = 8
FIRST_PAUSE: Final = 0.25
_LONGEST_PAUSE: Final = 10.0


class Importing:
    def __init__(self, bus: NatsBus, like: ImportUsers) -> None:
        self._bus = bus
        self._like = like

    async def run(self, portions: Iterator[list[Line]], at_once: int, add: Callable[[RowResult], None]) -> None:
        """Imports all rows; raises `unavailable` when the service is unavailable for long."""
        async for _, results in answers_in_order(from_thread(portions), self._batch, at_once=at_once):
            for result in results:
                add(result)

    async def _batch(self, lines: list[Line]) -> list[RowResult]:
        results = {line.number: RowResult(line, _unreadable(line)) for line in lines if line.problem}
        sent = left = [line for line in lines if not line.problem]
        pause = FIRST_PAUSE
        for attempt in range(_ATTEMPTS):
            if attempt:
                await asyncio.sleep(pause)
                pause = min(pause * 2, _LONGEST_PAUSE)
            for line, outcome in zip(left, await self._ask(left, last=attempt == _ATTEMPTS - 1), strict=False):
                results[line.number] = RowResult(line, outcome)
            left = [line for line in left if line.number not in results or results[line.number].outcome.retry]
            if not left:
                break
        if sent and left == sent:  # a store is lost: every further batch would fail as slowly
            problem = results[left[0].number].outcome.problems[0]
            raise ServiceError(Kind.UNAVAILABLE, problem.id, problem.text)
        return [results[line.number] for line in lines]

    async def _ask(self, lines: list[Line], *, last: bool) -> tuple[RowOutcome, ...]:
        """Returns the outcomes of a batch; empty where the service did not reply, except at the last attempt."""
        if not lines:
            return ()
        request = msgspec.structs.replace(self._like, rows=tuple(line.text for line in lines))
        rpc: Rpc[ImportUsers, UsersImported] = IMPORT_USERS
        try:
            return (await call_watched(self._bus, rpc, request, empty=self._like, seconds=_SECONDS)).rows
        except ServiceError as error:
            if last or error.kind is not Kind.UNAVAILABLE:
                raise
            return ()


def _unreadable(line: Line) -> RowOutcome:
    return RowOutcome(status="refused", problems=(RowProblem(field="", id=BODY_UNREADABLE, text=line.problem),))
