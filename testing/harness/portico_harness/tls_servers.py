"""Servers of the stores and the bus that speak TLS only, with an authority of the test's own."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from portico_contracts.catalogue import BUS_USERS
from portico_stack.ports import free_port
from portico_stack.private_files import write_private
from portico_stack.servers import mongo, nats

from portico_harness.certificates import Files
from portico_harness.servers import RunningMongo, RunningNats, running_alone


@dataclass(frozen=True)
class _TlsMongo(mongo.MongoServer):
    """Its clients reach it over TLS only once its users are there: until then the stack itself does without."""

    tls: Files = field(kw_only=True)

    def write_configuration(self) -> Path:
        """See `mongo.MongoServer.write_configuration`."""
        path = super().write_configuration()
        pair = write_private(self.data / "server.pem", self.tls.certificate.read_text() + self.tls.key.read_text())
        config = json.loads(path.read_text())
        config["net"]["tls"] = {
            "mode": "preferTLS",
            "certificateKeyFile": str(pair),
            "CAFile": str(self.tls.authority),
            "allowConnectionsWithoutCertificates": True,
        }
        return write_private(path, json.dumps(config))

    async def prepare(self) -> None:
        """See `mongo.MongoServer.prepare`; from then on nothing is answered without TLS."""
        await super().prepare()
        async with mongo.direct_client(self.port, mongo.ADMIN, self.passwords) as admin:
            await admin.admin.command("setParameter", 1, tlsMode="requireTLS")


@contextmanager
def mongo_over_tls(data: Path, tls: Files) -> Iterator[RunningMongo]:
    """A MongoDB of its own, by the name localhost."""
    passwords = {user: f"p{secrets.token_hex(16)}" for user in (*mongo.USERS, mongo.ADMIN)}
    server = _TlsMongo(data, free_port(), passwords, secrets.token_hex(32), host="localhost", tls=tls)
    with running_alone(server) as (process, loop):
        yield RunningMongo(server.url, server.passwords, process, loop)


@contextmanager
def nats_over_tls(data: Path, tls: Files) -> Iterator[RunningNats]:
    """A NATS of its own, by the name localhost."""
    passwords = {user: f"p{secrets.token_hex(16)}" for user in BUS_USERS}
    server = nats.NatsServer(data, free_port(), passwords, tls=nats.TlsFiles(*tls))
    with running_alone(server) as (process, loop):
        yield RunningNats(server.url, server.passwords, process, loop)
