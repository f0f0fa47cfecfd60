from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from prometheus_client import Gauge

Check = Callable[[], Awaitable[None]]
"""Raises when the dependency cannot be used."""

Degradation = Callable[[], str]
"""Returns why a part that no request depends on fails; empty while it works."""

CHECK_SECONDS = 1.0
DEGRADED: Final = "degraded: "
"""Prefix of a degraded state, followed by the reason."""


def is_ready(states: Mapping[str, str]) -> bool:
    return all(state == "ok" or state.startswith(DEGRADED) for state in states.values())


USABLE: Final = Gauge(
    "portico_dependency_usable", "Whether a dependency works (1) or not (0), by its name in /readyz.", ["name"]
)


class NotReady(Exception):
    """A check failed with a public reason that contains no address or secret (IN-09)."""


class Health:
    def __init__(self) -> None:
        self._checks: dict[str, Check] = {}
        self._degradations: dict[str, Degradation] = {}

    def add(self, name: str, check: Check) -> None:
        self._checks[name] = check

    def add_degradation(self, name: str, degradation: Degradation) -> None:
        self._degradations[name] = degradation

    async def state(self) -> dict[str, str]:
        """Returns texts by dependency; all checks run concurrently, each for at most a second."""
        results = await asyncio.gather(*(self._ask(check) for check in self._checks.values()))
        told = {name: reason() for name, reason in self._degradations.items()}
        degraded = {name: f"{DEGRADED}{reason}" if reason else "ok" for name, reason in told.items()}
        states = dict(zip(self._checks, results, strict=True)) | degraded
        for name, state in states.items():
            USABLE.labels(name).set(state == "ok")
        return states

    async def is_ready_but_for(self, name: str) -> bool:
        checks = (check for other, check in self._checks.items() if other != name)
        return all(state == "ok" for state in await asyncio.gather(*map(self._ask, checks)))

    async def _ask(self, check: Check) -> str:
        try:
            async with asyncio.timeout(CHECK_SECONDS):
                await check()
        except NotReady as reason:
            return str(reason)
        except Exception as error:  # any failure of a dependency means the same: not ready
            return type(error).__name__
        return "ok"
