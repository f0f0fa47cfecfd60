from __future__ import annotations

import asyncio

import pytest
from portico_runtime.concurrently import both


async def test_both_wait_at_the_same_time() -> None:
    """Each can wait for the other."""
    first, second = asyncio.Event(), asyncio.Event()

    async def wait(own: asyncio.Event, other: asyncio.Event, name: str) -> str:
        own.set()
        await other.wait()
        return name

    assert await both(wait(first, second, "a"), wait(second, first, "b")) == ("a", "b")


async def test_failure_ends_the_other() -> None:
    """Nothing goes on in the background after an error."""
    begun, ended = asyncio.Event(), asyncio.Event()

    async def fail() -> None:
        await begun.wait()
        raise LookupError

    async def wait() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    with pytest.raises(LookupError):
        await both(fail(), wait())

    assert ended.is_set()


async def test_failure_of_the_second_is_raised() -> None:
    async def fail() -> None:
        raise LookupError

    with pytest.raises(LookupError):
        await both(asyncio.sleep(0), fail())
