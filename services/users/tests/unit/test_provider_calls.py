"""A slow identity provider delays its own people only."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest
from portico_oauth.errors import ServiceError
from portico_users.federation.provider_calls import AT_ONCE, OF_ONE_PROVIDER, ProviderCalls


async def test_a_slow_provider_takes_no_place_of_others() -> None:
    """However many wait for it; those get an answer at the deadline (USER-978)."""
    calls = ProviderCalls(seconds=1.0)
    asked: list[str] = []

    async def ask_slow() -> None:
        async with calls.place("slow"):
            asked.append("slow")
            await asyncio.Event().wait()

    waiting = [asyncio.create_task(ask_slow()) for _ in range(2 * AT_ONCE)]
    await asyncio.sleep(0)
    async with AsyncExitStack() as stack:
        for number in range(AT_ONCE - OF_ONE_PROVIDER):
            await stack.enter_async_context(calls.place(f"quick-{number}"))
    # Counted before the deadline: a place that is free at the deadline may be
    # taken for an instant by one that waits.
    assert len(asked) == OF_ONE_PROVIDER
    ended = await asyncio.gather(*waiting, return_exceptions=True)

    assert {one.id for one in ended if isinstance(one, ServiceError)} == {"USER-978"}
    assert len([one for one in ended if isinstance(one, ServiceError)]) == 2 * AT_ONCE


async def test_a_place_is_free_again() -> None:
    """Also after an error of the call, and after a deadline."""
    calls = ProviderCalls(seconds=0.05)
    for _ in range(2 * OF_ONE_PROVIDER):
        with pytest.raises(ValueError, match="of the call"):
            async with calls.place("idp"):
                raise ValueError("of the call")
        with pytest.raises(ServiceError):
            async with calls.place("idp"):
                await asyncio.Event().wait()
    async with calls.place("idp"):
        pass
