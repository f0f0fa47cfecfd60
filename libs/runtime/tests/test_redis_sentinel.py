"""Redis behind Sentinel: the master is found, and found again when a replica takes over (decision 0065)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from portico_harness.eventually import eventually
from portico_harness.loop_thread import LoopThread
from portico_oauth.errors import ServiceError
from portico_runtime.redis_client import RedisClient
from portico_runtime.redis_nodes.history import History
from portico_runtime.settings import RedisSection
from portico_stack.binaries import REDIS_SERVER, find_program
from portico_stack.ports import free_port
from portico_stack.processes import Process, Program
from pydantic import SecretStr
from redis.asyncio import Redis

pytestmark = pytest.mark.servers

PASSWORD = "a-password-of-tests"
KEY = "token:{ab}:sum"


class Watched:
    """A master, a replica, and the Sentinel that watches them."""

    def __init__(self, data: Path, loop: LoopThread) -> None:
        self.sentinel_port = free_port()
        self._loop = loop
        first, second = free_port(), free_port()
        acl = f"user default on >{PASSWORD} ~* &* +@all\nuser token on >{PASSWORD} ~token:* ~facts:* +@all\n"
        common = f'aclfile "{{}}/users.acl"\nmasterauth {PASSWORD}\nappendonly yes\nappendfsync always\nsave ""\n'
        watch = (
            f"sentinel monitor main 127.0.0.1 {first} 1\nsentinel auth-pass main {PASSWORD}\n"
            "sentinel down-after-milliseconds main 500\nsentinel failover-timeout main 4000\n"
        )
        files = {
            "one": (first, common),
            "two": (second, f"{common}replicaof 127.0.0.1 {first}\n"),
            "sentinel": (self.sentinel_port, watch),
        }
        self.parts: dict[str, Process] = {}
        for name, (port, text) in files.items():
            folder = data / name
            folder.mkdir(parents=True)
            (folder / "users.acl").write_text(acl)
            head = f'port {port}\nbind 127.0.0.1\ndir "{folder}"\n'
            (folder / "redis.conf").write_text(head + text.format(folder))
            more = ("--sentinel",) if name == "sentinel" else ()
            argv = (str(find_program(REDIS_SERVER)), str(folder / "redis.conf"), *more)
            ready = self._ready(port, "" if name == "sentinel" else PASSWORD)
            self.parts[name] = Process(Program(name, argv, ready), data / "logs", print)
            loop.run(self.parts[name].start())

    def _ready(self, port: int, password: str) -> Callable[[], Awaitable[None]]:
        async def ping() -> None:
            async with Redis(port=port, password=password or None, socket_timeout=1) as client:
                await client.ping()

        return ping

    def stop(self, *names: str) -> None:
        """Kills parts, which are not started again."""
        for name in names:
            self._loop.run(self.parts[name].stop(0))

    def client(self, history: History | None = None, *, replicas: int = 0) -> RedisClient:
        """A client that knows the Sentinel only."""
        url = f"redis+sentinel://127.0.0.1:{self.sentinel_port}/main"
        settings = RedisSection(redis_url=url, redis_password=SecretStr(PASSWORD), redis_wait_replicas=replicas)
        return RedisClient(settings, "token", history)


@pytest.fixture(name="watched")
def _watched(tmp_path: Path) -> Iterator[Watched]:
    loop = LoopThread()
    watched = Watched(tmp_path, loop)
    try:
        yield watched
    finally:
        watched.stop(*watched.parts)
        loop.close()


async def test_the_master_is_followed(watched: Watched) -> None:
    """A replica that took over has what was acknowledged by both; until then it is 503, and a former master is not asked."""
    client = watched.client(History("token", recalled=True))
    add = client.script("return redis.call('INCR', KEYS[1])")

    async def written() -> bool:
        try:
            await client.run(add, [KEY])
        except ServiceError:
            return False
        return True

    await eventually(written, bool, 30)
    both = watched.client(replicas=1)
    await eventually(lambda: is_written(both), bool, 30)
    await both.close()
    before = int(await client.read("GET", KEY))
    await asyncio.to_thread(watched.stop, "one")
    refused = not await written()
    await eventually(written, bool, 30)

    assert refused
    assert int(await client.read("GET", KEY)) == before + 1
    await client.close()


async def is_written(client: RedisClient) -> bool:
    """Whether as many replicas as it wants acknowledge a write."""
    try:
        await client.run(client.script("return redis.call('SET', KEYS[1], '1')"), ["token:{cd}:x"])
    except ServiceError:
        return False
    return True


async def test_without_a_master_there_is_no_answer(watched: Watched) -> None:
    """No replica is asked in its place."""
    client = watched.client()
    await asyncio.to_thread(watched.stop, "sentinel", "one")

    with pytest.raises(ServiceError):
        await client.read("GET", KEY)
    await client.close()
