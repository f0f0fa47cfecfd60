"""What requests of a directory cost among few users and among many: ``make million ARGS=scim``.

The users are copies of one whom a directory sent, written into MongoDB (`multiplying`). A round has a request for each
of the same users in each installation. The first round is not counted: pages are read from the disk at their first use.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

import httpx
from portico_stack.assembly.stored_mongo import stored_mongo
from portico_stack.machine.private_files import private_directory

from bench.multiplying import Size, id_of, multiply
from bench.processes import Meter
from bench.scim import Provisioner, connect, patch
from bench.stack_target import pids_of, stack_on
from bench.table import aligned
from bench.target import say

_REACH: Final = 1.1
_REQUESTS: Final = 400
_STEP: Final = 7_919
"""Between the numbers of users, so that they are spread over all pages of an index."""

_PAGE: Final = "page of 20 users"
"""Has no bound: now and then its total is counted, which takes longer for more users."""

_SECONDS: Final = 60
_SERVERS: Final = ("users", "mongo")
"""The components that a table shows apart."""


@dataclass(slots=True)
class Installation:
    """A running stack with the users of a directory. `taken` has processor seconds by request, round and component."""

    people: int
    directory: Provisioner
    meter: Meter
    taken: dict[str, list[dict[str, float]]] = field(default_factory=dict)

    def questions(self) -> dict[str, Callable[[int], Awaitable[object]]]:
        send = self.directory.send

        async def find(number: int) -> None:
            await self.directory.find("Users", f'userName eq "{id_of(number)}"')

        async def change(number: int) -> None:
            operation = {"op": "Replace", "path": "title", "value": f"Engineer {time.monotonic_ns()}"}
            await send("PATCH", f"/Users/{id_of(number)}", patch(operation))

        return {
            "read a user": lambda number: send("GET", f"/Users/{id_of(number)}"),
            "find by user name": find,
            "PATCH a user": change,
            _PAGE: lambda _number: send("GET", "/Users", startIndex="1", count="20"),
        }

    async def ask(self, name: str) -> None:
        question = self.questions()[name]

        async def all_of_them() -> None:
            for number in range(_REQUESTS):
                await question(number * _STEP % self.people)

        _, spent = await self.meter.spent(all_of_them())
        self.taken.setdefault(name, []).append(spent)

    def milliseconds(self, name: str, *components: str) -> float:
        """The median over the rounds of the processor time of one request; all components without names."""
        rounds = self.taken[name]
        return 1_000 / _REQUESTS * median(sum(one[part] for part in components or one) for one in rounds)


async def compare(data: Path, sizes: Sequence[int], rounds: int, cache_mib: int) -> bool:
    """Prints a table; returns False if a request for one user costs more than it may in the second installation."""
    async with AsyncExitStack() as opened:
        http = await opened.enter_async_context(httpx.AsyncClient(trust_env=False, timeout=_SECONDS))
        both = [await opened.enter_async_context(_started(data / str(size), http, size, cache_mib)) for size in sizes]
        for number in range(rounds + 1):
            say(f"round {number} of {rounds}")
            await asyncio.gather(*(one.meter.rest() for one in both))
            for name in both[0].questions():
                for one in both if number % 2 else reversed(both):
                    await one.ask(name)
            if not number:
                for one in both:
                    one.taken.clear()
    few, many = both
    rows, reached = [], True
    for name in few.questions():
        taken = [few.milliseconds(name), many.milliseconds(name)]
        reached &= name == _PAGE or taken[1] <= _REACH * taken[0]
        parts = [f"{one.milliseconds(name, server):.2f}" for server in _SERVERS for one in both]
        rows.append([name, *(f"{one:.2f}" for one in taken), f"{taken[1] / taken[0]:.2f}", *parts])
    heads = [f"{one.people:,} people{of}" for of in ("", *(f", {server}" for server in _SERVERS)) for one in both]
    say("\n" + "\n".join(aligned(["ms of a request", *heads[:2], "ratio", *heads[2:]], rows)))
    return reached


@asynccontextmanager
async def _started(data: Path, http: httpx.AsyncClient, people: int, cache_mib: int) -> AsyncIterator[Installation]:
    private_directory(data)
    async with stack_on(data, mongo_cache_mib=cache_mib) as stack:
        directory = await connect(stack, http)
        await directory.send_person(0)
    async with stored_mongo(data, services_stopped=True) as url:
        await asyncio.to_thread(multiply, url, "portico_users", directory.ids[0], None, Size(people, 0))
    async with stack_on(data, mongo_cache_mib=cache_mib) as stack:
        yield Installation(people, directory, Meter(pids_of(stack)))
