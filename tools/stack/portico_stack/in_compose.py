"""One-time, idempotent steps of docker-compose.yml: ``python -m portico_stack.in_compose MOVE``.

``lay-out`` creates passwords, keys and the servers' configurations in a volume; each container later sees
only its own part. ``prepare`` creates the replica set, the database users and the event stream; it shares
MongoDB's network, because the first user can only be created from localhost.
"""

from __future__ import annotations

import asyncio
import os
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from portico_contracts.catalogue import SERVICES

from portico_stack.assembly.services import SharedSettings, write_secrets
from portico_stack.installation.installation import Installation, load_or_create
from portico_stack.machine.private_files import private_directory
from portico_stack.machine.processor import CPUINFO, ProcessorTooOld, require_processor_for_mongod
from portico_stack.servers import nats_stream
from portico_stack.servers.mongo import MongoServer
from portico_stack.servers.nats import NatsServer
from portico_stack.servers.redis import MEMORY_MIB, MEMORY_VARIABLE, RedisServer
from portico_stack.servers.redis_files import DataUnclear

DATA: Final = Path("/portico")
_EVERYWHERE: Final = "0.0.0.0"  # noqa: S104 - inside the network of the composition


def _redis(installation: Installation, data: Path) -> RedisServer:
    memory = int(os.environ.get(MEMORY_VARIABLE) or MEMORY_MIB)
    return RedisServer(data / "redis", 6379, installation.redis_passwords, bind=_EVERYWHERE, memory_mib=memory)


def _mongo(installation: Installation, data: Path) -> MongoServer:
    return MongoServer(
        data / "mongo",
        27017,
        installation.mongo_passwords,
        installation.mongo_member_key,
        bind=_EVERYWHERE,
        host="mongo",
    )


def _nats(installation: Installation, data: Path) -> NatsServer:
    return NatsServer(data / "nats", 4222, installation.bus_passwords, bind=_EVERYWHERE)


def lay_out(data: Path) -> None:
    installation = load_or_create(data)
    for server in (_redis(installation, data), _mongo(installation, data), _nats(installation, data)):
        server.write_configuration()
    shared = SharedSettings(
        issuer="", authz_url="", redis_url="", mongo_url="", bus_url="", bus_passwords=installation.bus_passwords
    )
    for service in SERVICES:
        write_secrets(service, installation, shared, data / "secrets" / service)
    private_directory(data / "gateway")
    try:
        require_processor_for_mongod(CPUINFO, platform.machine())
    except ProcessorTooOld as error:  # a changed composition may have its MongoDB elsewhere
        print(error, file=sys.stderr)


def prepare(data: Path) -> None:
    installation = load_or_create(data)
    servers = (_redis(installation, data), _mongo(installation, data))
    asyncio.run(_prepare(servers, installation.bus_passwords["operator"]))


async def _prepare(servers: tuple[RedisServer, MongoServer], operator_password: str) -> None:
    for server in servers:
        await server.prepare()
    await nats_stream.create("nats://nats:4222", operator_password)


_MOVES: Final[dict[str, Callable[[Path], None]]] = {"lay-out": lay_out, "prepare": prepare}

if __name__ == "__main__":
    try:
        _MOVES[sys.argv[1]](DATA)
    except DataUnclear as error:
        sys.exit(str(error))
