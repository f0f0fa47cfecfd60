"""Calls that take up to a minute end soon where no replica is left, since no reply can come."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from click.testing import CliRunner
from portico_cli.bus_calls import watched
from portico_cli.bus_calls.watched import call_watched
from portico_cli.cli import main
from portico_cli.commands import apply
from portico_contracts.apply import Document
from portico_contracts.users import IMPORT_USERS, Applied, Apply, ImportUsers, RowOutcome, UsersImported
from portico_oauth.errors import UNAVAILABLE, ServiceError

EMPTY = ImportUsers(rows=())
ROWS = ImportUsers(rows=("{}",))


class Bus:
    """Answers rows after three looks; `cause` is why a look fails, if it does."""

    def __init__(self, cause: str) -> None:
        self._cause = cause
        self._looks = 0
        self._late = asyncio.Event()

    async def call(self, _rpc: Any, message: ImportUsers, *, seconds: float) -> UsersImported:
        if message.rows:
            await self._late.wait()
            return UsersImported(rows=(RowOutcome(status="created"),))
        self._looks += 1
        if self._looks == 3:
            self._late.set()
        if self._cause:
            raise UNAVAILABLE.error(part="users", cause=self._cause)
        return UsersImported(rows=())


async def ask(cause: str) -> UsersImported:
    bus: Any = Bus(cause)
    return await call_watched(bus, IMPORT_USERS, ROWS, empty=EMPTY, seconds=60)


@pytest.mark.parametrize("cause", ["", "TimeoutError"])
async def test_late_reply_is_awaited_while_a_replica_is_there(cause: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while it is too busy to answer a look."""
    monkeypatch.setattr(watched, "LOOK_SECONDS", 0)

    assert (await ask(cause)).rows == (RowOutcome(status="created"),)


async def test_call_ends_where_no_replica_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watched, "LOOK_SECONDS", 0)

    with pytest.raises(ServiceError) as refused:
        await ask("NoRespondersError")
    assert refused.value.id == UNAVAILABLE.id


def test_apply_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plan of no objects costs users nothing."""
    given: dict[str, Any] = {}

    def call(*_: Any, **options: Any) -> Applied:
        given.update(options)
        return Applied(changes=())

    monkeypatch.setattr(apply, "call_service", call)
    login = {"PORTICO_BUS_URL": "nats://127.0.0.1:1", "PORTICO_BUS_PASSWORD": "unused"}
    done = CliRunner().invoke(main, ["apply", "-"], input="organizations: []\n", env=login)

    assert (done.exit_code, given["empty"]) == (0, Apply(document=Document(), check=True))
