from __future__ import annotations

import asyncio

import pytest
from portico_harness.eventually import HANGS
from portico_runtime.process import ending
from portico_runtime.process.background import Background


async def test_background_work_continues_after_a_failure() -> None:
    runs = 0
    again = asyncio.Event()

    async def work() -> None:
        nonlocal runs
        runs += 1
        if runs == 1:
            raise RuntimeError
        again.set()
        await asyncio.Event().wait()

    background = Background("test", work)
    await background.start()
    async with asyncio.timeout(HANGS):
        await again.wait()
    await background.close()

    assert runs == 2


async def test_closing_stops_background_work() -> None:
    """Closing cancels background work whatever it waits for (FD-12)."""
    began, ended = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    background = Background("test", work)
    await background.start()
    await began.wait()
    await background.close()

    assert ended.is_set()


async def test_closing_repeats_a_lost_cancellation(monkeypatch: pytest.MonkeyPatch) -> None:
    """A library loses a cancellation that arrives together with its result; the service stops all the same."""
    monkeypatch.setattr(ending, "AGAIN_SECONDS", 0.01)
    results: asyncio.Queue[int] = asyncio.Queue()

    async def work() -> None:
        await asyncio.wait_for(results.get(), 10 * HANGS)

    background = Background("test", work)
    await background.start()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    results.put_nowait(1)
    async with asyncio.timeout(HANGS):
        await background.close()

    assert not [task for task in asyncio.all_tasks() if task.get_name() == "test"]


async def test_closing_without_start_is_harmless() -> None:
    runs: list[int] = []

    async def work() -> None:
        runs.append(1)

    await Background("test", work).close()

    assert runs == []
