from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from typing import ClassVar, Final

from portico_runtime.process.clock import Clock
from portico_runtime.process.wakeup import SWEEP_SECONDS, Wakeup

from portico_users.webhooks.delivery_queues import DeliveryQueue, DeliveryQueues

LAST_SECONDS: Final = 3.0
"""How long a shutdown waits for requests in progress, which would be resent if aborted."""


class QueueTurns(ABC):
    """Processes due queues concurrently, each in a task; run `run_once` in the background.

    Attributes:
        at_once: queues that one replica processes concurrently.
    """

    at_once: ClassVar[int]

    def __init__(self, queues: DeliveryQueues, clock: Clock, wakeup: Wakeup) -> None:
        self._queues = queues
        self._clock = clock
        self._wakeup = wakeup
        self._serving: dict[asyncio.Task[None], DeliveryQueue] = {}
        self._stopping = False

    async def start(self) -> None:  # noqa: B027 - nothing to begin: `run_once` runs in the background
        pass

    async def close(self) -> None:
        self._stopping = True
        if self._serving:
            await asyncio.wait(self._serving, timeout=LAST_SECONDS)
        for task in self._serving:
            task.cancel()

    async def run_once(self) -> None:
        """Begins what is due, then waits for an event, a queue that ends, or the next attempt."""
        await self.begin_due()
        is_full = len(self._serving) == self.at_once
        next_time = None if is_full else await self._queues.find_next_time(short=self._only_short)
        await self._wakeup.wait(SWEEP_SECONDS if next_time is None else next_time - self._clock.now())

    async def begin_due(self) -> tuple[asyncio.Task[None], ...]:
        while len(self._serving) < self.at_once and not self._stopping:
            queue = await self._queues.claim(short=self._only_short)
            if queue is None:
                break
            task = asyncio.create_task(self._serve(queue))
            self._serving[task] = queue
            task.add_done_callback(self._done)
        return tuple(self._serving)

    @property
    def _only_short(self) -> bool:
        """Reports whether only queues are claimed whose last turn was not long."""
        return False

    def _done(self, task: asyncio.Task[None]) -> None:
        del self._serving[task]
        self._wakeup.set()

    @abstractmethod
    async def _serve(self, queue: DeliveryQueue) -> None:
        """Processes a queue for one turn; never raises."""
