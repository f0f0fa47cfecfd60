"""Redis Cluster: three masters with two replicas each, so that a write still has a replica when one fails."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from portico_stack.machine.binaries import REDIS_SERVER, find_program
from portico_stack.machine.private_files import private_directory, write_private
from portico_stack.processes.programs import Program
from portico_stack.servers import redis, redis_files
from portico_stack.servers.probes import redis_answers

MASTERS: Final = 3
REPLICAS_OF_EACH: Final = 2
NODES: Final = MASTERS * (1 + REPLICAS_OF_EACH)
SLOTS: Final = 16_384

BUS: Final = 10_000
"""Offset of a node's cluster bus port."""

NODE_TIMEOUT_MS: Final = 1_000
"""Silence after which a node counts as failed; a replica is promoted a second or two later."""

REPLICA_USER: Final = "replica"
_STATE: Final = "nodes.conf"


@dataclass(frozen=True)
class RedisCluster:
    """Nine nodes; `ports` has masters first, and each plus `BUS` is free as well."""

    data: Path
    ports: Sequence[int]
    passwords: Mapping[str, str] = field(repr=False)
    replica_password: str = field(repr=False)
    bind: str = "127.0.0.1"
    memory_mib: int = redis.MEMORY_MIB

    @property
    def url(self) -> str:
        """URL without credentials: one node of each third is enough to discover the others."""
        hosts = ",".join(f"127.0.0.1:{port}" for port in self.ports)
        return f"redis+cluster://{hosts}"

    def programs(self) -> list[Program]:
        argv = str(find_program(REDIS_SERVER))
        return [
            Program(
                f"redis-{number}",
                (argv, str(self._configure(number))),
                partial(self._ready, number),
                folder=self.data / str(number),
            )
            for number in range(1, NODES + 1)
        ]

    async def prepare(self) -> None:
        for number in range(1, NODES + 1):
            redis_files.leave_note(self.data / str(number))

    def _configure(self, number: int) -> Path:
        redis_files.require_one_history(self.data / str(number))
        folder = private_directory(self.data / str(number))
        digest = hashlib.sha256(self.replica_password.encode()).hexdigest()
        replica = f"user {REPLICA_USER} on #{digest} -@all +psync +replconf +ping\n"
        write_private(folder / "users.acl", redis.acl(self.passwords) + replica)
        state = folder / _STATE
        write_private(state, self._moved(state.read_text()) if state.exists() else self._first_state(number))
        more = f"""\
cluster-enabled yes
cluster-config-file "{_STATE}"
hz 10
cluster-node-timeout {NODE_TIMEOUT_MS}
cluster-require-full-coverage no
cluster-replica-no-failover no
masteruser {REPLICA_USER}
masterauth {self.replica_password}
repl-diskless-sync yes
repl-diskless-sync-delay 0
"""
        text = redis.config(folder, self.ports[number - 1], self.bind, self.memory_mib)
        return write_private(folder / "redis.conf", text + more)

    def _first_state(self, own: int) -> str:
        lines = []
        for number in range(1, NODES + 1):
            master = (number - 1) % MASTERS + 1
            port = self.ports[number - 1]
            myself = "myself," if number == own else ""
            if number <= MASTERS:
                first, last = (SLOTS * (number - 1)) // MASTERS, SLOTS * number // MASTERS - 1
                rest = f"{myself}master - 0 0 {number} connected {first}-{last}"
            else:
                rest = f"{myself}slave {_id(master)} 0 0 {master} connected"
            lines.append(f"{_id(number)} {self.bind}:{port}@{port + BUS} {rest}\n")
        return "".join(lines) + f"vars currentEpoch {MASTERS} lastVoteEpoch 0\n"

    def _moved(self, state: str) -> str:
        numbers = {_id(number): number for number in range(1, NODES + 1)}
        lines = []
        for line in state.splitlines():
            id, _, rest = line.partition(" ")
            if number := numbers.get(id):
                port = self.ports[number - 1]
                rest = f"{self.bind}:{port}@{port + BUS} {rest.partition(' ')[2]}"
            lines.append(f"{id} {rest}\n")
        return "".join(lines)

    async def _ready(self, number: int) -> None:
        """Returns when the node responds; clients wait until the others know it."""
        user, password = next(iter(self.passwords.items()))
        await redis_answers(self.ports[number - 1], user, password)


def _id(number: int) -> str:
    return f"{number:040x}"
