"""Runs a program whose standard error is a terminal, as people run it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path


def run_on_terminal(command: Sequence[str | Path], environment: Mapping[str, str]) -> tuple[str, str]:
    """Standard output, which is a pipe, and what the terminal was shown on standard error."""
    ours, theirs = os.openpty()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, text=True, env=environment) as process:
        os.close(theirs)
        printed = process.stdout.read() if process.stdout else ""
    shown = os.read(ours, 100_000).decode()
    os.close(ours)
    return printed, shown
