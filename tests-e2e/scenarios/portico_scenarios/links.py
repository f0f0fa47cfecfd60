"""The network links of one replica, each of which can be cut separately."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from portico_contracts.topology import TOPOLOGY, Server
from portico_harness.tcp_link import Cut, TcpLink
from portico_stack.assembly.layout import Layout, StackOptions, lay_out
from portico_stack.assembly.services import Replica
from portico_stack.installation.installation import load_or_create

from portico_scenarios.world import of_this_run

GATEWAY: Final = "gateway"
"""The link by which requests arrive."""

_PORT: Final = re.compile(r"(?<=:)\d+")


@dataclass(frozen=True, slots=True)
class Ends:
    """The ends of a link.

    Args:
        replica: the name of one process.
        other: a server with all its members, a directly called service, or `GATEWAY`.
    """

    replica: str
    other: str

    def __str__(self) -> str:
        return f"{self.replica} - {self.other}"


def ends_of(service: str, number: int = 1) -> list[Ends]:
    workload = TOPOLOGY[service]
    others = [*(server.value for server in workload.servers), *workload.calls, GATEWAY]
    return [Ends(f"{service}-{number}", other) for other in others]


class StackLinks:
    """Links of a stack that is not started yet; use it as an async context, and start the stack with its `options`.

    Args:
        options: of the stack, whose ports are decided here.
        wanted: the links that can be cut.
    """

    def __init__(self, options: StackOptions, wanted: Iterable[Ends]) -> None:
        self._given = options = of_this_run(options)
        self._wanted = tuple(wanted)
        self._links: dict[Ends, dict[int, TcpLink]] = {}
        self._opened = AsyncExitStack()
        installation = load_or_create(options.data)
        self._layout = lay_out(options, installation)
        installation.save(options.data)

    async def __aenter__(self) -> Self:
        for ends in self._wanted:
            ports = _ports(self._layout, ends)
            links = {port: await self._opened.enter_async_context(TcpLink(_always(port))) for port in ports}
            for link in links.values():
                link.renamed = _renamed({port: other.port for port, other in links.items()})
            self._links[ends] = links
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._opened.aclose()

    @property
    def options(self) -> StackOptions:
        extra: dict[str, Mapping[str, str]] = dict(self._given.extra_env)
        reached: dict[str, str] = dict(self._given.reached_at)
        for ends, links in self._links.items():
            if ends.other == GATEWAY:
                reached[ends.replica] = f"127.0.0.1:{next(iter(links.values())).port}"
            else:
                name, url = _setting(self._layout, ends)
                extra[ends.replica] = {**extra.get(ends.replica, {}), name: _through(links, url)}
        return replace(self._given, extra_env=extra, reached_at=reached)

    async def cut(self, ends: Ends, how: Cut) -> None:
        """Cuts one link, to all members at its other end, until `heal`."""
        for link in self._links[ends].values():
            await link.cut(how)

    async def heal(self, ends: Ends) -> None:
        for link in self._links[ends].values():
            await link.heal()


def _always(port: int) -> Any:
    return lambda: port


def _replica(layout: Layout, name: str) -> Replica:
    return next(replica for replica in layout.replicas if replica.name == name)


def _setting(layout: Layout, ends: Ends) -> tuple[str, str]:
    """Returns the replica's setting for the other end, and its value."""
    shared = layout.shared
    servers = {
        Server.REDIS.value: ("PORTICO_REDIS_URL", shared.redis_url),
        Server.MONGO.value: ("PORTICO_MONGO_URL", shared.mongo_url),
        Server.NATS.value: ("PORTICO_BUS_URL", shared.bus_url),
    }
    if ends.other in servers:
        return servers[ends.other]
    past_gateway = shared.authz_url if ends.other == "authz" else shared.service_urls[ends.other]
    return f"PORTICO_{ends.other.upper()}_URL", past_gateway


def _ports(layout: Layout, ends: Ends) -> list[int]:
    if ends.other == GATEWAY:
        return [_replica(layout, ends.replica).port]
    return [int(port) for port in _PORT.findall(_setting(layout, ends)[1])]


def _through(links: Mapping[int, TcpLink], url: str) -> str:
    return _PORT.sub(lambda port: str(links[int(port[0])].port), url)


def _renamed(ports: Mapping[int, int]) -> dict[bytes, bytes]:
    """Returns member addresses as written by MongoDB, NATS and Redis; clients would otherwise bypass the link."""
    found: dict[bytes, bytes] = {}
    for real, seen in ports.items():
        assert len(str(real)) == len(str(seen)), "answers state their length"
        found[b"127.0.0.1:%d" % real] = b"127.0.0.1:%d" % seen
        found[b"$9\r\n127.0.0.1\r\n:%d\r\n" % real] = b"$9\r\n127.0.0.1\r\n:%d\r\n" % seen
    return found
