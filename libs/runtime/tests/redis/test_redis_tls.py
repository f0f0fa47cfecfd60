"""Tests of Redis and Valkey over TLS: one server, behind Sentinel, and as a cluster (decision 0077)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import pytest
from portico_harness.certificates import Files, write_certificate
from portico_harness.eventually import eventually
from portico_harness.loop_thread import LoopThread
from portico_harness.redis_programs import REDIS, VALKEY, InstalledProgram, find_installed
from portico_harness.servers import RunningRedis
from portico_harness.tls_servers import TlsRedisCluster, redis_over_tls
from portico_harness.watched_redis import watched_redis
from portico_oauth.errors import ServiceError
from portico_runtime.process.health import Health
from portico_runtime.redis.client import RedisClient
from portico_runtime.redis.nodes.history import BUCKETS, History
from portico_runtime.settings.sections.redis import RedisSection
from portico_runtime.tls.refused import NOT_TRUSTED, OTHER_NAME
from portico_stack.machine.ports import free_pair
from portico_stack.processes.programs import Process
from portico_stack.servers.redis_cluster import BUS, NODES
from pydantic import SecretStr

pytestmark = [pytest.mark.servers, pytest.mark.long]

PASSWORD: Final = "a-password-of-tests"
KEY: Final = "token:{ab}:sum"


@pytest.fixture(name="executable", params=[REDIS, VALKEY], ids=lambda program: program.file, scope="module")
def _executable(request: pytest.FixtureRequest) -> Path:
    program: InstalledProgram = request.param
    return find_installed(program)


@pytest.fixture(name="files", scope="module")
def _files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return write_certificate(tmp_path_factory.mktemp("authority"), "localhost")


@pytest.fixture(name="server", scope="module")
def _server(tmp_path_factory: pytest.TempPathFactory, files: Files, executable: Path) -> Iterator[RunningRedis]:
    with redis_over_tls(tmp_path_factory.mktemp("redis-tls"), files, executable) as server:
        yield server


def client(
    url: str, password: str, history: History | None = None, *, replicas: int = 0, seconds: float = 1.5
) -> RedisClient:
    settings = RedisSection(
        redis_url=url, redis_password=SecretStr(password), redis_wait_replicas=replicas, redis_timeout=seconds
    )
    return RedisClient(settings, "token", history)


async def add(redis: RedisClient, key: str = KEY) -> bool:
    """Reports whether a write is acknowledged."""
    try:
        await redis.run(redis.script("return redis.call('INCR', KEYS[1])"), [key])
    except ServiceError:
        return False
    return True


async def state(of: RedisClient) -> str:
    """Returns what /readyz shows; closes the client."""
    health = Health()
    health.add("redis", of.check)
    try:
        return (await health.state())["redis"]
    finally:
        await of.close()


async def test_store_writes_over_tls(server: RunningRedis, files: Files) -> None:
    history = History("token", recalled=True)
    redis = client(f"{server.url}?ssl_ca_certs={files.authority}", server.password("token"), history, seconds=10)
    await redis.check()
    written = await asyncio.gather(*(add(redis, f"token:{{{bucket}}}:sum") for bucket in BUCKETS))

    assert all(written)
    assert len(written) == len(BUCKETS)
    assert await redis.time() > 0
    await redis.close()


@pytest.mark.parametrize("form", ["rediss://localhost:{}?", "rediss+cluster://localhost:{}?"])
async def test_untrusted_certificate_is_refused(server: RunningRedis, tmp_path: Path, form: str) -> None:
    """Readiness names the certificate as the reason, also for the first node of a cluster."""
    other = write_certificate(tmp_path, "localhost").authority
    url = form.format(urlsplit(server.url).port) + f"ssl_ca_certs={other}"

    assert await state(client(url, server.password("token"))) == NOT_TRUSTED


async def test_certificate_for_another_name_is_refused(server: RunningRedis, files: Files) -> None:
    url = f"rediss://127.0.0.1:{urlsplit(server.url).port}?ssl_ca_certs={files.authority}"

    assert await state(client(url, server.password("token"))) == OTHER_NAME


async def test_server_without_tls_is_not_used(redis_server: RunningRedis, files: Files) -> None:
    url = f"rediss://localhost:{urlsplit(redis_server.url).port}?ssl_ca_certs={files.authority}"

    assert await state(client(url, redis_server.password("token"))) != "ok"


async def test_new_master_is_followed_over_tls(tmp_path: Path, executable: Path) -> None:
    """Sentinel, master and replica use TLS, and no other certificate authority is trusted."""
    files = write_certificate(tmp_path, "127.0.0.1")
    (tmp_path / "other").mkdir()
    other = write_certificate(tmp_path / "other", "127.0.0.1").authority
    with watched_redis(tmp_path / "watched", executable, files) as watched:
        redis = watched.client(History("token", recalled=True), authority=files.authority)
        both = watched.client(replicas=1, authority=files.authority)
        await eventually(lambda: add(both), bool)
        await both.close()
        refused = await state(watched.client(authority=other))
        await asyncio.to_thread(watched.stop, "one")
        await eventually(lambda: add(redis), bool)
        total = int(await redis.read("GET", KEY))
        await redis.close()

    assert refused == NOT_TRUSTED
    assert total > 1


@contextmanager
def running_cluster(
    data: Path, files: Files, executable: Path
) -> Iterator[tuple[TlsRedisCluster, list[Process], LoopThread]]:
    ports = [free_pair(None, BUS) for _ in range(NODES)]
    passwords = {"token": PASSWORD}
    cluster = TlsRedisCluster(data, ports, passwords, PASSWORD, tls=files, executable=executable)
    loop = LoopThread()
    processes = [Process(program, data / "logs", print) for program in cluster.programs()]
    try:
        for process in processes:
            loop.run(process.start())
        yield cluster, processes, loop
    finally:
        for process in processes:
            loop.run(process.stop(0))
        loop.close()


async def test_tls_cluster_survives_a_master(tmp_path: Path, executable: Path) -> None:
    """Every bucket is written with one replica each, and again after one master died."""
    files = write_certificate(tmp_path, "127.0.0.1")
    with running_cluster(tmp_path / "cluster", files, executable) as (cluster, processes, loop):
        url = f"{cluster.url}?ssl_ca_certs={files.authority}"
        redis = client(url, PASSWORD, History("token", recalled=True), replicas=1)

        async def all_written() -> bool:
            return all(await asyncio.gather(*(add(redis, f"token:{{{bucket}}}:sum") for bucket in BUCKETS)))

        await redis.start()
        await eventually(all_written, bool)
        await asyncio.to_thread(loop.run, processes[0].stop(0))
        refused = not await all_written()
        await eventually(all_written, bool)
        nodes = await redis.ask_each_node("PING")
        await redis.close()

    assert refused
    assert len(nodes) == 3
