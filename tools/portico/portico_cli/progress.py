"""How far a command is: on a terminal and on standard error only, so that output stays what programs read."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import click

_BEAT: Final = 0.2
_CLEAR: Final = "\r\033[K"


class Progress:
    """A bar that is drawn while something is done."""

    def __init__(self, bar: Any) -> None:
        self._bar = bar

    def advance(self, steps: int = 1) -> None:
        """So much more is done."""
        self._bar.update(steps)

    def print_line(self, line: str) -> None:
        """A line of output, in place of the bar, which is drawn again with the next step."""
        if is_shown():
            click.echo(_CLEAR, err=True, nl=False)
        click.echo(line)


def is_shown() -> bool:
    """Whether standard error is a terminal."""
    return sys.stderr.isatty()


@contextmanager
def progress(label: str, length: int | None) -> Iterator[Progress]:
    """A bar for something of known length; without one, only what is done is counted."""
    with click.progressbar(
        range(length) if length is not None else iter(int, 1),
        length=length, label=label, file=sys.stderr, hidden=not is_shown(), show_pos=length is None,
    ) as bar:  # fmt: skip
        yield Progress(bar)


@contextmanager
def waiting(label: str) -> Iterator[None]:
    """Shows that a request of unknown length is under way: one answer is awaited."""
    if not is_shown():
        yield
        return
    done = threading.Event()

    def draw() -> None:
        beats = 0
        click.echo(f"{label} …", err=True, nl=False)
        while not done.wait(_BEAT):
            beats += 1
            click.echo(f"{_CLEAR}{label} … {beats * _BEAT:.0f} s", err=True, nl=False)

    drawing = threading.Thread(target=draw, daemon=True)
    drawing.start()
    try:
        yield
    finally:
        done.set()
        drawing.join()
        click.echo(_CLEAR, err=True, nl=False)
