from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlsplit, urlunsplit

from portico_stack.assembly.layout import Profile
from portico_stack.installation.installation import Installation, find_installation
from portico_stack.processes.lock import AlreadyRunning, DirectoryLock
from portico_stack.processes.programs import Process
from portico_stack.servers.given import MONGO_URL, NATS_URL, REDIS_URL
from portico_stack.servers.mongo import MongoServer
from portico_stack.servers.mongo_names import ADMIN, REPLICA_SET
from portico_stack.servers.mongo_set import MEMBERS, MongoSet

MONGO_AT: Final = "PORTICO_STACK_MONGO_AT"


class NothingStored(ValueError):
    pass


@contextmanager
def no_given_servers() -> Iterator[None]:
    """Within it no server that the environment names is used: for a copy, whose original they may hold."""
    given = {name: os.environ.pop(name) for name in (MONGO_URL, MONGO_AT, REDIS_URL, NATS_URL) if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(given)


@asynccontextmanager
async def stored_mongo(data: Path, *, services_stopped: bool) -> AsyncIterator[str]:
    """Yields the URL of an installation's MongoDB, with the credentials of its administrator.

    ``PORTICO_STACK_MONGO_URL`` names an operator's server, ``PORTICO_STACK_MONGO_AT`` host and port of that
    of a data directory which runs elsewhere, as in containers; otherwise the data directory's server is used,
    and started for the duration if it is not running.

    `services_stopped`: rejects a data directory with running services.
    """
    if given := os.environ.get(MONGO_URL):
        yield given
        return
    installation = find_installation(data)
    if installation is None:
        raise NothingStored(f"no stack was ever started from {data}. Set {MONGO_URL} to a MongoDB.")
    if host := os.environ.get(MONGO_AT):
        yield _with_credentials(f"mongodb://{host}/?replicaSet={REPLICA_SET}", installation)
        return
    server = _server(data, installation)
    lock = DirectoryLock(data)
    try:
        lock.acquire()
    except AlreadyRunning:
        if services_stopped:
            raise NothingStored(f"services are running from {data}. Stop them first.") from None
        yield _with_credentials(server.url, installation)
        return
    processes = [
        Process(program, data / "logs", lambda _line: None)
        for program in (server.programs() if isinstance(server, MongoSet) else [server.program()])
    ]
    try:
        await asyncio.gather(*(process.start() for process in processes))
        await server.prepare()
        yield _with_credentials(server.url, installation)
    finally:
        await asyncio.gather(*(process.stop(10) for process in processes))
        lock.release()


def _server(data: Path, installation: Installation) -> MongoServer | MongoSet:
    passwords, key, ports = installation.mongo_passwords, installation.mongo_member_key, installation.ports
    if installation.profile == Profile.HA:
        return MongoSet(data / "mongo-set", [ports[f"mongo-{n}"] for n in range(1, MEMBERS + 1)], passwords, key)
    return MongoServer(data / "mongo", ports["mongo"], passwords, key)


def _with_credentials(url: str, installation: Installation) -> str:
    parts = urlsplit(url)
    login = f"{ADMIN}:{quote(installation.mongo_passwords[ADMIN], safe='')}"
    return urlunsplit(parts._replace(netloc=f"{login}@{parts.netloc}", query=f"{parts.query}&authSource=admin"))
