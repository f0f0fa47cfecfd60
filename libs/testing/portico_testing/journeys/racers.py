"""Many requests at the same moment, spread evenly over the replicas of a service."""

from __future__ import annotations

import asyncio
import itertools
import ssl
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AsyncExitStack
from typing import Final, Self, TypeVar

import httpx
from portico_contracts.http import TOKEN

IN_FLIGHT: Final = 256
"""Requests under way at once (TK-01)."""

Outcome = TypeVar("Outcome")
Shot = Callable[[httpx.AsyncClient], Awaitable[Outcome]]


class Racers:
    """Connections that are open before a race begins, each to one replica; use it as an async context.

    Args:
        addresses: host and port of each replica.
    """

    def __init__(self, addresses: Iterable[str], in_flight: int = IN_FLIGHT) -> None:
        self._addresses = list(itertools.islice(itertools.cycle(addresses), in_flight))
        self._opened = AsyncExitStack()
        self._clients: list[httpx.AsyncClient] = []

    async def __aenter__(self) -> Self:
        trust = ssl.create_default_context()
        for address in self._addresses:
            client = httpx.AsyncClient(base_url=f"http://{address}", verify=trust, trust_env=False, timeout=30)
            self._clients.append(await self._opened.enter_async_context(client))
        # A request that changes nothing opens the connection, so that the race is about the claim alone.
        await asyncio.gather(*(client.get(TOKEN) for client in self._clients))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._opened.aclose()

    async def race(self, shot: Shot[Outcome], times: int) -> list[Outcome]:
        """Fires so many times, as many at once as there are connections; returns what came of each."""
        left = iter(range(times))

        async def run(client: httpx.AsyncClient) -> list[Outcome]:
            return [await shot(client) for _ in left]

        outcomes = await asyncio.gather(*(run(client) for client in self._clients))
        return [outcome for one in outcomes for outcome in one]

    async def each(self, shot: Shot[Outcome]) -> list[Outcome]:
        """Fires once at every replica, one after the other."""
        first = {client.base_url: client for client in reversed(self._clients)}
        return [await shot(client) for client in first.values()]
