"""From Redis 6.2, as 0.3 configured it, to Valkey and back by the command of the guide, with writes on each of them."""

from __future__ import annotations

import asyncio
import re
import secrets
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest
from portico_harness.eventually import eventually
from portico_harness.redis_before import RedisOfLastRelease, go_back
from portico_stack.machine.ports import free_port
from portico_stack.processes.programs import Process, StartFailed
from portico_stack.servers.redis import USERS, RedisServer
from portico_stack.servers.redis_files import DIRECTORY, ONE_FILE
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as ConnectionLost
from redis.exceptions import NoPermissionError

pytestmark = [pytest.mark.servers, pytest.mark.long]

WRITES: Final = 150
"""Of each service, before the next step."""

OPERATOR: Final = "operator"
PREAMBLE: Final = b"REDIS"
"""How a file begins that Redis 6.2 has rewritten; others begin with a command."""

KEYS: Final = ("count", "hash", "set", "sorted", "list", "used", "taken")

WRITE: Final = """
redis.call('INCR', KEYS[1])
redis.call('HSET', KEYS[2], ARGV[1], 'v')
redis.call('SADD', KEYS[3], ARGV[1])
redis.call('ZADD', KEYS[4], ARGV[1], ARGV[1])
redis.call('RPUSH', KEYS[5], ARGV[1])
redis.call('SET', KEYS[7], redis.call('GETDEL', KEYS[6]), 'PX', 86400000)
"""


@dataclass
class Ledger:
    """What one writer knows to be stored; each write adds one member to every type."""

    user: str
    acknowledged: int = 0

    def key(self, of: str) -> str:
        return f"{self.user}:{{w}}:{of}"

    async def write(self, client: Redis, script: str) -> None:
        number = self.acknowledged + 1
        async with client.pipeline(transaction=False) as pipe:
            pipe.set(self.key(f"string-{number}"), number, ex=86_400)
            pipe.set(self.key("used"), number)
            await pipe.execute()
        await client.evalsha(script, len(KEYS), *map(self.key, KEYS), number)
        self.acknowledged = number

    async def check(self, client: Redis) -> None:
        """Everything acknowledged is stored once, and at most one more write, whose answer was lost."""
        count = await client.llen(self.key("list"))
        assert count in (self.acknowledged, self.acknowledged + 1)
        self.acknowledged = count
        if not count:
            return
        assert await client.get(self.key("count")) == str(count)
        strings = await client.mget([self.key(f"string-{number}") for number in range(1, count + 1)])
        assert strings == [str(number) for number in range(1, count + 1)]
        assert await client.lrange(self.key("list"), 0, -1) == strings
        assert await client.hlen(self.key("hash")) == await client.scard(self.key("set")) == count
        assert await client.zscore(self.key("sorted"), str(count)) == await client.zcard(self.key("sorted")) == count
        assert await client.get(self.key("taken")) == str(count)


class _WithOperator(RedisServer):
    def write_configuration(self) -> Path:
        written = super().write_configuration()
        rules = self.data / "users.acl"
        rules.write_text(re.sub(rf"(user {OPERATOR} .*)", r"\1 +@admin +@dangerous", rules.read_text()))
        return written


class Before(_WithOperator, RedisOfLastRelease):
    pass


class Now(_WithOperator):
    pass


class NowWithFormerRules(Now):
    """As a server that an operator runs, whose users still have the rules of 0.3."""

    def write_configuration(self) -> Path:
        former = (self.data / "users.acl").read_text()
        written = super().write_configuration()
        (self.data / "users.acl").write_text(former)
        return written


@dataclass
class Drill:
    data: Path
    passwords: dict[str, str] = field(
        default_factory=lambda: {user: secrets.token_hex(16) for user in (*USERS, OPERATOR)}
    )
    ledgers: list[Ledger] = field(default_factory=lambda: [Ledger(user) for user in USERS])
    ends: dict[str, int] = field(default_factory=dict)
    """When keys expire, in milliseconds."""

    @asynccontextmanager
    async def on(self, kind: type[RedisServer], *, kill: bool = False) -> AsyncIterator[RedisServer]:
        """Starts a server, checks its data and permissions, writes to it, and stops or kills it meanwhile."""
        server = kind(self.data, free_port(), self.passwords)
        process = Process(server.program(), self.data / "logs", print)
        writing: list[asyncio.Task[None]] = []
        await process.start()
        try:
            await server.prepare()
            await self.check(server)
            await self.check_permissions(server)
            writing += [asyncio.create_task(self.write(server, ledger)) for ledger in self.ledgers]
            await self.more(writing)
            yield server
            await self.more(writing)
            if kill:
                process.send(signal.SIGKILL)
                await asyncio.gather(*writing)
        finally:
            await process.stop(10)
            await asyncio.gather(*writing)

    async def write(self, server: RedisServer, ledger: Ledger) -> None:
        async with self.client(server, ledger.user) as client:
            script = await client.script_load(WRITE)
            with suppress(ConnectionLost):
                while True:
                    await ledger.write(client, script)

    async def more(self, writing: list[asyncio.Task[None]]) -> None:
        goals = [ledger.acknowledged + WRITES for ledger in self.ledgers]

        async def written() -> bool:
            for task in writing:
                if task.done():
                    task.result()
            return all(one.acknowledged >= goal for one, goal in zip(self.ledgers, goals, strict=True))

        await eventually(written, bool)

    async def check(self, server: RedisServer) -> None:
        for ledger in self.ledgers:
            async with self.client(server, ledger.user) as client:
                await ledger.check(client)
                if ledger.acknowledged:
                    await self.check_expiry(client, ledger.key("string-1"))

    async def check_expiry(self, client: Redis, key: str) -> None:
        left = await client.pttl(key)
        seconds, microseconds = await client.time()
        ends = left + seconds * 1_000 + microseconds // 1_000
        assert left > 0
        assert abs(ends - self.ends.setdefault(key, ends)) < 5_000

    async def check_permissions(self, server: RedisServer) -> None:
        for user, other in zip(USERS, (*USERS[1:], USERS[0]), strict=True):
            async with self.client(server, user) as client:
                assert await client.info("memory")
                for refused in (client.get(f"{other}:{{w}}:count"), client.flushall(), client.config_get("*")):
                    with pytest.raises(NoPermissionError):
                        await refused

    def client(self, server: RedisServer, user: str) -> Redis:
        return Redis.from_url(server.url, username=user, password=self.passwords[user], decode_responses=True)

    async def rewrite(self, server: RedisServer) -> None:
        """Rewrites the files while clients write, as the server does once they have grown enough."""
        async with self.client(server, OPERATOR) as operator:
            await operator.bgrewriteaof()

            async def unfinished() -> tuple[int, str]:
                seen: dict[str, Any] = await operator.info("persistence")
                return (
                    seen["aof_rewrite_in_progress"] + seen["aof_rewrite_scheduled"],
                    seen["aof_last_bgrewrite_status"],
                )

            await eventually(unfinished, (0, "ok").__eq__)

    def first_bytes(self) -> bytes:
        return (self.data / ONE_FILE).read_bytes()[:5]


@pytest.fixture
async def drill(tmp_path: Path) -> Drill:
    """With the files of a Redis 6.2 that has rewritten them once."""
    drill = Drill(tmp_path / ".portico" / "redis")
    async with drill.on(Before) as server:
        await drill.rewrite(server)
    assert drill.first_bytes() == PREAMBLE
    return drill


async def test_way_back_without_a_rewrite(drill: Drill, tmp_path: Path) -> None:
    """The first file is still that of Redis 6.2."""
    async with drill.on(Now):
        pass
    go_back(tmp_path)
    assert drill.first_bytes() == PREAMBLE
    async with drill.on(Before):
        pass
    async with drill.on(NowWithFormerRules):
        pass
    go_back(tmp_path)
    async with drill.on(Before):
        pass


async def test_way_back_after_rewrites(drill: Drill, tmp_path: Path) -> None:
    """Valkey and then Redis 6.2 rewrite the files while clients write."""
    async with drill.on(Now) as server:
        await drill.rewrite(server)
        await drill.rewrite(server)
    go_back(tmp_path)
    assert drill.first_bytes()[:1] == b"*"
    async with drill.on(Before) as before:
        await drill.rewrite(before)
    async with drill.on(Now):
        pass


async def test_way_back_after_a_kill(drill: Drill, tmp_path: Path) -> None:
    """Valkey is killed while clients write, and restarted or left."""
    for _ in range(3):
        async with drill.on(Now, kill=True):
            pass
    go_back(tmp_path)
    async with drill.on(Before, kill=True):
        pass
    async with drill.on(Now):
        pass


async def test_files_that_a_rewrite_replaced_are_left_out(drill: Drill, tmp_path: Path) -> None:
    """A kill between a rewrite and the deletion of the files it replaced loses and repeats nothing."""
    async with drill.on(Now) as server:
        copy = {file.name: file.read_bytes() for file in (drill.data / DIRECTORY).glob("*.aof")}
        await drill.rewrite(server)
    manifest = drill.data / DIRECTORY / f"{ONE_FILE}.manifest"
    replaced = [name for name in copy if not (drill.data / DIRECTORY / name).exists()]
    assert replaced
    for name in replaced:
        (drill.data / DIRECTORY / name).write_bytes(copy[name])
    base, *rest = manifest.read_text().splitlines()
    lines = [base, *(f"file {name} seq 1 type h" for name in replaced), *rest]
    manifest.write_text("\n".join(lines) + "\n")
    go_back(tmp_path)
    async with drill.on(Before):
        pass


async def test_redis_6_2_refuses_data_it_cannot_see(drill: Drill, tmp_path: Path) -> None:
    """Without the guide's command Redis 6.2 does not start empty, and the data stay as they are."""
    async with drill.on(Now):
        pass
    server = Before(drill.data, free_port(), drill.passwords)
    with pytest.raises(StartFailed, match="Bad file format reading the append only file"):
        await Process(server.program(), drill.data / "logs", print).start()
    go_back(tmp_path)
    async with drill.on(Before):
        pass
