"""``python -m bench``: see ``--help``."""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import urlsplit

import httpx
from portico_oauth.errors import ServiceError
from portico_stack.assembly.replicas import Replicas
from portico_stack.machine.binaries import ProgramMissing
from portico_stack.processes.programs import StartFailed

from bench.limit_target import limit_running
from bench.measuring import CONNECTIONS, Measuring
from bench.node_target import NotThere, node_running
from bench.operations import OPERATIONS, named
from bench.processes import split_cores
from bench.ratios import FILE, git, record
from bench.relying_party import discover
from bench.report import Findings, as_json, put_into, table
from bench.rest import at_rest
from bench.stack_target import stack_running
from bench.target import PEER, REDIRECT_URI, Accounts, BenchFailed, Member, Target, say

_ROOT: Final = Path(__file__).parent.parent
_REST_SECONDS: Final = 30
_BOTH: Final = (1, 2)
"""Replicas at rest."""
_NODE: Final = Path(".portico/node-oidc-provider")
_EXPECTED: Final = (httpx.HTTPError, OSError, BenchFailed, StartFailed, ProgramMissing, ServiceError)


def main() -> int:
    """The status is 1 after wrong answers, 2 when nothing was measured."""
    options, began = parser().parse_args(), time.monotonic()
    whole = options.only == list(OPERATIONS) and not options.issuer and not options.no_limit
    if options.rest is None:
        options.rest = _REST_SECONDS if whole else 0
    try:
        rests = [asyncio.run(at_rest(replicas, options.rest)) for replicas in (_BOTH if options.rest else ())]
        findings = replace(asyncio.run(_measure(options)), rests=rests)
    except _EXPECTED as problem:
        return _complain(2, f"bench: {type(problem).__name__}: {problem}")
    except KeyboardInterrupt:
        return 130
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_bytes(as_json(findings))
    minutes = (time.monotonic() - began) / 60
    say(f"\n{table(findings)}\nEverything of every round: {options.json}. The run took {minutes:.0f} minutes.")
    if failures := findings.failures():
        return _complain(1, "\nFAILED: these answers were not right, so the figures do not count.", *failures)
    if options.record:
        commit = git(_ROOT, "describe", "--tags", "--always", "--dirty")
        record(_ROOT / FILE, findings.ratios(), commit)
        if options.only == list(OPERATIONS):
            put_into(_ROOT / "docs" / "performance.md", f"Measured at {commit}.\n\n{table(findings)}")
    return 0


async def _measure(options: argparse.Namespace) -> Findings:
    async with AsyncExitStack() as opened:
        data = Path(opened.enter_context(TemporaryDirectory(prefix="portico-bench-", ignore_cleanup_errors=True)))
        targets, no_peer = [], "its ratio needs the limit"
        if not options.no_limit:
            targets.append(await opened.enter_async_context(limit_running(data / "limit")))
            try:
                targets.append(await opened.enter_async_context(node_running(_NODE, data / "node")))
            except NotThere as reason:
                no_peer = str(reason)
                say(f"{PEER} is not measured: {no_peer}")
        if options.issuer:
            targets.append(other_provider(options))
        else:
            stack = stack_running(options.population.absolute(), options.people, options.replicas, data / "stack")
            targets.append(await opened.enter_async_context(stack))
        http = await opened.enter_async_context(httpx.AsyncClient(trust_env=False, timeout=120))
        parties = [await discover(target, http) for target in targets]
        split_cores(pid for target in targets for several in target.pids.values() for pid in several)
        measuring = Measuring(parties, options.seconds, data, direct=options.direct, connections=options.connections)
        findings = await _rounds(options, measuring)
        return findings if any(target.name == PEER for target in targets) else replace(findings, no_peer=no_peer)


async def _rounds(options: argparse.Namespace, measuring: Measuring) -> Findings:
    subject, meter = list(measuring.meters.items())[-1]
    conditions = {
        name: str(getattr(options, name)) for name in ("seconds", "rounds", "people", "replicas", "connections")
    }
    memory = meter.memory_mib()

    def findings() -> Findings:
        return Findings(measuring.rows, subject, conditions, memory, meter.memory_mib(), meter.at_rest)

    for number in range(1, options.rounds + 1):
        say(f"round {number} of {options.rounds}")
        await measuring.round(options.only)
    if options.part_load:
        say("p99 at a part of the load")
        await measuring.part_load(options.only)
    return findings()


def parser() -> argparse.ArgumentParser:
    """The options."""
    found = argparse.ArgumentParser(
        prog="python -m bench",
        description="Measure Portico, compared with the limits of the machine. @FILE is replaced by the line of a file.",
        fromfile_prefix_chars="@",
    )
    add = found.add_argument
    names = ", ".join(operation.name for operation in OPERATIONS)
    add("--only", default=list(OPERATIONS), type=named, metavar="WORDS", help=f"words, with commas, out of: {names}")
    add("--rounds", type=int, default=3, help="medians are over so many (default %(default)s)")
    add("--seconds", type=int, default=3, help="length of each measurement (default %(default)s)")
    add("--connections", type=int, default=CONNECTIONS, help="requests at the same time (default %(default)s)")
    add("--direct", action="store_true", help="also ask the services themselves, past the gateway")
    add("--people", type=int, default=10_000, help="size of the population (default %(default)s)")
    add("--replicas", type=Replicas.read, default=Replicas(), metavar="token=2", help="processes of services")
    add("--population", type=Path, default=".portico/bench-population", help="its folder (default %(default)s)")
    add(
        "--rest",
        type=int,
        metavar="SECONDS",
        help=f"length of the measurement at rest (of all operations: {_REST_SECONDS})",
    )
    add("--record", action="store_true", help=f"write the ratios to {FILE}")
    add("--no-part-load", dest="part_load", action="store_false", help="omit the p99 at 70 %% of the load")
    add("--no-limit", action="store_true", help="leave out the bare functions")
    add("--json", type=Path, default=".portico/bench.json", help="file for all figures (default %(default)s)")
    add = found.add_argument_group("another OpenID provider, instead of a stack of Portico").add_argument
    add("--issuer", help="its issuer, where the discovery document is")
    add("--client-id", help="a client with the code flow, and introspection where it may")
    add("--client-secret", default="")
    add("--auth-method", default="client_secret_basic", help="how the clients authenticate (default %(default)s)")
    add("--redirect-uri", default=REDIRECT_URI, help="registered for the client (default %(default)s)")
    add("--service-id", help="a client with client_credentials")
    add("--service-secret", default="")
    add("--cookie", action="append", default=[], help="Cookie header of a browser that is signed in")
    add("--pid", action="append", default=[], type=_pid, metavar="NAME=PID", help="a process whose CPU time counts")
    return found


def other_provider(options: argparse.Namespace) -> Target:
    """The provider that the options describe."""
    pids: dict[str, list[int]] = {}
    for name, pid in options.pid:
        pids.setdefault(name, []).append(pid)
    accounts = Accounts(
        {options.client_id: options.client_secret} if options.client_id else {},
        {options.service_id: options.service_secret} if options.service_id else {},
        [Member(cookie) for cookie in options.cookie * (CONNECTIONS // max(len(options.cookie), 1))],
        redirect_uri=options.redirect_uri,
        auth_method=options.auth_method,
    )
    issuer = options.issuer.rstrip("/")
    return Target(urlsplit(issuer).netloc, issuer, accounts, pids)


def _pid(text: str) -> tuple[str, int]:
    name, pid = text.split("=")
    return name, int(pid)


def _complain(status: int, *lines: str) -> int:
    sys.stderr.write("".join(f"{line}\n" for line in lines))
    return status


if __name__ == "__main__":
    sys.exit(main())
