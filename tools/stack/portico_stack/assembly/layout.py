"""The parts of a stack: servers, replicas, ports, and their addresses."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from portico_contracts.catalogue import SERVICES
from portico_contracts.topology import TOPOLOGY

from portico_stack.assembly.replicas import Replicas
from portico_stack.assembly.services import Foreground, Replica, SharedSettings
from portico_stack.installation.installation import Installation, PortBook
from portico_stack.machine.public_name import LOCALHOST, Certificate
from portico_stack.processes.programs import READY_SECONDS
from portico_stack.servers import given, nats_cluster, redis_cluster
from portico_stack.servers.gateway import GatewayServer
from portico_stack.servers.gateway_choice import choose_gateway
from portico_stack.servers.mail import MailCatcher
from portico_stack.servers.mongo import CACHE_MIB, MongoServer
from portico_stack.servers.nats import NatsServer
from portico_stack.servers.nats_cluster import NatsCluster
from portico_stack.servers.redis import MEMORY_MIB, RedisServer
from portico_stack.servers.redis_cluster import RedisCluster

if TYPE_CHECKING:
    from portico_stack.servers.mongo_set import MongoSet

EVERYWHERE: Final = "0.0.0.0"  # noqa: S104 - in a container only


class Profile(StrEnum):
    SMALL = "small"
    HA = "ha"
    """Three of MongoDB, nine of Redis in a cluster, three of NATS: any one may fail."""


class ProfileRefused(ValueError):
    pass


@dataclass(frozen=True)
class Container:
    """The whole stack in one container.

    Args:
        issuer: the public URL.
        mail_page_port: of the page of caught emails, on every address; 0 for none, then emails are not caught.
    """

    issuer: str
    mail_page_port: int = 0


@dataclass(frozen=True)
class StackOptions:
    """What to start.

    Args:
        port: of the gateway; 0 for any free one.
        host: name of the issuer; it has to resolve to this machine.
        extra_env: by service, or by replica (``token-1``).
        reached_at: by replica, the address the gateway uses for it, where that is not its own.
        wait_seconds: how long each part may take until it is ready.
        redis_memory_mib: Redis refuses writes beyond this much memory.
        mongo_cache_mib: of the storage engine of a single MongoDB.
        gateway: empty for the one that is found.
        first_run: a new installation has no administrator, but a one-time link that creates the first one.
        zitadel_names: as `PORTICO_ZITADEL_NAMES`.
        mail_server: settings ``PORTICO_SMTP_…``; without any, emails are caught and shown.
        mtls: client certificates are accepted at a second port; only with https.
    """

    data: Path
    port: int = 8080
    https: bool = False
    host: str = LOCALHOST
    certificate: Certificate | None = None
    replicas: Replicas = field(default_factory=Replicas)
    extra_env: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    reached_at: Mapping[str, str] = field(default_factory=dict)
    mail_server: Mapping[str, str] = field(default_factory=dict, repr=False)
    wait_seconds: float = READY_SECONDS
    redis_memory_mib: int = MEMORY_MIB
    mongo_cache_mib: int = CACHE_MIB
    gateway: str = ""
    profile: Profile = Profile.SMALL
    first_run: bool = False
    zitadel_names: bool = False
    foreground: Foreground = field(default_factory=Foreground)
    container: Container | None = None
    mtls: bool = False

    @property
    def catches_mail(self) -> bool:
        """In a container only with a page that can be reached: otherwise it would store codes that no page shows."""
        return not self.mail_server and (self.container is None or self.container.mail_page_port > 0)


@dataclass(frozen=True)
class Layout:
    redis: RedisServer | RedisCluster | given.GivenRedis
    mongo: MongoServer | MongoSet | given.GivenMongo
    nats: NatsServer | NatsCluster | given.GivenNats
    mail: MailCatcher
    gateway: GatewayServer
    replicas: tuple[Replica, ...]
    shared: SharedSettings
    demo_port: int

    @property
    def issuer(self) -> str:
        return self.gateway.url

    @property
    def demo_url(self) -> str:
        return f"http://localhost:{self.demo_port}"


def lay_out(options: StackOptions, installation: Installation) -> Layout:
    keep_profile(installation, options.profile)
    book = PortBook(installation)
    gateway_port = book.gateway_port(installation, options.port, https=options.https)
    replicas = _replicas(options, book)
    program = choose_gateway(options.gateway)
    gateway = program(
        data=options.data / program.kind,
        port=gateway_port,
        login_api_port=book.port("login-api"),
        upstreams=_upstreams(options, replicas),
        grpc={
            service: tuple(replica.grpc_address for replica in replicas if replica.service == service)
            for service in SERVICES
            if TOPOLOGY[service].grpc
        },
        https=options.https,
        host=options.host,
        certificate=options.certificate,
        ready_ports=_ready_ports(options, replicas),
        listen=EVERYWHERE if options.container else "",
        public_url=options.container.issuer if options.container else "",
        mtls_port=book.port("mtls") if options.mtls else 0,
        mtls_key=secrets.token_hex() if options.mtls else "",
    )
    redis = _redis(options, installation, book)
    mongo = _mongo(options, installation, book)
    nats = _nats(options, installation, book)
    demo_port = book.port("demo-rp")
    mail = _mail(options, book)
    shared = SharedSettings(
        issuer=gateway.url,
        authz_url=f"http://127.0.0.1:{gateway.login_api_port}",
        redis_url=redis.url,
        mongo_url=mongo.url,
        bus_url=nats.url,
        bus_passwords=nats.passwords,
        wait_replicas=1 if isinstance(redis, RedisCluster) else 0,
        stream_replicas=nats_cluster.SERVERS if isinstance(nats, NatsCluster) else 0,
        outbound_allow="" if options.container else f"localhost:{demo_port}",  # for its back-channel logout
        mail_server=mail.settings if options.catches_mail else options.mail_server,
        service_urls=_service_urls(replicas),
        zitadel_names=options.zitadel_names,
        mtls_url=gateway.mtls_url,
        mtls_key=gateway.mtls_key,
    )
    return Layout(redis, mongo, nats, mail, gateway, replicas, shared, demo_port)


def keep_profile(installation: Installation, profile: Profile) -> None:
    """Stores the profile; raises ProfileRefused for another one, whose servers would not have the data."""
    before = installation.profile or (Profile.SMALL if installation.has_data else profile)
    if before != profile:
        raise ProfileRefused(
            f"the data directory was created with the profile {before}, not {profile}. Set --data to another one."
        )
    installation.profile = profile


def _upstreams(options: StackOptions, replicas: Sequence[Replica]) -> dict[str, tuple[str, ...]]:
    return {
        service: tuple(options.reached_at.get(one.name, one.address) for one in replicas if one.service == service)
        for service in SERVICES
    }


def _ready_ports(options: StackOptions, replicas: Sequence[Replica]) -> dict[str, int]:
    taken = [(options.reached_at.get(one.name, one.address), one) for one in replicas]
    taken += [(one.grpc_address, one) for one in replicas if one.grpc_port]
    return {address: one.internal_port for address, one in taken}


def _service_urls(replicas: Sequence[Replica]) -> dict[str, str]:
    return {
        service: ",".join(f"http://{replica.address}" for replica in replicas if replica.service == service)
        for service in SERVICES
    }


def _replicas(options: StackOptions, book: PortBook) -> tuple[Replica, ...]:
    return tuple(
        _replica(service, number, options.replicas.of(service), book)
        for service in SERVICES
        for number in range(1, options.replicas.of(service) + 1)
    )


def _replica(service: str, number: int, of: int, book: PortBook) -> Replica:
    name = service if of == 1 else f"{service}-{number}"
    grpc_port = book.port(f"{service}-{number}-grpc") if TOPOLOGY[service].grpc else None
    return Replica(
        name, service, book.port(f"{service}-{number}"), book.port(f"{service}-{number}-internal"), grpc_port
    )


def _mail(options: StackOptions, book: PortBook) -> MailCatcher:
    page_port = options.container.mail_page_port if options.container else 0
    if page_port:
        return MailCatcher(options.data / "mail", book.port("mail"), page_port, EVERYWHERE)
    return MailCatcher(options.data / "mail", book.port("mail"), book.port("mail-page"))


def _redis(
    options: StackOptions, installation: Installation, book: PortBook
) -> RedisServer | RedisCluster | given.GivenRedis:
    if url := os.environ.get(given.REDIS_URL):
        return given.GivenRedis(url, installation.redis_passwords)
    if options.profile is Profile.HA:
        return RedisCluster(
            options.data / "redis-cluster",
            [book.pair(f"redis-{number}", redis_cluster.BUS) for number in range(1, redis_cluster.NODES + 1)],
            installation.redis_passwords,
            installation.member_passwords["redis"],
            memory_mib=options.redis_memory_mib,
        )
    return RedisServer(
        options.data / "redis", book.port("redis"), installation.redis_passwords, memory_mib=options.redis_memory_mib
    )


def _mongo(
    options: StackOptions, installation: Installation, book: PortBook
) -> MongoServer | MongoSet | given.GivenMongo:
    passwords, key = installation.mongo_passwords, installation.mongo_member_key
    if url := os.environ.get(given.MONGO_URL):
        return given.GivenMongo(url, passwords)
    if options.profile is Profile.HA:
        from portico_stack.servers import mongo_set  # noqa: PLC0415  # allow import-place: with this profile only

        ports = [book.port(f"mongo-{number}") for number in range(1, mongo_set.MEMBERS + 1)]
        return mongo_set.MongoSet(options.data / "mongo-set", ports, passwords, key)
    return MongoServer(options.data / "mongo", book.port("mongo"), passwords, key, cache_mib=options.mongo_cache_mib)


def _nats(
    options: StackOptions, installation: Installation, book: PortBook
) -> NatsServer | NatsCluster | given.GivenNats:
    if url := os.environ.get(given.NATS_URL):
        return given.GivenNats(url, given.given_bus_passwords(os.environ))
    if options.profile is Profile.HA:
        numbers = range(1, nats_cluster.SERVERS + 1)
        return NatsCluster(
            options.data / "nats-cluster",
            [book.port(f"nats-{number}") for number in numbers],
            [book.port(f"nats-{number}-route") for number in numbers],
            installation.bus_passwords,
            installation.member_passwords["nats"],
        )
    return NatsServer(options.data / "nats", book.port("nats"), installation.bus_passwords)
