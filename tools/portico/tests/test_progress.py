"""Progress is on standard error: a bar on a terminal, elsewhere a line every ten seconds."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys

import pytest
from portico_cli.terminal.progress import LINE_SECONDS, Lines, Progress
from portico_harness.on_terminal import run_on_terminal

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


@pytest.mark.slow
@pytest.mark.parametrize("kind", PROGRAM)
def test_terminal_shows_progress(kind: str) -> None:
    """The bar is on standard error and does not affect standard output."""
    printed, shown = run(PROGRAM[kind], terminal=True)

    assert "Working" in shown
    assert printed.splitlines()[0] == "line 0"
    assert "Working" not in printed


@pytest.mark.slow
@pytest.mark.parametrize("kind", PROGRAM)
def test_pipe_shows_no_bar(kind: str) -> None:
    """Without a terminal there are neither bars nor control characters."""
    printed, shown = run(PROGRAM[kind], terminal=False)

    assert shown == ""
    assert printed.splitlines()[0] == "line 0"


@pytest.mark.slow
def test_waiting_writes_lines_into_a_pipe() -> None:
    """One every ten seconds, which are shorter here."""
    short = "from portico_cli.terminal import progress\nprogress.LINE_SECONDS = 0.3\n"
    _printed, shown = run(short + PROGRAM["waiting"], terminal=False)

    assert shown.splitlines()[0] == "Working … 0 s"
    assert "\r" not in shown


@pytest.mark.slow
def test_bar_reaches_100_percent() -> None:
    """When the length is known the percentage is printed, up to 100."""
    _printed, shown = run(PROGRAM["known"], terminal=True)

    assert "100%" in shown


@pytest.mark.parametrize(("length", "shown"), [(400, ["50% ", "75% "]), (None, ["", ""])])
def test_line_is_written_every_ten_seconds(
    length: int | None, shown: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A pipe or a log gets one line in ten seconds, with the share of the whole if that is known, and details."""
    now = 0.0
    bar = Progress(Lines("Importing", length, lambda: now))
    bar.details = lambda: "7 created."
    for seconds in (0.5, LINE_SECONDS, LINE_SECONDS + 1.0, 2 * LINE_SECONDS - 0.1, 2 * LINE_SECONDS + 0.1):
        now = seconds
        bar.advance(100 if seconds in (0.5, LINE_SECONDS) else 0 if seconds < 2 * LINE_SECONDS else 100)
    printed = capsys.readouterr()

    assert printed.err.splitlines() == [f"Importing: {share}7 created." for share in shown]
    assert printed.out == ""


async def test_lines_are_written_while_nothing_advances(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as while a pipe brings no rows."""
    monkeypatch.setattr("portico_cli.terminal.progress.LINE_SECONDS", 0)
    bar, shown = Progress(Lines("Importing", None)), ""
    async with bar.kept_up():
        while not shown:
            await asyncio.sleep(0)
            shown = capsys.readouterr().err

    assert shown.splitlines()[0] == "Importing: 0"
