"""NATS loses its store or its disk, a service its database: the stack reports it, repairs it if possible, and waits."""

from __future__ import annotations

import resource
import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from portico_contracts.apply import Document, Organization
from portico_harness.eventually import eventually
from portico_stack.assembly.layout import StackOptions
from portico_stack.assembly.stack import Stack
from portico_stack.machine import http_probe
from portico_stack.running import status
from portico_stack.running.record import find_running

pytestmark = [pytest.mark.e2e, pytest.mark.long]

SECONDS = 60.0


@dataclass(frozen=True)
class Fragile:
    stack: Stack
    lines: list[str]

    async def change(self, name: str) -> None:
        """Creates an organization, so that an event is committed, and published if possible."""
        await self.stack.apply(Document(organizations=(Organization(id=f"org-{name}", name=name),)))

    async def told(self, name: str) -> str:
        running = find_running(self.stack.options.data)
        assert running is not None
        return next(state.text for state in await status.ask_all(running) if state.name == name)

    async def outbox_rows(self) -> float:
        [users] = self.stack.replicas_of("users")
        text = (await http_probe.get(users.internal_port, "/metrics")).body.decode()
        return next(float(line.split()[1]) for line in text.splitlines() if line.startswith("portico_outbox_rows "))


@pytest.fixture(scope="module")
async def fragile(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Fragile]:
    """A stack that reports unpublished events early."""
    environment = {"users": {"PORTICO_BUS_DEGRADED_SECONDS": "1"}}
    lines: list[str] = []
    stack = Stack(StackOptions(tmp_path_factory.mktemp("fragile"), port=0, extra_env=environment), lines.append)
    try:
        await stack.start()
        yield Fragile(stack, lines)
    finally:
        await stack.stop()


async def test_lost_nats_store_is_recreated(fragile: Fragile) -> None:
    """After NATS lost its store, the backlog is published within a minute without a manual restart."""
    await fragile.stack.stop_part("nats")
    shutil.rmtree(fragile.stack.options.data / "nats" / "jetstream")
    await fragile.stack.start_part("nats")
    await fragile.stack.wait_until_ready("users")
    await fragile.change("after-the-loss")

    assert await eventually(fragile.outbox_rows, lambda rows: rows == 0) == 0
    assert await fragile.told("users") == "ready"


async def test_full_nats_disk_is_reported_and_server_restarted(fragile: Fragile) -> None:
    """The status reports the full disk, users stays ready, and the restarted server accepts everything."""
    [nats] = fragile.stack.processes("nats")
    pid = nats.pid
    assert pid is not None
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    await fragile.change("on-a-full-disk")
    await fragile.change("on-a-full-disk-too")

    full = await eventually(lambda: fragile.told("users"), lambda text: "degraded" in text)

    async def restarted() -> tuple[bool, float, str]:
        return nats.pid not in (None, pid), await fragile.outbox_rows(), await fragile.told("users")

    assert full.startswith("ready (stream: degraded: no event could be published for ")
    await eventually(restarted, lambda found: found == (True, 0, "ready"))


async def test_service_waiting_for_its_database_is_not_restarted(fragile: Fragile) -> None:
    """A service that crashed while its database is unavailable is started once, waits, and continues."""
    [keys] = fragile.stack.processes("keys")
    usual, keys.ready_seconds = keys.ready_seconds, 15.0
    before = keys.restarts
    await fragile.stack.stop_part("mongo")
    try:
        fragile.stack.kill("keys")

        async def waits() -> tuple[int, str]:
            return keys.restarts, keys.awaited

        await eventually(waits, lambda found: found[0] == before + 1 and "mongo" in found[1])
        pid = keys.pid
        told = "keys is waiting (mongo: "
        await eventually(waits, lambda _: any(told in line for line in fragile.lines))
    finally:
        await fragile.stack.start_part("mongo")
        keys.ready_seconds = usual
    await fragile.stack.wait_until_ready("keys", SECONDS)

    assert (keys.pid, keys.restarts) == (pid, before + 1)
