"""A command that is interrupted ends soon, and leaves nothing behind that it created for itself."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from base64 import b64encode
from pathlib import Path
from typing import Final

import pytest
from portico_cli.terminal.interruption import in_thread
from portico_cli.terminal.progress import Lines, Progress

_AT_WORK: Final = """
import asyncio, os, signal, sys
from portico_cli.cli import main
from portico_cli.commands import upgrade

number = getattr(signal, sys.argv.pop())
if signal.getsignal(number) is signal.SIG_IGN:  # by nohup, which the command respects
    signal.signal(number, signal.SIG_DFL)

async def interrupted(*_given):
    os.kill(os.getpid(), number)
    await asyncio.Event().wait()

upgrade._reader = interrupted
main()
"""


@pytest.mark.slow
@pytest.mark.parametrize("signal", ["SIGTERM", "SIGHUP"])
def test_copy_is_removed_when_the_check_is_interrupted(tmp_path: Path, signal: str) -> None:
    """It has the data and the master keys of the installation."""
    master_keys, scratch = tmp_path / "master.key", tmp_path / "scratch"
    master_keys.write_text(b64encode(b"k" * 32).decode())
    scratch.mkdir()
    options = ["--data", tmp_path / "none", "--master-keys", master_keys, "--users-master-keys", master_keys]
    argv = [sys.executable, "-c", _AT_WORK, "upgrade", "check", "--rehearse", *map(str, options), signal]
    ran = subprocess.run(
        argv, check=False, env={**os.environ, "TMPDIR": str(scratch)}, capture_output=True, text=True, timeout=60
    )

    assert (ran.returncode, list(scratch.iterdir())) == (1, []), ran.stderr
    assert "Aborted!" in ran.stderr


async def test_thread_ends_at_its_next_progress() -> None:
    """Its task ends only then, so that files which the thread writes can be removed."""
    working, ended = threading.Event(), threading.Event()

    def work() -> None:
        bar = Progress(Lines("Working", None))
        try:
            while True:
                bar.advance()
                working.set()
        finally:
            ended.set()

    task = asyncio.create_task(in_thread(work))
    await asyncio.to_thread(working.wait)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert ended.is_set()
