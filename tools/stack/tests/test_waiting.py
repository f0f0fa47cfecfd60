"""While a stack starts, it reports what it waits for."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from portico_harness.eventually import HANGS
from portico_stack.processes import Process, Program
from portico_stack.waiting import Waiting


async def never() -> None:
    """A check that is not asked here."""


def process(name: str, awaited: str) -> Process:
    """A process that waits for something, or for nothing."""
    made = Process(Program(name, (name,), never, {}), Path(), print)
    made.awaited = awaited
    return made


async def lines_of(processes: Sequence[Process], *, step: bool = False) -> list[str]:
    """The lines until the first one, or of many turns when there is none."""
    lines: list[str] = []
    told = asyncio.Event()

    def report(line: str) -> None:
        lines.append(line)
        told.set()

    waiting = Waiting(lambda: processes, report, first=0.01)
    reporting = asyncio.create_task(waiting.run())
    if step:
        with waiting.step("gateway", "no response yet"):
            await asyncio.wait_for(told.wait(), HANGS)
    elif any(one.awaited for one in processes):
        await asyncio.wait_for(told.wait(), HANGS)
    else:
        await asyncio.wait({reporting}, timeout=0.2)  # allow fixed-wait: nothing happens
    reporting.cancel()
    return lines


async def test_services_are_named_with_the_store_they_wait_for() -> None:
    """One line names every part that is not ready and why, and no part that is."""
    lines = await lines_of(
        [process("keys", "mongo: ConnectionError"), process("authz", ""), process("users", "no response yet")]
    )

    assert lines == ["  waiting for 0 s: keys (mongo: ConnectionError), users (no response yet)"]


async def test_steps_without_a_process_are_named_too() -> None:
    """A database that is prepared and a gateway that does not answer are waited for as well."""
    assert await lines_of([process("keys", "")], step=True) == ["  waiting for 0 s: gateway (no response yet)"]


async def test_nothing_is_reported_when_nothing_is_waited_for() -> None:
    """A start that is done, or between two parts, prints no line."""
    assert await lines_of([process("keys", "")]) == []
