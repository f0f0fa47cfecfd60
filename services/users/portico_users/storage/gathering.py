from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from itertools import islice
from typing import Final, Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

AT_ONCE: Final = 100
"""Keys per batch; further ones wait for the next."""


def _one_queue(_key: object) -> Hashable:
    return None


class Gathering(Generic[Key, Value]):
    """Resolves keys in batches. Nothing is cached: a batch starts only after all of its calls.

    A caller therefore sees everything committed before its call, as with its own read. Under load one
    database query serves many callers; a single caller does not wait for others.
    """

    def __init__(
        self,
        work: Callable[[Sequence[Key]], Awaitable[Mapping[Key, Value]]],
        *,
        lane_of: Callable[[Key], Hashable] = _one_queue,
        rest: float = 0.0,
    ) -> None:
        """Queues (``lane_of``) are independent and process one batch at a time; keys without a value are omitted.

        ``rest`` is the pause in seconds after a batch of several keys: concurrent callers tend to call again
        together, and the first of them would otherwise get a batch alone.
        """
        self._work = work
        self._lane_of = lane_of
        self._rest = rest
        self._waiting: dict[Hashable, dict[Key, asyncio.Future[Value | None]]] = {}
        self._running: set[asyncio.Task[None]] = set()

    async def find(self, key: Key) -> Value | None:
        lane = self._lane_of(key)
        waiting = self._waiting.get(lane)
        if waiting is None:
            waiting = self._waiting[lane] = {}
            task = asyncio.create_task(self._run(lane, waiting))
            self._running.add(task)
            task.add_done_callback(self._running.discard)
        answer = waiting.get(key)
        if answer is None:
            answer = waiting[key] = asyncio.get_running_loop().create_future()
        # Cancelling one caller must not cancel the others.
        return await asyncio.shield(answer)

    async def _run(self, lane: Hashable, waiting: dict[Key, asyncio.Future[Value | None]]) -> None:
        asked: dict[Key, asyncio.Future[Value | None]] = {}
        try:
            while waiting:
                asked = {key: waiting.pop(key) for key in list(islice(waiting, AT_ONCE))}
                await self._answer(asked)
                if self._rest and len(asked) > 1 and len(waiting) < len(asked):
                    await asyncio.sleep(self._rest)
        finally:
            del self._waiting[lane]
            for answer in (*asked.values(), *waiting.values()):
                answer.cancel()  # without effect on those that have their answer

    async def _answer(self, asked: Mapping[Key, asyncio.Future[Value | None]]) -> None:
        try:
            found = await self._work(list(asked))
        except Exception as error:
            for answer in asked.values():
                answer.set_exception(error)
                answer.exception()  # seen, even where every caller has given up
            return
        for key, answer in asked.items():
            answer.set_result(found.get(key))
