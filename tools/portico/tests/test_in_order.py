from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from portico_cli.bus_calls.in_order import AT_ONCE, answers_in_order


class Asked:
    """Answers the last question first, when as many as possible are asked."""

    def __init__(self) -> None:
        self.doors: dict[int, asyncio.Event] = {}
        self.most = 0
        self.ended: list[int] = []

    async def __call__(self, question: int) -> int:
        self.doors[question] = asyncio.Event()
        self.most = max(self.most, len(self.doors))
        if len(self.doors) == AT_ONCE or question == 20:
            self.doors[question].set()
        try:
            await self.doors[question].wait()
        finally:
            del self.doors[question]
            self.ended.append(question)
            if self.doors:
                self.doors[max(self.doors)].set()
        return -question


async def test_answers_are_in_the_order_of_the_questions() -> None:
    """At most eight questions are asked at the same time, and the order of the answers does not show."""
    asked = Asked()
    found = [pair async for pair in answers_in_order(range(21), asked)]

    assert found == [(number, -number) for number in range(21)]
    assert asked.most == AT_ONCE
    assert asked.ended[0] == AT_ONCE - 1


async def test_first_exception_ends_the_rest() -> None:
    """An exception reaches the caller itself, and no question is left under way."""
    begun, ended = list[int](), list[int]()

    async def ask(question: int) -> int:
        begun.append(question)
        if question == 2:
            raise ValueError("no")
        try:
            await asyncio.Event().wait() if question > 2 else None
        finally:
            ended.append(question)
        return question

    with pytest.raises(ValueError, match="no"):
        _ = [pair async for pair in answers_in_order(range(100), ask)]

    assert sorted([*ended, 2]) == begun
    assert len(begun) < 2 * AT_ONCE


async def test_late_question_delays_no_answer() -> None:
    """Answers of an import arrive while its pipe brings no further row."""
    more = asyncio.Event()

    async def questions() -> AsyncIterator[int]:
        yield 1
        await more.wait()
        yield 2

    async def ask(question: int) -> int:
        return -question

    answers = answers_in_order(questions(), ask)

    assert await anext(answers) == (1, -1)
    more.set()
    assert [pair async for pair in answers] == [(2, -2)]
