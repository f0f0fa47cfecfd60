"""The lines shown at the terminal, at once even through a pipe."""

from __future__ import annotations

import sys


def say(line: str) -> None:
    """A line of the run."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def complain(line: str) -> None:
    """A line about something that went wrong."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
