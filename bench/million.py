"""What a large installation costs: ``python -m bench.million --help``.

Prepares two stacks once, a small and a large one, and compares processor times of requests of as many people in rounds
that alternate, or times the pages of the console in the large one.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

import httpx
import msgspec
from portico_contracts.apply import Document
from portico_contracts.catalogue import OPERATOR
from portico_oauth.errors import ServiceError
from portico_runtime.process.clock import SystemClock
from portico_stack.assembly.replicas import Replicas
from portico_stack.assembly.stored_mongo import stored_mongo
from portico_stack.processes.programs import StartFailed, mebibytes
from portico_stack.running.operator_bus import operator_bus

from bench import backups
from bench.every_page import time_every
from bench.measuring import CONNECTIONS, Measuring
from bench.multiplying import CACHE_MIB, Size, multiply
from bench.operations import named as operations_named
from bench.pages import PAGES, Browser, Timed, percentile, sign_in
from bench.processes import split_cores
from bench.relying_party import discover
from bench.scim_users import compare
from bench.stack_target import (
    PORTION,
    find_population,
    import_rows,
    prepare_population,
    row,
    stack_on,
    stack_running,
    usual_hash,
)
from bench.table import aligned
from bench.target import BenchFailed, Target, say
from bench.trees import check_out, this_tree

_ORGS: Final = 1_000

_ORIGINAL: Final = "person-000001"
_DONE: Final = "people.txt"
_REQUESTS: Final = "introspect opaque,userinfo,refresh,code flow,sign-in,read user,list users"
_REACH: Final = 1.1
_PAGE_MS: Final = 150
_MOST_PAGES: Final = 600
_SECONDS: Final = 60
_CONSOLE: Final = "/ui/console"
_OVERALL: Final = {
    "instance": f"{_CONSOLE}/instance",
    "everything": f"{_CONSOLE}/all",
    "organizations": _CONSOLE,
    "search of all, one word": f"{_CONSOLE}/search?q=ada",
    "audit of all": f"{_CONSOLE}/instance/audit",
}


async def _prepare(folder: Path, size: Size, signed_in: int) -> None:
    """Leaves a folder as it is where it has a population of this size that can still be used."""
    done, wanted = folder / _DONE, f"{size.people} {size.events}"
    usable = find_population(folder, signed_in, SystemClock().now()) is not None
    if usable and done.exists() and done.read_text("utf-8") == wanted:
        return
    await prepare_population(folder, signed_in)
    if size.people > signed_in:
        orgs = [f"org-{number:04}" for number in range(_ORGS)]
        async with stack_on(folder / "stack", mongo_cache_mib=CACHE_MIB) as stack:
            for start in range(0, _ORGS, PORTION):
                named = [{"id": org, "name": f"Organization {org[4:]}"} for org in orgs[start : start + PORTION]]
                await stack.apply(msgspec.convert({"organizations": named}, Document))
            shared = stack.layout.shared
            async with operator_bus(shared.bus_url, shared.bus_passwords[OPERATOR]) as bus:
                profile = {"firstName": "Ada", "lastName": "Lovelace"}
                await import_rows(bus, [row(_ORIGINAL, usual_hash("bench"), profile=profile)])
        more = replace(size, people=size.people - signed_in, orgs=orgs)
        async with stored_mongo(folder / "stack", services_stopped=True) as url:
            await asyncio.to_thread(multiply, url, "portico_users", _ORIGINAL, "member-0", more)
    done.write_text(wanted, "utf-8")


@asynccontextmanager
async def _running(folder: Path, name: str, data: Path, signed_in: int) -> AsyncIterator[Target]:
    """A copy of the folder's stack; BenchFailed where its tokens are not active any more."""
    async with stack_running(folder, signed_in, Replicas(), data, mongo_cache_mib=CACHE_MIB) as target:
        if not (folder / _DONE).exists():
            raise BenchFailed(f"the tokens of {folder} are too old; run this again, which prepares it again")
        yield replace(target, name=name)


async def _requests(folders: Sequence[tuple[str, Path]], options: argparse.Namespace) -> bool:
    async with AsyncExitStack() as opened:
        data = Path(opened.enter_context(TemporaryDirectory(prefix="portico-million-", ignore_cleanup_errors=True)))
        http = await opened.enter_async_context(httpx.AsyncClient(trust_env=False, timeout=_SECONDS))
        targets = [
            await opened.enter_async_context(_running(at, name, data / name, options.signed_in)) for name, at in folders
        ]
        parties = [await discover(target, http) for target in targets]
        split_cores(pid for target in targets for several in target.pids.values() for pid in several)
        measuring = Measuring(parties, options.seconds, data, few=False, connections=CONNECTIONS)
        for number in range(options.rounds):
            say(f"round {number + 1} of {options.rounds}")
            await measuring.round(operations_named(_REQUESTS))
    failures = [failure for row in measuring.rows.values() for failure in row.failures()]
    if failures:
        raise BenchFailed("; ".join(failures))
    taken = {(at.operation, at.target): row.total_cpu_us() or 0.0 for at, row in measuring.rows.items()}
    (small, _), (large, _) = folders
    rows, reached = [], True
    for operation in dict.fromkeys(operation for operation, _ in taken):
        before, now = taken[operation, small], taken[operation, large]
        reached &= now <= _REACH * before
        rows.append([operation, f"{before:,.0f}", f"{now:,.0f}", f"{now / before:.2f}"])
    say("\n" + "\n".join(aligned(["operation", f"{small} µs", f"{large} µs", "ratio"], rows)))
    return reached


async def _scim(options: argparse.Namespace) -> bool:
    with TemporaryDirectory(prefix="portico-million-", ignore_cleanup_errors=True) as data:
        return await compare(Path(data), (options.small, options.people), options.rounds, CACHE_MIB)


@asynccontextmanager
async def _signed_in(folder: Path, signed_in: int) -> AsyncIterator[tuple[Target, Browser]]:
    async with AsyncExitStack() as opened:
        data = Path(opened.enter_context(TemporaryDirectory(prefix="portico-million-", ignore_cleanup_errors=True)))
        http = await opened.enter_async_context(httpx.AsyncClient(trust_env=False, timeout=_SECONDS))
        target = await opened.enter_async_context(_running(folder, "large", data / "large", signed_in))
        yield target, await sign_in(target, http)


async def _every(folder: Path, options: argparse.Namespace) -> bool:
    async with _signed_in(folder, options.signed_in) as (_, browser):
        return await time_every(browser, options.rounds, _MOST_PAGES, _PAGE_MS)


async def _pages(folder: Path, options: argparse.Namespace) -> bool:
    async with _signed_in(folder, options.signed_in) as (target, browser):
        timed = Timed(browser, {**PAGES, **_OVERALL})
        timed.pages["list, last page"] = await timed.browser.last_page(PAGES["list"])
        await timed.round(1)
        timed.times.clear()
        for _ in range(options.rounds):
            await timed.round(options.requests)
        memory = mebibytes(pid for several in target.pids.values() for pid in several)
    rows = [[name, f"{median(some):.0f}", f"{percentile(some):.0f}"] for name, some in timed.times.items()]
    say("\n" + "\n".join(aligned(["page", "median ms", "p95 ms"], rows)) + f"\n\nAll components: {memory:,.0f} MiB")
    return all(percentile(some) <= _PAGE_MS for some in timed.times.values())


def main() -> int:
    """The status is 1 when something takes longer than it should, 2 when nothing was measured."""
    parser = argparse.ArgumentParser(prog="python -m bench.million", description="Measure a large installation.")
    parser.add_argument("what", nargs="+", choices=("requests", "pages", "every", "scim", "backup"))
    parser.add_argument("--people", type=int, default=1_000_000, help="default %(default)s")
    parser.add_argument("--small", type=int, default=10_000, help="people in the other stack (default %(default)s)")
    parser.add_argument("--signed-in", type=int, default=5_000, help="people with a session (default %(default)s)")
    parser.add_argument("--events", type=int, default=10_000_000, help="default %(default)s")
    parser.add_argument("--rounds", type=int, default=5, help="default %(default)s")
    parser.add_argument("--requests", type=int, default=4, help="of each page in a round (default %(default)s)")
    parser.add_argument("--seconds", type=int, default=3, help="of each measurement (default %(default)s)")
    parser.add_argument("--folder", type=Path, default=Path(".portico/million"), help="default %(default)s")
    parser.add_argument("--against", metavar="COMMIT", help="backups also of this commit")
    options = parser.parse_args()
    small, large = options.folder.absolute() / "small", options.folder.absolute() / "large"
    try:
        reached = True
        if "scim" in options.what:
            reached &= asyncio.run(_scim(options))
        if {"pages", "every", "requests", "backup"} & {*options.what}:
            asyncio.run(_prepare(large, Size(options.people, options.events), options.signed_in))
        if "backup" in options.what:
            trees = [*([check_out(options.against)] if options.against else []), this_tree()]
            reached &= asyncio.run(backups.compare(large / "stack", options.people, trees, options.rounds))
        if "pages" in options.what:
            reached &= asyncio.run(_pages(large, options))
        if "every" in options.what:
            reached &= asyncio.run(_every(large, options))
        if "requests" in options.what:
            asyncio.run(_prepare(small, Size(options.small, 0), options.signed_in))
            of = [(f"{options.small:,} people", small), (f"{options.people:,} people", large)]
            reached &= asyncio.run(_requests(of, options))
    except (BenchFailed, LookupError, httpx.HTTPError, OSError, StartFailed, ServiceError) as problem:
        sys.stderr.write(f"bench: {type(problem).__name__}: {problem}\n")
        return 2
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
