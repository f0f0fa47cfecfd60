"""The process of the start: what it calls, and how failures reach the caller."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest
from portico_stack.machine.public_name import read_host
from portico_stack.processes.child import CallFailed, Child

pytestmark = pytest.mark.slow


async def test_calls_run_in_another_process(tmp_path: Path) -> None:
    """A function is passed itself or named, and its coroutine is awaited, while other calls are in progress."""
    async with Child(tmp_path / "start.log") as child:
        pid, host, slept = await asyncio.gather(
            child.call(os.getpid),
            child.call("portico_stack.machine.public_name:read_host", "ID"),
            child.call(asyncio.sleep, 0, 1),
        )

    assert pid != os.getpid()
    assert (host, slept) == ("id", 1)


async def test_failure_keeps_its_kind_and_text(tmp_path: Path) -> None:
    """The caller learns what failed, and the log has the traceback."""
    async with Child(tmp_path / "start.log") as child:
        with pytest.raises(CallFailed, match="is not a host name") as failure:
            await child.call(read_host, "127.0.0.1")

    assert failure.value.kind == "NameRefused"
    assert "Traceback" in (tmp_path / "start.log").read_text()


async def test_ended_process_fails_its_calls(tmp_path: Path) -> None:
    """A child that is killed, for example without memory, fails the start instead of blocking it."""
    async with Child(tmp_path / "start.log") as child:
        with pytest.raises(CallFailed, match=r"see .*start\.log"):
            await child.call(os._exit, 1)


async def test_printed_text_goes_to_the_log(tmp_path: Path) -> None:
    """A library that prints does not damage the results."""
    async with Child(tmp_path / "start.log") as child:
        await child.call(os.write, 1, b"a warning")

    assert "a warning" in (tmp_path / "start.log").read_text()
