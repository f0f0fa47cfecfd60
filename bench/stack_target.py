"""Portico as a target: a stack of its own on free ports, started from a population that is prepared once."""

from __future__ import annotations

import shutil
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import httpx
from portico_contracts.catalogue import OPERATOR, SERVICES
from portico_stack.layout import StackOptions
from portico_stack.operator_bus import operator_bus
from portico_stack.replicas import Replicas
from portico_stack.servers.redis import MEMORY_MIB
from portico_stack.stack import Stack

from bench.populating import import_rows
from bench.population import Population, copy_population, find_population, is_usable, prepare_population
from bench.stack_cast import ORGANIZATION, SETTINGS
from bench.storing import store_users
from bench.target import Target

NAME: Final = "portico"
COMPONENTS: Final = ("gateway", *SERVICES, "redis", "mongo", "nats")
"""Every process a user's request may cost, in the order it passes them."""

_HTTP_SECONDS: Final = 30
_GRANT_BYTES: Final = 2_048
"""More than a grant takes in Redis."""


@dataclass(frozen=True, slots=True)
class StackWish:
    """What is to be started.

    Args:
        folder: where the population is stored.
        people: how many there are to be.
        fresh: prepare them anew in any case.
        stored: how many users and grants are to be stored besides, which takes memory.
        replicas: processes of each service.
    """

    folder: Path
    people: int
    fresh: bool = False
    stored: int = 0
    replicas: Replicas = field(default_factory=Replicas)


@asynccontextmanager
async def stack_running(wish: StackWish, data: Path, say: Callable[[str], None]) -> AsyncIterator[Target]:
    """Starts a stack with its population.

    Args:
        data: everything of this run lies below it.
        say: gets the lines of the start.
    """
    population = await _population(wish, say)
    async with AsyncExitStack() as opened:
        stack = await opened.enter_async_context(_started(wish, data, say))
        async with httpx.AsyncClient(trust_env=False, timeout=_HTTP_SECONDS) as http:
            usable = await is_usable(population, http, stack.issuer)
        if not usable:
            await opened.aclose()
            say("the population of an earlier run does not do any more")
            population = await prepare_population(wish.folder, wish.people, say)
            stack = await opened.enter_async_context(_started(wish, data, say))
        shared = stack.layout.shared
        bus = await opened.enter_async_context(operator_bus(shared.bus_url, shared.bus_passwords[OPERATOR]))

        async def importer(rows: Sequence[str]) -> None:
            await import_rows(bus, rows, ORGANIZATION)

        async def store(count: int) -> None:
            await store_users(stack, "member-0", count, say)

        addresses = {service: f"http://{stack.replicas_of(service)[0].address}" for service in SERVICES}
        yield Target(
            name=NAME,
            issuer=stack.issuer,
            cast=population.cast(wish.people),
            services=addresses,
            pids=component_pids(stack),
            import_rows=importer,
            store_users=store,
        )


def component_pids(stack: Stack) -> dict[str, list[int]]:
    """The processes of every component; all replicas of a service together."""
    return {name: [process.pid for process in stack.processes(name) if process.pid is not None] for name in COMPONENTS}


async def _population(wish: StackWish, say: Callable[[str], None]) -> Population:
    found = None if wish.fresh else find_population(wish.folder, wish.people, time.time())  # noqa: TID251 - see there
    return found or await prepare_population(wish.folder, wish.people, say)


@asynccontextmanager
async def _started(wish: StackWish, data: Path, say: Callable[[str], None]) -> AsyncIterator[Stack]:
    shutil.rmtree(data, ignore_errors=True)
    await copy_population(wish.folder, data)
    memory = MEMORY_MIB + wish.stored * _GRANT_BYTES // 2**20
    options = StackOptions(data=data, port=0, extra_env=SETTINGS, redis_memory_mib=memory, replicas=wish.replicas)
    stack = Stack(options, say)
    try:
        await stack.start()
        yield stack
    finally:
        await stack.stop()
