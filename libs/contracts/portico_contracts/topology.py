"""The services, their ports, dependencies and resource needs: the source of the local stack and the manifests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

HTTP_PORT: Final = 8000

INTERNAL_PORT: Final = 9000
"""Port of ``/healthz``, ``/readyz`` and ``/metrics``, not exposed by the gateway."""

GRPC_PORT: Final = 8100

GATEWAY_PORT: Final = 8080

MTLS_PORT: Final = 8444
"""Port of the gateway for client certificates (RFC 8705)."""

HEALTHZ: Final = "/healthz"
"""Liveness: it never depends on another process."""

READYZ: Final = "/readyz"
"""Readiness: every dependency of a request responds."""

READY_HELD_SECONDS: Final = 2.5
"""How long a replica that is ready holds its response to HAProxy, so that at rest there are few checks."""

DEGRADED: Final = "degraded: "
"""In the response of `READYZ` the prefix of a degraded state, followed by the reason."""

DRAIN_SECONDS: Final = 3
"""Time for requests in progress to finish: the default of ``PORTICO_DRAIN_SECONDS``."""

UNANNOUNCED_SECONDS: Final = 5
"""How long a stopping replica continues to serve, until load balancers have noticed."""


class Server(StrEnum):
    REDIS = "redis"
    MONGO = "mongo"
    NATS = "nats"


SERVER_PORTS: Final[Mapping[Server, tuple[int, ...]]] = {
    Server.REDIS: (6379, 26379),
    Server.MONGO: (27017,),
    Server.NATS: (4222,),
}
"""Default ports; the second one of Redis is that of Sentinel."""


@dataclass(frozen=True, slots=True)
class Scaling:
    least: int
    most: int
    cpu_percent: int


@dataclass(frozen=True, slots=True)
class Workload:
    """`cpu` is in thousandths of a core, `memory` in MiB; `outbound`: it calls https URLs registered by users;
    `ldap`: it calls directories that they registered.
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
    ldap: bool = False
    cpu: int = 250
    memory: int = 256
    scaling: Scaling | None = None

    @property
    def package(self) -> str:
        return f"services/{self.name}"

    @property
    def module(self) -> str:
        return f"portico_{self.name.replace('-', '_')}"

    @property
    def servers(self) -> tuple[Server, ...]:
        used = {Server.NATS: self.bus, Server.REDIS: self.redis, Server.MONGO: self.mongo}
        return tuple(server for server, uses in used.items() if uses)

    @property
    def secrets(self) -> tuple[str, ...]:
        """Names of its secrets: the files in its secrets directory, without ``portico_``."""
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
        # Password hashing takes a core and 64 MiB for each hash in progress.
        Workload(
            "users",
            redis=True,
            mongo=True,
            master_key=True,
            mail=True,
            grpc=True,
            outbound=True,
            ldap=True,
            cpu=1000,
            memory=1024,
        ),
        Workload("login-ui", bus=False, login_api=True, calls=("authz",), cpu=100, memory=192),
        Workload(
            "console", bus=False, redis=True, master_key=True, console=True, calls=("token", "keys", "users"), cpu=100
        ),
    )
}


def address_setting(service: str) -> str:
    """The setting with a service's internal URLs; PORTICO_CONSOLE_URL is the public URL of the console."""
    kind = "SERVICE_URL" if service == "console" else "URL"
    return f"PORTICO_{service.upper().replace('-', '_')}_{kind}"
