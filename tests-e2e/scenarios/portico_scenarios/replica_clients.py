"""Concurrent requests spread evenly over the replicas of a service.

Uses httpcore directly, because httpx itself would limit a race.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any, Final, Self, TypeVar

import httpcore
import httpx
from portico_contracts.http import TOKEN

IN_FLIGHT: Final = 256
"""Maximum number of concurrent requests (TK-01)."""

_TIMEOUT: Final = {"timeout": dict.fromkeys(("connect", "read", "write", "pool"), 30.0)}
"""Seconds after which a request is considered to hang."""

_FORM: Final = {"Content-Type": "application/x-www-form-urlencoded"}


@dataclass(frozen=True, slots=True)
class Post:
    path: str
    content: bytes = field(repr=False)
    headers: list[tuple[str, str]] = field(repr=False)


def post(path: str, form: dict[str, str], headers: dict[str, str] | None = None) -> Post:
    content = str(httpx.QueryParams(form)).encode()
    length = {"Content-Length": str(len(content))}
    return Post(path, content, list({"Host": "localhost", **_FORM, **length, **(headers or {})}.items()))


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    content: bytes = field(repr=False)

    def json(self) -> dict[str, Any]:
        members: dict[str, Any] = json.loads(self.content)
        return members


class ReplicaClient:
    """A client with an open connection to every replica, one of which is its preferred one.

    Args:
        addresses: host and port of each replica, the preferred one first.
    """

    def __init__(self, addresses: Sequence[str]) -> None:
        self.pool = httpcore.AsyncConnectionPool(max_connections=len(addresses))
        self._addresses = addresses

    async def send(self, what: Post) -> Answer:
        return await self._send(what, self._addresses[0])

    async def send_to_each(self, what: Post) -> list[Answer]:
        return await self.send_one_to_each(lambda: what)

    async def send_one_to_each(self, make: Callable[[], Post]) -> list[Answer]:
        return [await self._send(make(), address) for address in self._addresses]

    async def _send(self, what: Post, address: str) -> Answer:
        url = f"http://{address}{what.path}"
        answer = await self.pool.request("POST", url, headers=what.headers, content=what.content, extensions=_TIMEOUT)
        return Answer(answer.status, answer.content)


Outcome = TypeVar("Outcome")
Shot = Callable[[ReplicaClient], Awaitable[Outcome]]


class ReplicaClients:
    """Connections that are opened before a race begins; use it as an async context.

    Args:
        addresses: host and port of each replica.
    """

    def __init__(self, addresses: Iterable[str], in_flight: int = IN_FLIGHT) -> None:
        there = tuple(addresses)
        turns = [there[number:] + there[:number] for number in range(len(there))]
        self._clients = [ReplicaClient(turn) for turn in itertools.islice(itertools.cycle(turns), in_flight)]
        self._opened = AsyncExitStack()

    async def __aenter__(self) -> Self:
        for client in self._clients:
            await self._opened.enter_async_context(client.pool)
        # An empty form opens the connection, so that the race measures the claim only.
        await asyncio.gather(*(client.send(post(TOKEN, {})) for client in self._clients))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._opened.aclose()

    async def race(self, shot: Shot[Outcome], times: int) -> list[Outcome]:
        """Runs a shot that many times, with one in flight per client; returns every outcome."""
        left = iter(range(times))

        async def run(client: ReplicaClient) -> list[Outcome]:
            return [await shot(client) for _ in left]

        outcomes = await asyncio.gather(*(run(client) for client in self._clients))
        return [outcome for one in outcomes for outcome in one]

    async def send_all(self, posts: Sequence[Post]) -> list[Answer]:
        left = iter(posts)
        return await self.race(lambda client: client.send(next(left)), len(posts))

    async def ask_everywhere(self, what: Post) -> list[Answer]:
        return await self._clients[0].send_to_each(what)

    async def ask_each(self, make: Callable[[], Post]) -> list[Answer]:
        """Sends each replica a new form, for requests that work once."""
        return await self._clients[0].send_one_to_each(make)
