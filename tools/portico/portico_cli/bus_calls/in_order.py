from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from typing import Final, TypeVar

Question = TypeVar("Question")
Answer = TypeVar("Answer")
Item = TypeVar("Item")

AT_ONCE: Final = 8


class _End(Enum):
    END = "end"


async def answers_in_order(
    questions: Iterable[Question] | AsyncIterable[Question],
    ask: Callable[[Question], Awaitable[Answer]],
    *,
    at_once: int = AT_ONCE,
) -> AsyncIterator[tuple[Question, Answer]]:
    """Asks up to `at_once` questions at the same time, and yields them with their answers in their order.

    An answer is not delayed by a question that comes late. The first exception ends the rest.
    """
    source = aiter(questions if isinstance(questions, AsyncIterable) else _each(questions))
    waiting: deque[tuple[Question, asyncio.Future[Answer]]] = deque()
    coming: asyncio.Future[Question | _End] | None = asyncio.ensure_future(anext(source, _End.END))
    try:
        while coming or waiting:
            taken = coming if len(waiting) < at_once else None
            answered = waiting[0][1] if waiting else None
            await asyncio.wait([one for one in (taken, answered) if one], return_when=asyncio.FIRST_COMPLETED)
            if taken and taken.done():
                coming = None
                if (question := taken.result()) is not _End.END:
                    waiting.append((question, asyncio.ensure_future(ask(question))))
                    coming = asyncio.ensure_future(anext(source, _End.END))
            else:
                yield waiting[0][0], await waiting[0][1]
                waiting.popleft()
    finally:
        left = [asked for _, asked in waiting] + ([coming] if coming else [])
        for one in left:
            one.cancel()
        await asyncio.gather(*left, return_exceptions=True)


async def from_thread(items: Iterator[Item]) -> AsyncIterator[Item]:
    """Yields items that block while they come, such as rows of a pipe; the event loop goes on meanwhile.

    At the end, the thread may still wait for an item: its source has to be ended, otherwise it keeps the process.
    """
    thread = ThreadPoolExecutor(1)  # the end of the event loop would wait for those of its own
    try:
        while True:
            item = await asyncio.get_running_loop().run_in_executor(thread, next, items, _End.END)
            if item is _End.END:
                return
            yield item
    finally:
        thread.shutdown(wait=False)


async def _each(items: Iterable[Item]) -> AsyncIterator[Item]:
    for item in items:
        yield item
