from __future__ import annotations

from collections.abc import Callable, Sequence

from redis.asyncio.connection import ConnectionPool

from portico_runtime.redis.nodes import address as addresses
from portico_runtime.redis.nodes.address import Address, Kind
from portico_runtime.redis.nodes.cluster import Cluster
from portico_runtime.redis.nodes.history import BUCKETS, History
from portico_runtime.redis.nodes.node import Limits, Node
from portico_runtime.settings.sections.redis import RedisSection


class OneNode:
    def __init__(self, node: Node) -> None:
        self._node = node
        self.enqueue = node.enqueue
        self.close = node.close

    def nodes(self) -> Sequence[Node]:
        return (self._node,)

    def failure(self) -> str:
        return self._node.failure

    async def start(self) -> None:
        pass


def place(settings: RedisSection, user: str, history: History | None, lost: Callable[[], None]) -> OneNode | Cluster:
    address = addresses.parse_address(settings.redis_url)
    options = addresses.connection_options(settings, user)
    limits = Limits(settings.redis_timeout, settings.redis_wait_replicas, address.kind is Kind.SENTINEL)
    if address.kind is Kind.CLUSTER:
        make = addresses.maker_of_nodes(address, options)
        return Cluster(address.hosts, make, limits, history, lost)
    maker = _maker(address, settings, options)
    return OneNode(Node(maker, limits, history, tags=lambda: BUCKETS, redirect=None, lost=lost))


def _maker(address: Address, settings: RedisSection, options: dict[str, object]) -> ConnectionPool:
    if address.kind is Kind.SENTINEL:
        from portico_runtime.redis.nodes.sentinels import maker_by_sentinel  # noqa: PLC0415  # allow import-place: its library is large

        return maker_by_sentinel(address, settings, options)
    return addresses.maker_of_one(settings.redis_url, options)
