from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final
from urllib.parse import urlsplit

from redis.asyncio.connection import Connection, ConnectionPool, parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.maint_notifications import MaintNotificationsConfig

from portico_runtime.redis.nodes.tls import TlsConnection
from portico_runtime.settings.section import InvalidSetting
from portico_runtime.settings.sections.redis import RedisSection

_PORT: Final = 6379
_SENTINEL_PORT: Final = 26379

_DECIDED: Final = frozenset(
    ("username", "password", "decode_responses", "retry", "socket_timeout", "socket_connect_timeout")
)
"""Options that are separate settings, or that the client relies on."""


class Kind(StrEnum):
    ONE = ""
    SENTINEL = "sentinel"
    CLUSTER = "cluster"


class AddressRefused(InvalidSetting):
    """The text is not a valid URL; the message is for the operator."""


@dataclass(frozen=True, slots=True)
class Address:
    """`hosts` are some nodes of a cluster, or the Sentinels; `master` is the Sentinels' name of it."""

    kind: Kind
    hosts: tuple[tuple[str, int], ...]
    tls: bool = False
    master: str = ""
    options: Mapping[str, object] = field(default_factory=dict)


def parse_address(url: str) -> Address:
    """Parses ``redis://``, ``redis+sentinel://host,host/master``, ``redis+cluster://``; ``rediss`` for TLS."""
    try:
        parts = urlsplit(url)
        scheme, _, kind = parts.scheme.partition("+")
        of_kind = Kind(kind)
        port = _SENTINEL_PORT if of_kind is Kind.SENTINEL else _PORT
        hosts = tuple(_host(text, port) for text in parts.netloc.split(","))
    except ValueError as error:
        raise AddressRefused(
            "PORTICO_REDIS_URL must be redis://, redis+sentinel:// or redis+cluster:// with hosts"
        ) from error
    master = parts.path.strip("/")
    if scheme not in ("redis", "rediss") or "@" in parts.netloc or not all(host for host, _port in hosts):
        raise AddressRefused("PORTICO_REDIS_URL must have at least one host and no credentials")
    if of_kind is Kind.ONE and len(hosts) > 1:
        raise AddressRefused("several hosts in PORTICO_REDIS_URL require redis+cluster:// or redis+sentinel://")
    if (of_kind is Kind.SENTINEL) != bool(master) and of_kind is not Kind.ONE:
        raise AddressRefused(
            "PORTICO_REDIS_URL must name the master with redis+sentinel://host,host/NAME, and have no path with redis+cluster://"
        )
    return Address(of_kind, hosts, scheme == "rediss", master, _options(parts.query))


def _host(text: str, port: int) -> tuple[str, int]:
    parts = urlsplit(f"//{text}")
    return parts.hostname or "", parts.port or port


def _options(query: str) -> Mapping[str, object]:
    try:
        given: Mapping[str, object] = parse_url(f"redis://host?{query}")
    except ValueError as error:
        raise AddressRefused(f"PORTICO_REDIS_URL has an option that is not valid: {error}") from error
    options = {name: value for name, value in given.items() if name != "host"}
    if refused := sorted(options.keys() & _DECIDED):
        raise AddressRefused(f"PORTICO_REDIS_URL must not have the option {refused[0]}")
    return options


def connection_options(settings: RedisSection, user: str) -> dict[str, Any]:
    return {
        "username": user,
        "password": settings.redis_password.get_secret_value(),
        # Never retry: a claim that is sent twice would be granted to no caller. A broken connection is a 503.
        "retry": Retry(NoBackoff(), 0),
        "socket_timeout": None,  # a pipeline has one time limit, see `Node`
        "socket_connect_timeout": settings.redis_timeout,
        "maint_notifications_config": MaintNotificationsConfig(enabled=False),
        "decode_responses": True,
        "driver_info": None,  # not every Redis lets our users state it
    }


def maker_of_one(url: str, options: dict[str, Any]) -> ConnectionPool:
    pool = ConnectionPool.from_url(url, **options)
    if parse_address(url).tls:
        pool.connection_class = TlsConnection
    return pool


def maker_of_nodes(address: Address, options: dict[str, Any]) -> Callable[[str, int], ConnectionPool]:
    more = {**options, **address.options, "connection_class": TlsConnection if address.tls else Connection}
    return lambda host, port: ConnectionPool(host=host, port=port, **more)
