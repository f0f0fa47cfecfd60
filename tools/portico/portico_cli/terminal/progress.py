"""Progress on standard error, so that output stays parsable: a bar on a terminal, elsewhere a line every ten seconds."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final

import click

from portico_cli.terminal.interruption import end_if_stopped

_BEAT: Final = 0.2
_CLEAR: Final = "\r\033[K"
LINE_SECONDS: Final = 10.0


class Progress:
    """`details` is the end of a line."""

    def __init__(self, bar: Any) -> None:
        self._bar = bar
        self.details: Callable[[], str] = lambda: ""

    def advance(self, steps: int = 1) -> None:
        end_if_stopped()
        if isinstance(self._bar, Lines):
            self._bar.update(steps, self.details)
        else:
            self._bar.update(steps, self.details())

    @asynccontextmanager
    async def kept_up(self) -> AsyncIterator[None]:
        """Writes the lines also while nothing advances."""

        async def tick() -> None:
            while True:
                await asyncio.sleep(LINE_SECONDS)
                self.advance(0)

        ticking = asyncio.create_task(tick())
        try:
            yield
        finally:
            ticking.cancel()

    def print_line(self, line: str) -> None:
        if is_shown():
            click.echo(_CLEAR, err=True, nl=False)
        click.echo(line)


def is_shown() -> bool:
    return sys.stderr.isatty()


class Lines:
    """Writes a line for a log or a pipe, not more often than every ten seconds."""

    def __init__(self, label: str, length: int | None, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._label = label
        self._length = length
        self._monotonic = monotonic
        self._next = monotonic() + LINE_SECONDS
        self._done = 0

    def update(self, steps: int, details: Callable[[], str]) -> None:
        self._done += steps
        if self._monotonic() < self._next:
            return
        self._next = self._monotonic() + LINE_SECONDS
        end = details()
        done = f"{100 * self._done // self._length}%" if self._length else "" if end else f"{self._done}"
        click.echo(" ".join(filter(None, [f"{self._label}:", done, end])), err=True)


@contextmanager
def progress(label: str, length: int | None) -> Iterator[Progress]:
    """Shows a bar; without a length only a counter."""
    if not is_shown():
        yield Progress(Lines(label, length))
        return
    with click.progressbar(
        range(length) if length is not None else iter(int, 1),
        length=length, label=label, file=sys.stderr, show_pos=length is None,
        item_show_func=lambda details: details,
    ) as bar:  # fmt: skip
        yield Progress(bar)


@contextmanager
def waiting(label: str) -> Iterator[None]:
    """For work without steps: shows the seconds, on a terminal all the time."""
    done, shown = threading.Event(), is_shown()
    beat = _BEAT if shown else LINE_SECONDS

    def draw() -> None:
        beats = 0
        if shown:
            click.echo(f"{label} …", err=True, nl=False)
        while not done.wait(beat):
            beats += 1
            line = f"{label} … {beats * beat:.0f} s"
            click.echo(f"{_CLEAR}{line}" if shown else line, err=True, nl=not shown)

    drawing = threading.Thread(target=draw, daemon=True)
    drawing.start()
    try:
        yield
    finally:
        done.set()
        drawing.join()
        if shown:
            click.echo(_CLEAR, err=True, nl=False)
