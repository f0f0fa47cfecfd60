"""While a stack starts, it reports the parts it waits for."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from portico_harness.eventually import HANGS
from portico_stack.processes.programs import Process, Program
from portico_stack.processes.waiting import Waiting


async def never() -> None:
    """Fails when called."""


def process(name: str, awaited: str) -> Process:
    made = Process(Program(name, (name,), never, {}), Path(), print)
    made.awaited = awaited
    return made


async def lines_of(processes: Sequence[Process], *, step: bool = False) -> list[str]:
    """Returns the lines up to the first one, or of many iterations without one."""
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


async def test_waiting_services_are_named_with_their_store() -> None:
    """One line names every unready part with its reason, and no ready part."""
    lines = await lines_of(
        [process("keys", "mongo: does not respond"), process("authz", ""), process("users", "no response yet")]
    )

    assert lines == ["  waiting for 0 s: keys (mongo: does not respond), users (no response yet)"]


async def test_steps_without_a_process_are_named_too() -> None:
    """A database in preparation and an unresponsive gateway are reported as well."""
    assert await lines_of([process("keys", "")], step=True) == ["  waiting for 0 s: gateway (no response yet)"]


async def test_nothing_is_reported_when_nothing_is_awaited() -> None:
    """A completed start, or one between two parts, prints no line."""
    assert await lines_of([process("keys", "")]) == []
