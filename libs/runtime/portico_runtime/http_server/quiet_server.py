from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn.config
import uvicorn.server
from uvicorn.server import HANDLED_SIGNALS


class QuietServer(uvicorn.server.Server):
    """Does nothing while no request arrives.

    uvicorn polls ten times a second, most of the cost of an idle replica, and thereby sets the Date header:
    `BoundedHttp` sets it itself, other protocols need ``date_header=False``.
    """

    def __init__(self, config: uvicorn.config.Config, *, ends_at_signals: bool = True) -> None:
        """`ends_at_signals`: False where several servers share one process, which handles them."""
        self._ending = asyncio.Event()
        self._ends_at_signals = ends_at_signals
        super().__init__(config)

    @property
    def should_exit(self) -> bool:
        return self._ending.is_set()

    @should_exit.setter
    def should_exit(self, value: bool) -> None:
        if value:
            self._ending.set()
        else:
            self._ending.clear()

    async def main_loop(self) -> None:
        await self._ending.wait()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handles signals in the loop: uvicorn's handlers do not wake up one that waits."""
        loop = asyncio.get_running_loop()
        handled = HANDLED_SIGNALS if self._ends_at_signals else ()
        for one in handled:
            loop.add_signal_handler(one, self._ending.set)
        try:
            yield
        finally:
            for one in handled:
                loop.remove_signal_handler(one)
