"""MongoDB: a replica set of one member with authentication; each service owns one database."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from portico_stack.machine.binaries import find_mongod
from portico_stack.machine.private_files import private_directory, write_private
from portico_stack.processes.programs import Program
from portico_stack.servers.mongo_files import note_version, require_readable
from portico_stack.servers.mongo_names import REPLICA_SET
from portico_stack.servers.probes import mongo_answers

_CONNECTIONS: Final = 2_000
"""Nine replicas of users and keys have at most 1,200."""

_SESSIONS: Final = 2 * _CONNECTIONS
"""Of the storage engine, so that it never lacks one; the default, 33,000, takes 35 MiB from the start."""

_LIMITS: Final = ("dirty_target=60", "dirty_trigger=80", "updates_target=60", "updates_trigger=80")
"""Percent of the cache that may be changed and not yet in a file. By default it is 5, which is 13 MiB here: an import,
which changes pages of every index, then writes the same pages again and again, for a third of its processor time.
"""

CACHE_MIB: Final = 256
"""Enough for 20,000 people."""

ENGINE: Final = ",".join([f"session_max={_SESSIONS}", *(f"eviction_{limit}" for limit in _LIMITS)])
"""Of WiredTiger."""


def config(data: Path, port: int, bind: str, cache_mib: int = CACHE_MIB) -> str:
    return json.dumps(
        {
            "storage": {
                "dbPath": str(data / "db"),
                # Only of writes without j:true, which flush the journal at once; services make none.
                "journal": {"commitIntervalMs": 500},
                "wiredTiger": {"engineConfig": {"cacheSizeGB": cache_mib / 1024, "configString": ENGINE}},
            },
            "net": {
                "bindIp": bind,
                "port": port,
                "unixDomainSocket": {"enabled": False},
                "maxIncomingConnections": _CONNECTIONS,
                # Processed before authentication, and useless on one machine.
                "compression": {"compressors": "disabled"},
            },
            "replication": {"replSetName": REPLICA_SET, "oplogSizeMB": 128},
            # No query uses scripts, which would run in the server.
            "security": {"authorization": "enabled", "keyFile": str(data / "member.key"), "javascriptEnabled": False},
            "systemLog": {"quiet": True},
            "setParameter": {
                "diagnosticDataCollectionEnabled": False,
                # A set of one has no member to step down for.
                "shutdownTimeoutMillisForSignaledShutdown": 100,
                # What a killed replica was changing cannot be changed until its transaction ends: a minute or more by
                # default. Calls take 10 s at most.
                "transactionLifetimeLimitSeconds": 15,
            },
        },
        indent=2,
    )


@dataclass(frozen=True)
class MongoServer:
    """`bind` must include 127.0.0.1, where its first user is created; `host` is its name in the replica set."""

    data: Path
    port: int
    passwords: Mapping[str, str] = field(repr=False)
    member_key: str = field(repr=False)
    bind: str = "127.0.0.1"
    host: str = "127.0.0.1"
    cache_mib: int = CACHE_MIB

    @property
    def url(self) -> str:
        """Clients poll the only member: a stream of its state would take a thread and a connection of each."""
        return f"mongodb://{self.host}:{self.port}/?replicaSet={REPLICA_SET}&serverMonitoringMode=poll"

    def write_configuration(self) -> Path:
        private_directory(self.data / "db")
        write_private(self.data / "member.key", self.member_key)
        return write_private(self.data / "mongod.conf", config(self.data, self.port, self.bind, self.cache_mib))

    def program(self) -> Program:
        program = find_mongod()
        require_readable([self.data], program)
        argv = (str(program), "--config", str(self.write_configuration()))
        return Program("mongo", argv, self._ready, folder=self.data)

    async def prepare(self) -> None:
        """Initiates the replica set and creates users, on the server's machine; idempotent."""
        from portico_stack.servers import mongo_admin  # noqa: PLC0415  # allow import-place: only the start needs it

        await mongo_admin.prepare(self.port, f"{self.host}:{self.port}", self.passwords)
        note_version(self.data, await mongo_admin.read_version(self.port, self.passwords))

    async def _ready(self) -> None:
        await mongo_answers(self.port)
