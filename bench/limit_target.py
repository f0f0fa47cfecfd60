"""The limit as a target: the bare application as a process, with a Redis of its own that is configured alike."""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec
from portico_contracts.http import DISCOVERY
from portico_journeys.relying_party import Client
from portico_stack import http_probe
from portico_stack.ports import free_port
from portico_stack.processes import Process, Program, without_portico
from portico_stack.servers.mongo import ADMIN, USERS, MongoServer
from portico_stack.servers.redis import RedisServer

from bench.http_line import http_line
from bench.limits.app import USER
from bench.limits.signatures import ALGORITHMS
from bench.lines import say
from bench.preparing import PreparationFailed
from bench.processes import pin
from bench.rates import Rates
from bench.target import Cast, Person, Target

NAME: Final = "limit"
_REDIRECT: Final = "http://localhost:1/callback"


@dataclass(frozen=True, slots=True)
class Limit:
    """The limit, running."""

    target: Target
    environment: dict[str, str] = field(repr=False)

    async def rates(self, cores: set[int]) -> Rates:
        """The machine's own rates, measured now on the cores the services have."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bench.rates"), env=self.environment, stdout=asyncio.subprocess.PIPE
        )
        pin([process.pid], cores)
        output, _ = await process.communicate()
        return msgspec.json.decode(output, type=Rates)


@asynccontextmanager
async def limit_running(data: Path, people: int) -> AsyncIterator[Limit]:
    """Starts the bare application.

    Args:
        data: everything lies below it.
        people: how many may sign in.
    """
    password = f"p{secrets.token_hex(20)}"
    redis = RedisServer(data / "redis", free_port(), {USER: password})
    mongo = MongoServer(data / "mongo", free_port(), dict.fromkeys((ADMIN, *USERS), password), password)
    environment = _environment(redis.url, mongo.url, password)
    programs = (redis.program(), mongo.program(), _program(environment))
    processes = [Process(program, data / "logs", say) for program in programs]
    try:
        for process in processes[:2]:
            await process.start()
        await mongo.prepare()
        await processes[2].start()
        yield Limit(_target(environment["PORTICO_ISSUER"], password, people, processes), environment)
    finally:
        for process in reversed(processes):
            await process.stop(3)


def _environment(redis_url: str, mongo_url: str, password: str) -> dict[str, str]:
    port = free_port()
    return {
        **without_portico(os.environ),
        "PORTICO_ISSUER": f"http://127.0.0.1:{port}",
        "PORTICO_PORT": str(port),
        "PORTICO_INTERNAL_PORT": str(free_port()),
        "PORTICO_REDIS_URL": redis_url,
        "PORTICO_REDIS_PASSWORD": password,
        "PORTICO_MONGO_URL": mongo_url,
        "PORTICO_MONGO_PASSWORD": password,
    }


def _program(environment: dict[str, str]) -> Program:
    async def ready() -> None:
        answer = await http_probe.get(int(environment["PORTICO_PORT"]), DISCOVERY)
        if answer.status != 200:
            raise ConnectionError(f"status {answer.status}")

    return Program(NAME, (sys.executable, "-m", "bench.limits"), ready, environment)


def _target(issuer: str, secret: str, people: int, processes: Sequence[Process]) -> Target:
    def client(kind: str) -> Client:
        return Client(f"limit-{kind}", _REDIRECT, secret)

    async def import_rows(rows: Sequence[str]) -> None:
        async with http_line(issuer) as line:
            body = f"[{','.join(rows)}]".encode()
            answer = await line.request("POST", "/v2/users/import", {"Content-Type": "application/json"}, body)
        if answer.status != 200:
            raise PreparationFailed(f"the limit imports no users: {answer.status}")

    cast = Cast(
        clients=(client("opaque"), client("RS256")),
        robots=tuple(client(kind) for kind in ("opaque", *ALGORITHMS)),
        people=tuple(Person(f"person-{number}", secret) for number in range(people)),
    )
    pids = {process.program.name: [process.pid] for process in processes if process.pid}
    return Target(NAME, issuer, cast, pids=pids, import_rows=import_rows)
