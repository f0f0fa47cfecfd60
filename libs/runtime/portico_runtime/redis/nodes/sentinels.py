"""Connections to the master that Sentinels name. They need Redis's client, which is large (decision 0044)."""

from __future__ import annotations

from typing import Any

from redis.asyncio.connection import ConnectionPool
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import MasterNotFoundError, Sentinel, SentinelConnectionPool, SentinelManagedConnection
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from portico_runtime.redis.nodes.address import Address
from portico_runtime.redis.nodes.tls import TlsConnection
from portico_runtime.settings.sections.redis import RedisSection


class _TlsToMaster(SentinelManagedConnection, TlsConnection):
    """Goes to the master that the Sentinels name."""


class _Sentinels(Sentinel):
    async def discover_master(self, service_name: str) -> Any:
        try:
            return await super().discover_master(service_name)
        except MasterNotFoundError as error:
            try:
                await self.sentinels[0].ping()
            except RedisError as cause:
                raise error from cause
            raise


def maker_by_sentinel(address: Address, settings: RedisSection, options: dict[str, Any]) -> ConnectionPool:
    password = settings.redis_sentinel_password.get_secret_value()
    own = {
        "username": settings.redis_sentinel_user or None,
        "password": password or None,
        "socket_timeout": settings.redis_timeout / 2,
        "socket_connect_timeout": settings.redis_timeout / 2,
        "retry": Retry(NoBackoff(), 0),  # the next Sentinel is asked instead
        "ssl": address.tls,
        **(address.options if address.tls else {}),
    }
    sentinels = _Sentinels(address.hosts, sentinel_kwargs=own)  # type: ignore[no-untyped-call]
    more: dict[str, Any] = {**options, **address.options}
    if address.tls:
        for one in sentinels.sentinels:
            one.connection_pool.connection_class = TlsConnection
        more["connection_class"] = _TlsToMaster
    return SentinelConnectionPool(address.master, sentinels, **more)  # type: ignore[no-untyped-call]
