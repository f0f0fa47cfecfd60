"""A Redis Cluster client that learns the slots from the cluster.

A node that receives a command for another node's slot replies with the right node and does not run the
command; so does a node that lost its cluster. Only then is a command sent again. A command without a reply is
never repeated.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from typing import Any, Final

import structlog
from redis.asyncio.connection import AbstractConnection, ConnectionPool
from redis.crc import key_slot
from redis.exceptions import AskError, MovedError, RedisError

from portico_runtime.process.ending import end
from portico_runtime.redis.nodes.command import Command, log_failure, packed, reject_all, unavailable
from portico_runtime.redis.nodes.history import BUCKETS, History
from portico_runtime.redis.nodes.node import NOT_REACHED, Limits, Node
from portico_runtime.tls.refused import why_refused

log = structlog.get_logger("portico.redis")

RETRY_SECONDS: Final = 0.1
"""Delay before a command that did not run is sent again, and before the next lookup of the slots."""

Host = tuple[str, int]
MakeConnections = Callable[[str, int], ConnectionPool]


class Cluster:
    """The nodes of a cluster, each for its slots.

    Args:
        hosts: some nodes of the cluster, the first that answers is believed.
        make: what makes connections to a node.
        lost: called whenever a connection to any node was lost.
    """

    def __init__(
        self,
        hosts: Sequence[Host],
        make: MakeConnections,
        limits: Limits,
        history: History | None,
        lost: Callable[[], None],
    ) -> None:
        self._hosts = tuple(hosts)
        self._make = make
        self._limits = limits
        self._history = history
        self._lost = lost
        self._nodes: dict[Host, Node] = {}
        self._ranges: tuple[tuple[int, int, Host], ...] = ()
        self._owners: dict[str, Host] = {}
        self._learning: asyncio.Task[None] | None = None
        self._learned_at = float("-inf")
        self._failure = ""
        self._waiting: list[Command] = []
        self._again: set[asyncio.Task[None]] = set()

    def enqueue(self, command: Command) -> None:
        host = self._host_of(command.tag)
        if host is None:  # nothing is known yet, or no node has it
            self._waiting.append(command)
            self._learn()
        else:
            self._nodes[host].enqueue(command)

    def nodes(self) -> Sequence[Node]:
        return tuple(self._nodes[host] for host in self._masters())

    def failure(self) -> str:
        nodes = self.nodes()
        return next((node.failure for node in nodes if node.failure), "") if nodes else self._failure

    async def start(self) -> None:
        """Reads the nodes; a cluster that does not respond is queried again when it is needed."""
        await self._learn()

    async def close(self) -> None:
        """Finishes what is under way and closes all connections."""
        for task in (*self._again, *([self._learning] if self._learning else [])):
            await end(task)
        await asyncio.gather(*(node.close() for node in self._nodes.values()))

    def _masters(self) -> tuple[Host, ...]:
        return tuple(dict.fromkeys(host for _first, _last, host in self._ranges))

    def _host_of(self, tag: str) -> Host | None:
        if not tag:
            return next(iter(self._masters()), None)
        found = self._owners.get(tag)
        if found is None:
            slot = _slot(tag)
            found = next((host for first, last, host in self._ranges if first <= slot <= last), None)
            if found is not None and tag in BUCKETS:  # other tags are few, but not bounded
                self._owners[tag] = found
        return found

    def _tags_of(self, host: Host) -> Collection[str]:
        return [tag for tag in BUCKETS if self._host_of(tag) == host]

    def _node(self, host: Host) -> Node:
        return Node(
            self._make(*host),
            self._limits,
            self._history,
            tags=lambda: self._tags_of(host),
            redirect=self._redirect,
            lost=self._lose,
        )

    def _lose(self) -> None:
        self._lost()
        if asyncio.get_running_loop().time() > self._learned_at + RETRY_SECONDS:
            self._learn()

    def _redirect(self, command: Command, error: RedisError) -> None:
        now = asyncio.get_running_loop().time()
        command.until = command.until or now + self._limits.seconds
        if now >= command.until:
            log_failure(error)
            command.reject(unavailable(error))
            return
        if isinstance(error, AskError) and not isinstance(error, MovedError):
            # The slot is migrating: until it has arrived, no node is certain to have all of its keys.
            log.info("redis slot is migrating", tag=command.tag)
        self._keep(self._send_again(command))

    async def _send_again(self, command: Command) -> None:
        try:
            await self._learn()
            await asyncio.sleep(RETRY_SECONDS)
        finally:
            if not command.answer.done():
                self.enqueue(command)

    def _keep(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._again.add(task)
        task.add_done_callback(self._again.discard)

    def _learn(self) -> asyncio.Task[None]:
        if self._learning is None or self._learning.done():
            self._learning = asyncio.create_task(self._ask_for_slots())
        return self._learning

    async def _ask_for_slots(self) -> None:
        known = sorted(dict.fromkeys((*self._nodes, *self._hosts)), key=self._is_failing)
        error: BaseException = RedisError("no node of the cluster answers")
        try:
            for host in known:
                try:
                    # A node that hangs must not use the time of those after it.
                    async with asyncio.timeout(self._limits.seconds / 2):
                        ranges = await _ranges_known_to(self._make(*host))
                    self._failure = ""
                    self._take(ranges)
                    return
                except (RedisError, OSError, TimeoutError) as failure:
                    error = failure
            self._failure = why_refused(error) or NOT_REACHED
            log.warning("redis cluster does not respond", cause=type(error).__name__)
        finally:
            self._learned_at = asyncio.get_running_loop().time()
            self._send_waiting(error)

    def _send_waiting(self, error: BaseException) -> None:
        waiting, self._waiting = self._waiting, []
        for command in waiting:
            host = self._host_of(command.tag)
            if host is None:
                reject_all([command], error)
            else:
                self._nodes[host].enqueue(command)

    def _is_failing(self, host: Host) -> bool:
        node = self._nodes.get(host)
        return bool(node and node.failure)

    def _take(self, ranges: tuple[tuple[int, int, Host], ...]) -> None:
        if ranges == self._ranges:
            return
        before = {host: frozenset(self._tags_of(host)) for host in self._nodes}
        self._ranges, self._owners = ranges, {}
        masters = self._masters()
        for host in masters:
            if host not in self._nodes:
                self._nodes[host] = self._node(host)
        log.info("redis cluster topology changed", masters=len(masters))
        for host, node in tuple(self._nodes.items()):
            if not before.get(host, frozenset()) >= frozenset(self._tags_of(host)):
                node.renew()
        for host in [host for host in self._nodes if host not in masters]:
            self._keep(self._nodes.pop(host).close())


async def _ranges_known_to(maker: ConnectionPool) -> tuple[tuple[int, int, Host], ...]:
    """Returns a node's ``CLUSTER SLOTS``: first and last slot of each range, and its master."""
    connection: AbstractConnection = maker.make_connection()  # type: ignore[no-untyped-call]
    try:
        await connection.connect()  # type: ignore[no-untyped-call]
        await connection.send_packed_command([packed("CLUSTER", "SLOTS")], check_health=False)
        reply = await connection.read_response()
    finally:
        await connection.disconnect(nowait=True)
    found = tuple(sorted((int(one[0]), int(one[1]), (str(one[2][0]), int(one[2][1]))) for one in _rows(reply)))
    if not found:
        raise RedisError("the node knows no slots")
    return found


def _rows(reply: Any) -> Iterable[Any]:
    return reply if isinstance(reply, list) else ()


@lru_cache(maxsize=1_000)
def _slot(tag: str) -> int:
    return key_slot(tag.encode())
