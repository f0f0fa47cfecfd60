"""The stack for all tests with external systems: identity providers, an LDAP server, a span collector."""

from __future__ import annotations

import re
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from portico_contracts.topology import TOPOLOGY
from portico_harness.collector import Collector, collecting
from portico_harness.eventually import HANGS, eventually
from portico_harness.ldap_server import RunningLdapServer
from portico_stack.assembly.layout import StackOptions
from portico_stack.assembly.replicas import Replicas
from portico_stack.machine.ports import free_port

from portico_scenarios.relying_party import begin
from portico_scenarios.world import World, started

NAMES: Final = ("hub", "entra", "apple", "gate", "portal", "silent")
"""Providers served in the test's process."""


@dataclass(frozen=True, slots=True)
class Federated:
    """The stack and its external systems.

    Attributes:
        listeners: of the providers in `NAMES`, bound from the start; a test that serves one closes it.
        openid_port: of a provider in a separate process.
        collector: receives every span of the stack.
    """

    world: World
    listeners: Mapping[str, socket.socket]
    openid_port: int
    directory: RunningLdapServer
    collector: Collector


@asynccontextmanager
async def running(folder: Path, directory: RunningLdapServer) -> AsyncIterator[Federated]:
    """Starts the stack with two replicas of authz and users.

    The stack may call its own gateway, so it can act as its own provider.
    """
    with ExitStack() as held:
        listeners = {name: held.enter_context(socket.create_server(("127.0.0.1", free_port()))) for name in NAMES}
        collector = held.enter_context(collecting())
        gateway, openid = free_port(), free_port()
        ports = [gateway, openid, *(listener.getsockname()[1] for listener in listeners.values())]
        allowed = [f"127.0.0.1:{port}" for port in ports]
        spans = {"PORTICO_OTLP_ENDPOINT": collector.url, "PORTICO_OTLP_SAMPLE_RATIO": "1"}
        environment = {service: dict(spans) for service in TOPOLOGY}
        environment["users"]["PORTICO_OUTBOUND_ALLOW"] = ",".join([f"localhost:{gateway}", *allowed, directory.allowed])
        options = StackOptions(
            folder, port=gateway, replicas=Replicas(by_service={"authz": 2, "users": 2}), extra_env=environment
        )
        async with started(options) as world:
            yield Federated(world, listeners, openid, directory, collector)


async def offered(world: World, *ids: str) -> None:
    """Waits until every replica of authz offers these providers in this order, because login policies are cached."""

    async def shown() -> set[tuple[str, ...]]:
        return {await _offered_once(world) for _ in range(4)}

    await eventually(shown, {ids}.__eq__, HANGS)


async def _offered_once(world: World) -> tuple[str, ...]:
    async with world.agent() as agent:
        page = await agent.open(begin(world.metadata, world.clients["basic"]).url)
    return tuple(re.findall(r'name="provider" value="([^"]+)"', page.response.text))
