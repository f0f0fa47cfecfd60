"""Port assignment while other processes run concurrently."""

from __future__ import annotations

import asyncio
import random
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from portico_stack.machine.ports import NoFreePort, free_pair, free_port

DISTANCE = 5_000
_CLAIMER = (
    "import sys; from portico_stack.machine.ports import free_port; print(free_port(), flush=True); sys.stdin.read()"
)


@asynccontextmanager
async def _claimed_elsewhere() -> AsyncIterator[int]:
    """A port that another process was assigned but does not listen on yet."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", _CLAIMER, stdin=pipe, stdout=pipe)
    assert process.stdout is not None
    try:
        yield int(await process.stdout.readline())
    finally:
        await process.communicate(b"")  # closes its stdin, which ends it


def _draw(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    """Makes every random draw return this port."""
    monkeypatch.setattr(random, "randrange", lambda *_range: port)


async def test_port_of_one_process_is_not_assigned_to_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """A port stays reserved until its process ends, even if the process does not listen yet."""
    async with _claimed_elsewhere() as port:
        _draw(monkeypatch, port)
        with pytest.raises(NoFreePort):
            free_port()
    afterwards = free_port()

    assert afterwards == port


async def test_no_pair_has_a_port_of_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pair is refused when another process was assigned its second port."""
    async with _claimed_elsewhere() as port:
        _draw(monkeypatch, port - DISTANCE)
        with pytest.raises(NoFreePort):
            free_pair(None, DISTANCE)


def test_port_is_assigned_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two callers of one process get different ports, even if the first one does not listen yet."""
    _draw(monkeypatch, free_port())
    with pytest.raises(NoFreePort):
        free_port()


def test_second_port_of_a_pair_is_reserved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ports of a pair belong to its caller, although only the first one is returned."""
    pair = free_pair(None, DISTANCE)
    _draw(monkeypatch, pair + DISTANCE)
    with pytest.raises(NoFreePort):
        free_port()
