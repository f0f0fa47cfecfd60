"""One run from start to end: targets up, processes on their cores, rounds, findings, everything down again."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from argparse import ArgumentTypeError, Namespace
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx

from bench import limit_target, stack_target
from bench.foreign_target import foreign_target
from bench.limit_target import Limit, limit_running
from bench.lines import say
from bench.measuring import Measuring
from bench.operations import OPERATIONS, Operation
from bench.preparing import Ground, discover
from bench.processes import family_of, pin
from bench.rates import Rates
from bench.report import Findings
from bench.stack_target import stack_running
from bench.target import Target
from bench.wrk import Drive

_HTTP_SECONDS: Final = 30


@dataclass(frozen=True, slots=True)
class Cores:
    """Who works where: one core for the services, all others for the generator and the stores."""

    services: set[int]
    others: set[int]

    @classmethod
    def of_this_machine(cls) -> Cores:
        """The first core for the services; on a machine with one core everything shares it."""
        every = sorted(os.sched_getaffinity(0))
        return cls({every[0]}, set(every[1:]) or {every[0]})


def wanted_operations(only: str) -> list[Operation]:
    """The operations whose names contain one of some words, separated by commas; all without words.

    Raises:
        ArgumentTypeError: when a word is in no name.
    """
    words = [word.strip().lower() for word in only.split(",") if word.strip()]
    for word in words:
        if not any(word in operation.name.lower() for operation in OPERATIONS):
            raise ArgumentTypeError(f"no operation is called {word}; --list names them")
    return [one for one in OPERATIONS if not words or any(word in one.name.lower() for word in words)]


async def measure(words: Namespace) -> Findings:
    """Does everything the command line requests.

    Raises:
        PreparationFailed, LoadFailed, ProcessGone, StartFailed: with a sentence.
    """
    if words.data:
        words.data.mkdir(parents=True, exist_ok=True)
    data = Path(tempfile.mkdtemp(prefix="portico-bench-", dir=words.data))
    try:
        async with AsyncExitStack() as opened:
            limit = None
            if not words.no_limit:
                limit = await opened.enter_async_context(limit_running(data / "limit", words.connections))
            subject = await _subject(words, data, opened)
            targets = [limit.target, subject] if limit else [subject]
            http = await opened.enter_async_context(httpx.AsyncClient(trust_env=False, timeout=_HTTP_SECONDS))
            grounds = [await discover(target, http, words.connections) for target in targets]
            return await _rounds(words, limit, grounds, data)
    finally:
        await asyncio.to_thread(shutil.rmtree, data, ignore_errors=True)


async def _subject(words: Namespace, data: Path, opened: AsyncExitStack) -> Target:
    if words.issuer:
        return foreign_target(words)
    return await opened.enter_async_context(stack_running(data / "stack", words.connections, say))


async def _rounds(words: Namespace, limit: Limit | None, grounds: list[Ground], plans: Path) -> Findings:
    cores = Cores.of_this_machine()
    _move([ground.target for ground in grounds], cores)
    measuring = Measuring(grounds, Drive(words.seconds, words.connections), plans, say)
    rates: list[Rates] = []
    for number in range(1, words.rounds + 1):
        say(f"round {number} of {words.rounds}")
        if limit:
            rates.append(await limit.rates(cores.services))
        await measuring.round(words.only)
    return Findings(
        rows=measuring.rows(),
        subject=grounds[-1].target.name,
        limit=limit_target.NAME if limit else "",
        rates=rates,
        conditions=_conditions(words, cores),
    )


def _move(targets: list[Target], cores: Cores) -> None:
    """The services to their core; this process, the stores and wrk, which it will start, to the others.

    Processes that another program started stay where they are.
    """
    ours = set(family_of(os.getpid()))
    services = {pid for target in targets for several in target.pids.values() for pid in several} & ours
    pin(ours - services, cores.others)
    pin(services, cores.services)


def _conditions(words: Namespace, cores: Cores) -> dict[str, Any]:
    return {
        "seconds": words.seconds,
        "rounds": words.rounds,
        "connections": words.connections,
        "service_cores": sorted(cores.services),
        "other_cores": sorted(cores.others),
        "settings": {} if words.issuer else stack_target.SETTINGS,
    }
