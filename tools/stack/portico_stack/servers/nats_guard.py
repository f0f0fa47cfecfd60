"""Restarts a NATS that serves requests but stores no events, for example after its disk was full."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from portico_contracts.topology import DEGRADED

from portico_stack.machine import http_probe

LOOK_SECONDS: Final = 30.0
FIRST_PAUSE: Final = 60.0
LONGEST_PAUSE: Final = 600.0
NEEDED_BYTES: Final = 64 * 1024 * 1024
"""Minimum free disk space; with less, a restart changes nothing."""

STREAM_PART: Final = "stream"
_SECONDS: Final = 3.0


class BusGuard:
    """Monitors the services' reports about the stream, and restarts NATS when events cannot be published.

    `reasons` is empty while all replicas can publish; `has_room`: the disk has room again.
    """

    def __init__(
        self,
        reasons: Callable[[], Awaitable[list[str]]],
        has_room: Callable[[], bool],
        restart: Callable[[], None],
        report: Callable[[str], None],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._reasons = reasons
        self._has_room = has_room
        self._restart = restart
        self._report = report
        self._monotonic = monotonic
        self._pause = FIRST_PAUSE
        self._not_before = 0.0
        self._told_of_room = False

    async def run(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            with suppress(OSError):  # the disk cannot be looked at: perhaps the next time
                await self.check()

    async def check(self) -> None:
        """Restarts the server when services report that it stores nothing, with growing intervals."""
        reasons = await self._reasons()
        now = self._monotonic()
        if not reasons:
            self._told_of_room = False
            if now >= self._not_before:
                self._pause = FIRST_PAUSE
            return
        if not self._has_room():
            if not self._told_of_room:
                self._report(f"nats cannot store events ({reasons[0]}): the disk is full. Free some space.")
            self._told_of_room = True
            return
        if now < self._not_before:
            return
        self._report(f"nats cannot store events ({reasons[0]}); restarting it")
        self._not_before = now + self._pause
        self._pause = min(self._pause * 2, LONGEST_PAUSE)
        self._restart()


def disk_has_room(data: Path) -> bool:
    return shutil.disk_usage(data).free >= NEEDED_BYTES


async def ask_replicas(internal_ports: Iterable[int]) -> list[str]:
    """Returns why replicas cannot publish, by their /readyz; one without a response gives no reason."""
    states = await asyncio.gather(*(_state(port) for port in internal_ports))
    return [state.removeprefix(DEGRADED) for state in states if state.startswith(DEGRADED)]


async def _state(port: int) -> str:
    try:
        async with asyncio.timeout(_SECONDS):
            answer = await http_probe.get(port, "/readyz")
    except (OSError, TimeoutError):
        return ""
    return http_probe.parts(answer.body).get(STREAM_PART, "")
