from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from portico_stack.processes.programs import Process

FIRST_SECONDS: Final = 5.0
_GROWTH: Final = 1.5
_LONGEST: Final = 30.0


class Waiting:
    """Reports parts that are not ready, and what each waits for; `first` is seconds until the first line."""

    def __init__(
        self, processes: Callable[[], Iterable[Process]], report: Callable[[str], None], *, first: float = FIRST_SECONDS
    ) -> None:
        self._processes = processes
        self._report = report
        self._first = first
        self._steps: dict[str, str] = {}

    @contextmanager
    def step(self, name: str, what: str) -> Iterator[None]:
        self._steps[name] = what
        try:
            yield
        finally:
            del self._steps[name]

    async def run(self) -> None:
        began, pause = time.monotonic(), self._first
        while True:
            await asyncio.sleep(pause)
            pause = min(pause * _GROWTH, _LONGEST)
            if line := self._line():
                self._report(f"  waiting for {time.monotonic() - began:.0f} s: {line}")

    def _line(self) -> str:
        awaited = {process.program.name: process.awaited for process in self._processes() if process.awaited}
        return ", ".join(f"{name} ({what})" for name, what in {**awaited, **self._steps}.items())
