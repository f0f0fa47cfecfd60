from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def run_on_terminal(command: Sequence[str | Path], environment: Mapping[str, str]) -> tuple[str, str]:
    """Runs a program with a terminal as standard error; returns standard output and the terminal's text."""
    ours, theirs = os.openpty()
    with ThreadPoolExecutor(1) as pool:
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, text=True, env=environment) as process:
            os.close(theirs)
            shown = pool.submit(lambda: b"".join(_read(ours)))
            printed = process.stdout.read() if process.stdout else ""
        seen = shown.result().decode()
    os.close(ours)
    return printed, seen


def _read(terminal: int) -> Iterator[bytes]:
    while True:
        try:
            yield os.read(terminal, 65_536)
        except OSError:  # the other end is closed
            return
