"""Alive and ready: each dependency registers a check with a name."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

Check = Callable[[], Awaitable[None]]
"""Raises when the dependency cannot be used."""

CHECK_SECONDS = 1.0


class Health:
    """The checks of one service."""

    def __init__(self) -> None:
        self._checks: dict[str, Check] = {}

    def add(self, name: str, check: Check) -> None:
        """Registers a dependency under the name /readyz shows."""
        self._checks[name] = check

    async def state(self) -> dict[str, str]:
        """``ok`` or the kind of failure by dependency; asked all at once, each within a second."""
        results = await asyncio.gather(*(self._ask(check) for check in self._checks.values()))
        return dict(zip(self._checks, results, strict=True))

    async def _ask(self, check: Check) -> str:
        try:
            async with asyncio.timeout(CHECK_SECONDS):
                await check()
        except Exception as error:  # any failure of a dependency means the same: not ready
            return type(error).__name__
        return "ok"
