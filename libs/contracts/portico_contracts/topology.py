"""The one topology: which programs there are, where they listen, whom they talk to, and what they need of a machine.

The local stack starts processes from it; docker-compose.yml is tested equal to it; what runs on Kubernetes is generated from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

HTTP_PORT: Final = 8000
"""Of the HTTP surface of every service."""

INTERNAL_PORT: Final = 9000
"""Of ``/healthz``, ``/readyz`` and ``/metrics``, which no gateway leads to."""

GRPC_PORT: Final = 8100
"""Of plain gRPC (HTTP/2 without TLS), where a service speaks it."""

GATEWAY_PORT: Final = 8080
"""Where the gateway serves http, behind something that ends TLS."""

HEALTHZ: Final = "/healthz"
"""The process answers; it never depends on another one."""

READYZ: Final = "/readyz"
"""Everything that a request needs answers."""

DRAIN_SECONDS: Final = 3
"""How long requests under way may finish: the default of ``PORTICO_DRAIN_SECONDS``."""

UNANNOUNCED_SECONDS: Final = 5
"""How long a replica that is to stop goes on as before: until what balances requests has learned of it."""


class Server(StrEnum):
    """What is not ours and has to be there."""

    REDIS = "redis"
    MONGO = "mongo"
    NATS = "nats"


SERVER_PORTS: Final[Mapping[Server, int]] = {Server.REDIS: 6379, Server.MONGO: 27017, Server.NATS: 4222}
"""Where they listen unless an address names another port."""


@dataclass(frozen=True, slots=True)
class Scaling:
    """How many replicas follow the load.

    Args:
        cpu_percent: of the processor time requested, which replicas are added at.
    """

    least: int
    most: int
    cpu_percent: int


@dataclass(frozen=True, slots=True)
class Workload:
    """One service.

    Args:
        bus, redis, mongo: the servers it uses, each as its own user.
        calls: services whose HTTP surface it asks, past the gateway.
        master_key, login_api, console: further secrets it is given.
        grpc: it speaks plain gRPC as well.
        mail: it sends emails by a server that is not ours.
        outbound: it calls https addresses that others registered.
        cpu: what it needs, in thousandths of a core; a replica is one process and uses one core at most.
        memory: what it may use, in MiB.
        scaling: None where the number of replicas is a decision.
    """

    name: str
    bus: bool = True
    redis: bool = False
    mongo: bool = False
    calls: tuple[str, ...] = ()
    master_key: bool = False
    login_api: bool = False
    console: bool = False
    grpc: bool = False
    mail: bool = False
    outbound: bool = False
    cpu: int = 250
    memory: int = 256
    scaling: Scaling | None = None

    @property
    def package(self) -> str:
        """Its folder below the repository."""
        return f"services/{self.name}"

    @property
    def module(self) -> str:
        """What is started: ``python -m`` this."""
        return f"portico_{self.name.replace('-', '_')}"

    @property
    def servers(self) -> tuple[Server, ...]:
        """The servers it uses."""
        used = {Server.NATS: self.bus, Server.REDIS: self.redis, Server.MONGO: self.mongo}
        return tuple(server for server, uses in used.items() if uses)

    @property
    def secrets(self) -> tuple[str, ...]:
        """Names of its secrets: the files of its own directory, without ``portico_``."""
        given = {
            "bus_password": self.bus,
            "redis_password": self.redis,
            "mongo_password": self.mongo,
            "master_keys": self.master_key,
            "login_api_key": self.login_api,
            "console_client_key": self.console,
        }
        return tuple(name for name, has in given.items() if has)


TOPOLOGY: Final[Mapping[str, Workload]] = {
    one.name: one
    for one in (
        Workload("authz", redis=True, login_api=True, calls=("console",), outbound=True),
        Workload("token", redis=True, cpu=1000, scaling=Scaling(2, 10, 70)),
        Workload("keys", mongo=True, master_key=True, cpu=100, memory=192),
        # Hashing passwords takes a core and 64 MiB at a time for each hash under way.
        Workload(
            "users", redis=True, mongo=True, master_key=True, mail=True, grpc=True, outbound=True, cpu=1000, memory=1024
        ),
        Workload("login-ui", bus=False, login_api=True, calls=("authz",), cpu=100, memory=192),
        Workload(
            "console", bus=False, redis=True, master_key=True, console=True, calls=("token", "keys", "users"), cpu=100
        ),
    )
}
"""Every service by its name."""


def address_setting(service: str) -> str:
    """The setting with a service's own addresses; PORTICO_CONSOLE_URL is where people find the console."""
    kind = "SERVICE_URL" if service == "console" else "URL"
    return f"PORTICO_{service.upper().replace('-', '_')}_{kind}"
