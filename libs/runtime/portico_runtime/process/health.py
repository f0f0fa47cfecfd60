from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import ClassVar, Final

from portico_contracts.topology import DEGRADED
from portico_oauth.errors import Kind, ServiceError
from prometheus_client.metrics import Gauge

from portico_runtime.process.wakeup import Wakeup

Check = Callable[[], Awaitable[None]]
"""Raises when the dependency cannot be used."""

Degradation = Callable[[], str]
"""Returns why a part that no request depends on fails; empty while it works."""

CHECK_SECONDS = 1.0
FRESH_SECONDS: Final = 2.0
"""How long a good state is reported again without asking the stores, unless a request fails in between."""

UNUSED_SECONDS: Final = 10.0
"""The same for another service that this replica does not ask meanwhile."""


def is_ready(states: Mapping[str, str]) -> bool:
    return all(state == "ok" or state.startswith(DEGRADED) for state in states.values())


USABLE: Final = Gauge(
    "portico_dependency_usable", "Whether a dependency works (1) or not (0), by its name in /readyz.", ["name"]
)


class NotReady(Exception):
    """A check failed with a public reason that contains no address or secret (IN-09)."""


class _Failures:
    count = 0
    listeners: ClassVar[list[Callable[[], None]]] = []


def note_failure() -> None:
    """Called where a store or the bus is unavailable to a request: the readiness is checked again at once."""
    _Failures.count += 1
    for listener in _Failures.listeners:
        listener()


@contextmanager
def noting_failures(listener: Callable[[], None]) -> Iterator[None]:
    """Calls ``listener`` for each failure."""
    _Failures.listeners.append(listener)
    try:
        yield
    finally:
        _Failures.listeners.remove(listener)


async def failure_within(seconds: float) -> bool:
    """Returns at once when one is noted, otherwise after `seconds`."""
    wakeup = Wakeup()
    with noting_failures(wakeup.set):
        return await wakeup.wait(seconds)


class _Asked:
    count = 0


def note_request() -> None:
    """Called where another service is asked."""
    _Asked.count += 1


class Health:
    """The readiness of a replica, which gateway, bus and operator read at short intervals."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._checks: dict[str, Check] = {}
        self._seconds: dict[str, float] = {}
        self._good_at: dict[str, float] = {}
        self._asked: dict[str, int] = {}
        self._degradations: dict[str, Degradation] = {}
        self._monotonic = monotonic
        self._failures = 0
        self._is_good = False
        self._looking: asyncio.Task[dict[str, str]] | None = None

    def add(self, name: str, check: Check, *, remembered: float = FRESH_SECONDS) -> None:
        self._checks[name] = check
        self._seconds[name] = remembered
        self._good_at[name] = float("-inf")
        self._asked[name] = 0

    def add_degradation(self, name: str, degradation: Degradation) -> None:
        self._degradations[name] = degradation

    async def state(self) -> dict[str, str]:
        """Returns texts by dependency; all checks run concurrently, each for at most a second."""
        results = await self._results()
        told = {name: reason() for name, reason in self._degradations.items()}
        degraded = {name: f"{DEGRADED}{reason}" if reason else "ok" for name, reason in told.items()}
        states = results | degraded
        for name, state in states.items():
            USABLE.labels(name).set(state == "ok")
        return states

    async def is_ready_but_for(self, name: str) -> bool:
        results = await self._results()
        return all(state == "ok" for other, state in results.items() if other != name)

    async def _results(self) -> dict[str, str]:
        if not self._due(self._monotonic()):
            return dict.fromkeys(self._checks, "ok")
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        return await asyncio.shield(self._looking)

    async def _look(self) -> dict[str, str]:
        begun = self._monotonic()
        due, self._failures = self._due(begun), _Failures.count
        results = dict(zip(due, await asyncio.gather(*(self._ask(self._checks[name]) for name in due)), strict=True))
        for name, result in results.items():
            self._good_at[name] = begun if result == "ok" else float("-inf")
            self._asked[name] = _Asked.count
        was_good, self._is_good = self._is_good, all(result == "ok" for result in results.values())
        if was_good and not self._is_good:
            note_failure()  # a response that is held for the gateway is sent now
        return {name: results.get(name, "ok") for name in self._checks}

    def _due(self, now: float) -> list[str]:
        failed = self._failures != _Failures.count
        return [name for name in self._checks if failed or now >= self._good_at[name] + self._remembered(name)]

    def _remembered(self, name: str) -> float:
        return self._seconds[name] if self._asked[name] == _Asked.count else FRESH_SECONDS

    async def _ask(self, check: Check) -> str:
        try:
            async with asyncio.timeout(CHECK_SECONDS):
                await check()
        except Exception as error:  # any failure of a dependency means the same: not ready
            return _reason(error)
        return "ok"


def _reason(error: Exception) -> str:
    """Other errors may contain addresses and secrets, so they are only named."""
    match error:
        case ConnectionError() | TimeoutError():
            return "does not respond"
        case ServiceError(kind=Kind.UNAVAILABLE):
            return "not available"
        case NotReady() | ServiceError():
            return str(error)
        case _:
            return type(error).__name__
