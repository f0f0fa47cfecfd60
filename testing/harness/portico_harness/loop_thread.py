"""An event loop in a separate thread, so that its tasks continue while tests block."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


class LoopThread:
    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="test servers", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, Result], *, seconds: float = 120.0) -> Result:
        """Runs a coroutine in the thread; returns its result or raises its exception."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(seconds)

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._loop.close()
