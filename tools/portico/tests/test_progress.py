"""Progress bars appear only on a terminal, on standard error."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from portico_harness.on_terminal import run_on_terminal

pytestmark = pytest.mark.slow

PROGRAM = {
    "known": """
from portico_cli.terminal.progress import progress
with progress("Working", 4) as bar:
    for number in range(4):
        bar.print_line(f"line {number}")
        bar.advance()
""",
    "unknown": """
from portico_cli.terminal.progress import progress
with progress("Working", None) as bar:
    bar.advance(7)
    bar.print_line("line 0")
""",
    "waiting": """
import sys, threading
from portico_cli.terminal import progress
with progress.waiting("Working"):
    threading.Event().wait(1)
print("line 0")
""",
}


def run(program: str, *, terminal: bool) -> tuple[str, str]:
    """Returns standard output, and the text on standard error: a terminal or a pipe."""
    if terminal:
        return run_on_terminal([sys.executable, "-c", program], os.environ)
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return ran.stdout, ran.stderr


@pytest.mark.parametrize("kind", PROGRAM)
def test_terminal_shows_progress(kind: str) -> None:
    """The bar is on standard error and does not affect standard output."""
    printed, shown = run(PROGRAM[kind], terminal=True)

    assert "Working" in shown
    assert printed.splitlines()[0] == "line 0"
    assert "Working" not in printed


@pytest.mark.parametrize("kind", PROGRAM)
def test_pipe_shows_no_progress(kind: str) -> None:
    """Without a terminal there are neither bars nor control characters."""
    printed, shown = run(PROGRAM[kind], terminal=False)

    assert shown == ""
    assert printed.splitlines()[0] == "line 0"


def test_bar_reaches_100_percent() -> None:
    """When the length is known the percentage is printed, up to 100."""
    _printed, shown = run(PROGRAM["known"], terminal=True)

    assert "100%" in shown
