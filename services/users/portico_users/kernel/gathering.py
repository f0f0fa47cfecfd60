"""What callers ask while the same is under way for others, done together in the next turn."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from itertools import islice
from typing import Final, Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

AT_ONCE: Final = 100
"""Keys of one turn; more of them wait for the next one."""


def _one_lane(_key: object) -> Hashable:
    return None


class Gathering(Generic[Key, Value]):
    """Answers keys, many in one turn. Nothing is remembered: a turn begins only after every caller it answers has asked.

    So each caller of a read sees all that was committed before its own call, as with a read of its own. A busy service
    asks the store once for many callers; a caller that is alone waits for no other.
    """

    def __init__(
        self,
        work: Callable[[Sequence[Key]], Awaitable[Mapping[Key, Value]]],
        *,
        lane_of: Callable[[Key], Hashable] = _one_lane,
        rest: float = 0.0,
    ) -> None:
        """Begins with nothing to do.

        Args:
            work: answers some keys; keys without a value are left out.
            lane_of: keys of one lane are answered together, one turn at a time; lanes do not wait for each other.
            rest: seconds after a turn of several keys before the next one begins: those who were answered together ask
                again at nearly the same time, and the first of them would otherwise have a turn of its own.
        """
        self._work = work
        self._lane_of = lane_of
        self._rest = rest
        self._waiting: dict[Hashable, dict[Key, asyncio.Future[Value | None]]] = {}
        self._running: set[asyncio.Task[None]] = set()

    async def find(self, key: Key) -> Value | None:
        """The value of a key, or nothing; raises what the work raised."""
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
        # A caller that gives up takes the answer from no other.
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
