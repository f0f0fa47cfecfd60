"""A service process reaches its servers over TLS with files of its secrets directory (decision 0077)."""

from __future__ import annotations

import base64
import os
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from portico_harness.certificates import write_certificate
from portico_harness.eventually import eventually
from portico_harness.plain_http import plain_http
from portico_harness.servers import RunningMongo, RunningNats
from portico_harness.tls_servers import mongo_over_tls, nats_over_tls
from portico_runtime.tls.refused import NOT_TRUSTED
from portico_stack.machine.ports import free_port
from portico_stack.processes.programs import Process, Program

pytestmark = pytest.mark.servers


def write_secrets(folder: Path, nats: RunningNats, mongo: RunningMongo, authority: Path) -> None:
    """Writes the Secret of keys: its files, and the CA file."""
    folder.mkdir()
    shutil.copy(authority, folder / "authority.pem")
    (folder / "portico_bus_password").write_text(nats.password("keys"))
    (folder / "portico_mongo_password").write_text(mongo.password("keys"))
    (folder / "portico_master_keys").write_text(base64.b64encode(os.urandom(32)).decode())


@asynccontextmanager
async def keys(folder: Path, nats: RunningNats, mongo: RunningMongo, authority: Path) -> AsyncIterator[str]:
    """Runs the service keys; yields the URL of its readiness."""
    write_secrets(folder, nats, mongo, authority)
    inner = free_port()
    environment = {
        "PORTICO_SECRETS_DIR": str(folder),
        "PORTICO_BUS_URL": nats.url,
        "PORTICO_BUS_CA_FILE": str(folder / "authority.pem"),
        "PORTICO_MONGO_URL": f"{mongo.url}&tls=true&tlsCAFile={folder / 'authority.pem'}",
        "PORTICO_PORT": str(free_port()),
        "PORTICO_INTERNAL_PORT": str(inner),
    }

    async def lives() -> None:
        async with plain_http() as client:
            (await client.get(f"http://127.0.0.1:{inner}/healthz")).raise_for_status()

    program = Program("keys", (sys.executable, "-m", "portico_keys"), lives, environment)
    process = Process(program, folder / "logs", print)
    await process.start()
    try:
        yield f"http://127.0.0.1:{inner}/readyz"
    finally:
        await process.stop(5)


async def states(url: str) -> dict[str, str]:
    async with plain_http() as client:
        found: dict[str, str] = (await client.get(url)).json()
    return found


async def test_service_is_ready_over_tls_and_reports_untrusted_servers(tmp_path: Path) -> None:
    """With the servers' CA it is ready, and with another one it reports each server as untrusted."""
    files = write_certificate(tmp_path, "localhost")
    (tmp_path / "other").mkdir()
    other = write_certificate(tmp_path / "other", "localhost").authority
    with nats_over_tls(tmp_path / "nats", files) as nats, mongo_over_tls(tmp_path / "mongo", files) as mongo:
        async with keys(tmp_path / "right", nats, mongo, files.authority) as url:
            ready = await eventually(lambda: states(url), lambda found: set(found.values()) == {"ok"})
        async with keys(tmp_path / "wrong", nats, mongo, other) as url:
            refused = await eventually(lambda: states(url), lambda found: found["bus"] == NOT_TRUSTED)

    assert {"mongo", "bus"} <= ready.keys()
    assert refused["mongo"] == NOT_TRUSTED
