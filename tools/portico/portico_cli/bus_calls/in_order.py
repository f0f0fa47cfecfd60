from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Final, TypeVar

Question = TypeVar("Question")
Answer = TypeVar("Answer")

AT_ONCE: Final = 8


async def answers_in_order(
    questions: Iterable[Question], ask: Callable[[Question], Awaitable[Answer]], *, at_once: int = AT_ONCE
) -> AsyncIterator[tuple[Question, Answer]]:
    """Asks up to `at_once` questions at the same time, and yields them with their answers in their order.

    The first exception ends the rest.
    """
    waiting: deque[tuple[Question, asyncio.Future[Answer]]] = deque()
    try:
        for question in questions:
            waiting.append((question, asyncio.ensure_future(ask(question))))
            if len(waiting) == at_once:
                yield waiting[0][0], await waiting[0][1]
                waiting.popleft()
        while waiting:
            yield waiting[0][0], await waiting[0][1]
            waiting.popleft()
    finally:
        for _, asked in waiting:
            asked.cancel()
        await asyncio.gather(*(asked for _, asked in waiting), return_exceptions=True)
