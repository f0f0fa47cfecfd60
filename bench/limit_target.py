"""The limit as a target: the bare application as a process, with its own Redis and MongoDB, configured alike."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
from portico_contracts.http import DISCOVERY
from portico_stack.machine import http_probe
from portico_stack.machine.ports import free_port
from portico_stack.processes.programs import Process, Program, without_portico
from portico_stack.servers.mongo import MongoServer
from portico_stack.servers.mongo_names import ADMIN, USERS
from portico_stack.servers.redis import RedisServer

from bench.limits.openid import COOKIE, PREFIX, SESSIONS
from bench.relying_party import right
from bench.target import LIMIT, Accounts, Member, Target, say


@asynccontextmanager
async def limit_running(data: Path) -> AsyncIterator[Target]:
    """Starts it; everything lies below the directory."""
    password, port = f"p{secrets.token_hex(20)}", free_port()
    issuer = f"http://127.0.0.1:{port}"
    redis = RedisServer(data / "redis", free_port(), {PREFIX.rstrip(":"): password})
    mongo = MongoServer(data / "mongo", free_port(), dict.fromkeys((ADMIN, *USERS), password), password)
    environment = {
        **without_portico(os.environ),
        "PORTICO_ISSUER": issuer,
        "PORTICO_PORT": str(port),
        "PORTICO_INTERNAL_PORT": str(free_port()),
        "PORTICO_REDIS_URL": redis.url,
        "PORTICO_REDIS_PASSWORD": password,
        "PORTICO_MONGO_URL": mongo.url,
        "PORTICO_MONGO_PASSWORD": password,
    }

    async def ready() -> None:
        if (await http_probe.get(port, DISCOVERY)).status != 200:
            raise ConnectionError("no discovery document")

    program = Program(LIMIT, (sys.executable, "-m", "bench.limits"), ready, environment)
    processes = [Process(one, data / "logs", say) for one in (redis.program(), mongo.program(), program)]
    try:
        for process in processes[:2]:
            await process.start()
        await mongo.prepare()
        await processes[2].start()
        yield _target(issuer, password, {one.program.name: [one.pid] for one in processes if one.pid})
    finally:
        for process in reversed(processes):
            await process.stop(3)


def _target(issuer: str, secret: str, pids: dict[str, list[int]]) -> Target:
    async def import_rows(rows: Sequence[str]) -> None:
        async with httpx.AsyncClient(trust_env=False, timeout=60) as http:
            body, headers = f"[{','.join(rows)}]", {"Content-Type": "application/json"}
            right(await http.post(f"{issuer}/v2/users/import", content=body, headers=headers))

    clients = {f"limit-{kind}": secret for kind in ("opaque", "RS256")}
    passwords = {f"person-{number}": secret for number in range(SESSIONS)}
    accounts = Accounts(clients, clients, [Member(f"{COOKIE}={number}") for number in range(SESSIONS)], passwords)
    return Target(LIMIT, issuer, accounts, pids, import_rows=import_rows)
