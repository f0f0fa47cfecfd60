"""The driver's threads wait for what wakes them; without this they look for it twice a second."""

from __future__ import annotations

import time
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Final

from pymongo import common, periodic_executor

_CURSOR_SECONDS: Final = 10
"""How often connections are looked after, and cursors closed that were not read to their end; by default each second."""


def rest_between_tasks() -> None:
    """Applies to clients that are created afterwards."""
    periodic_executor.PeriodicExecutor = WokenExecutor  # type: ignore[misc]
    common.KILL_CURSOR_FREQUENCY = _CURSOR_SECONDS


class WokenExecutor(periodic_executor.PeriodicExecutor):
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        # Its `put` may be called by a weak reference's callback, like `close`: it waits for no lock.
        self._wakers: SimpleQueue[None] = SimpleQueue()

    def wake(self) -> None:
        super().wake()
        self._wakers.put(None)

    def close(self, dummy: Any = None) -> None:
        super().close(dummy)
        self._wakers.put(None)

    def _run(self) -> None:
        """Works like the driver's loop, except for the wait."""
        while not self._should_stop():
            try:
                if not self._target():
                    self._stopped = True
                    break
            except BaseException:
                with self._lock:
                    self._stopped = True
                    self._thread_will_exit = True
                raise
            if self._skip_sleep:
                self._skip_sleep = False
            else:
                self._wait()
            self._event = False

    def _wait(self) -> None:
        began = time.monotonic()
        with suppress(Empty):
            self._wakers.get(timeout=self._interval)
            if not self._stopped:
                time.sleep(max(0.0, began + self._min_interval - time.monotonic()))
            while True:
                self._wakers.get_nowait()
