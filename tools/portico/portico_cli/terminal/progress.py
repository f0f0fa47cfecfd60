"""Progress bars on standard error, on terminals only, so that output stays parsable."""

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
    def __init__(self, bar: Any) -> None:
        self._bar = bar

    def advance(self, steps: int = 1) -> None:
        self._bar.update(steps)

    def print_line(self, line: str) -> None:
        if is_shown():
            click.echo(_CLEAR, err=True, nl=False)
        click.echo(line)


def is_shown() -> bool:
    return sys.stderr.isatty()


@contextmanager
def progress(label: str, length: int | None) -> Iterator[Progress]:
    """Shows a bar; without a length only a counter."""
    with click.progressbar(
        range(length) if length is not None else iter(int, 1),
        length=length, label=label, file=sys.stderr, hidden=not is_shown(), show_pos=length is None,
    ) as bar:  # fmt: skip
        yield Progress(bar)


@contextmanager
def waiting(label: str) -> Iterator[None]:
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
