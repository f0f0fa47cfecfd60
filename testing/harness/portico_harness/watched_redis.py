"""A Redis master and replica with a Sentinel."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from portico_runtime.redis.client import RedisClient
from portico_runtime.redis.nodes.history import History
from portico_runtime.settings.sections.redis import RedisSection
from portico_stack.machine.binaries import REDIS_SERVER, find_program
from portico_stack.machine.ports import free_port
from portico_stack.processes.programs import Process, Program
from pydantic import SecretStr
from redis.asyncio import Redis

from portico_harness.certificates import Files
from portico_harness.loop_thread import LoopThread
from portico_harness.redis_programs import over_tls

PASSWORD: Final = "a-password-of-tests"


class Watched:
    """The three processes.

    Args:
        program: what they run; None for the locked Redis.
        tls: TLS only, at 127.0.0.1.
    """

    def __init__(self, data: Path, loop: LoopThread, program: Path | None = None, tls: Files | None = None) -> None:
        self._loop = loop
        self._tls = tls
        self._sentinel_port = free_port()
        first, second = free_port(), free_port()
        common = f'aclfile "{{}}/users.acl"\nmasterauth {PASSWORD}\nappendonly yes\nappendfsync always\nsave ""\n'
        watch = (
            f"sentinel monitor main 127.0.0.1 {first} 1\nsentinel auth-pass main {PASSWORD}\n"
            "sentinel down-after-milliseconds main 500\nsentinel failover-timeout main 4000\n"
        )
        files = {
            "one": (first, common),
            "two": (second, f"{common}replicaof 127.0.0.1 {first}\n"),
            "sentinel": (self._sentinel_port, watch),
        }
        self.parts: dict[str, Process] = {}
        for name, (port, text) in files.items():
            folder = data / name
            self._configure(folder, port, text)
            more = ("--sentinel",) if name == "sentinel" else ()
            argv = (str(program or find_program(REDIS_SERVER)), str(folder / "redis.conf"), *more)
            ready = self._ready(port, "" if name == "sentinel" else PASSWORD)
            self.parts[name] = Process(Program(name, argv, ready), data / "logs", print)
            loop.run(self.parts[name].start())

    def stop(self, *names: str) -> None:
        for name in names:
            self._loop.run(self.parts[name].stop(0))

    def client(
        self, history: History | None = None, *, replicas: int = 0, authority: Path | None = None
    ) -> RedisClient:
        """Returns a client that is configured with the Sentinel only.

        Args:
            replicas: that must acknowledge a write.
            authority: trusted CA; None for no TLS.
        """
        scheme, options = ("rediss", f"?ssl_ca_certs={authority}") if authority else ("redis", "")
        url = f"{scheme}+sentinel://127.0.0.1:{self._sentinel_port}/main{options}"
        settings = RedisSection(redis_url=url, redis_password=SecretStr(PASSWORD), redis_wait_replicas=replicas)
        return RedisClient(settings, "token", history)

    def _configure(self, folder: Path, port: int, text: str) -> None:
        folder.mkdir(parents=True)
        acl = f"user default on >{PASSWORD} ~* &* +@all\nuser token on >{PASSWORD} ~token:* ~facts:* +@all\n"
        (folder / "users.acl").write_text(acl)
        config = f'bind 127.0.0.1\nport {port}\ndir "{folder}"\n{text.format(folder)}'
        (folder / "redis.conf").write_text(over_tls(config, self._tls) if self._tls else config)

    def _ready(self, port: int, password: str) -> Callable[[], Awaitable[None]]:
        tls = {"ssl": True, "ssl_ca_certs": str(self._tls.authority)} if self._tls else {}

        async def ping() -> None:
            async with Redis(port=port, host="127.0.0.1", password=password or None, socket_timeout=1, **tls) as client:  # type: ignore[arg-type]
                await client.ping()

        return ping


@contextmanager
def watched_redis(data: Path, program: Path | None = None, tls: Files | None = None) -> Iterator[Watched]:
    loop = LoopThread()
    watched = Watched(data, loop, program, tls)
    try:
        yield watched
    finally:
        watched.stop(*watched.parts)
        loop.close()
