from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Final

from portico_oauth.errors import UNAVAILABLE

AT_ONCE: Final = 200
"""Limit of concurrent tasks."""

LAST_SECONDS: Final = 3.0
"""How long a shutdown waits for them."""


@dataclass(frozen=True, slots=True)
class AfterResponse:
    """Work that depends on an account and is done after the response, so that timing reveals nothing (LG-01)."""

    tasks: set[asyncio.Task[None]] = field(default_factory=set)

    async def start(self) -> None:
        pass

    async def close(self) -> None:
        if self.tasks:
            await asyncio.wait(self.tasks, timeout=LAST_SECONDS)

    def run(self, work: Coroutine[None, None, None]) -> None:
        """Raises UNAVAILABLE while too much is pending. `work` handles its own errors: no caller waits for it."""
        if len(self.tasks) >= AT_ONCE:
            work.close()
            raise UNAVAILABLE.error(retry_after=1, part="emails")
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
