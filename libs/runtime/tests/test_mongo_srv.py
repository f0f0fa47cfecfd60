"""`mongodb+srv`: the addresses of MongoDB come from DNS, and TLS is on without being named (decision 0077)."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Iterator
from typing import Any, Final
from urllib.parse import urlsplit

import dns.resolver
import pytest
from portico_harness.certificates import Files, write_certificate
from portico_harness.eventually import eventually
from portico_harness.name_server import NameServer, name_server
from portico_harness.servers import RunningMongo
from portico_harness.tls_servers import mongo_over_tls
from portico_runtime.health import Health
from portico_runtime.mongo import UNRESOLVED, MongoClient
from portico_runtime.settings import MongoSection
from pydantic import SecretStr

pytestmark = pytest.mark.servers

NAME: Final = "portico.stores.example.test"
SEED: Final = "one.stores.example.test"


@pytest.fixture(name="files", scope="module")
def _files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return write_certificate(tmp_path_factory.mktemp("authority"), "localhost", SEED)


@pytest.fixture(name="server", scope="module")
def _server(tmp_path_factory: pytest.TempPathFactory, files: Files) -> Iterator[RunningMongo]:
    with mongo_over_tls(tmp_path_factory.mktemp("mongo-srv"), files) as server:
        yield server


@pytest.fixture(name="names")
async def _names(server: RunningMongo, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[NameServer]:
    """The resolver of this process asks a server of the test; addresses of hosts are the machine's own to find."""
    records = {
        "SRV": {f"_mongodb._tcp.{NAME}": [f"0 0 {urlsplit(server.url).port} {SEED}."]},
        "TXT": {NAME: ['"replicaSet=portico"']},
    }
    found = socket.getaddrinfo

    def address_of(host: Any, *rest: Any, **more: Any) -> Any:
        return found("127.0.0.1" if host == SEED else host, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", address_of)
    async with name_server({}, records) as names:
        resolver = dns.resolver.Resolver(configure=False)
        resolver.nameservers, resolver.port, resolver.cache = ["127.0.0.1"], names.port, None
        monkeypatch.setattr(dns.resolver, "default_resolver", resolver)
        yield names


def client(server: RunningMongo, files: Files) -> MongoClient:
    """As keys has it, with what a managed MongoDB gives its customers as the address, and a file to trust."""
    url, password = f"mongodb+srv://{NAME}/?tlsCAFile={files.authority}", SecretStr(server.password("keys"))
    return MongoClient(MongoSection(mongo_url=url, mongo_password=password), "keys")


async def state(of: MongoClient) -> str:
    """What /readyz shows."""
    health = Health()
    health.add("mongo", of.check)
    return (await health.state())["mongo"]


@pytest.mark.usefixtures("names")
async def test_servers_and_set_come_from_dns(server: RunningMongo, files: Files) -> None:
    """The SRV record has the servers, the TXT record the name of their set, and the connection is over TLS."""
    mongo = client(server, files)
    await mongo.check()
    await mongo.database["of_srv"].insert_one({"_id": "one"})

    assert await mongo.database["of_srv"].count_documents({}) == 1
    await mongo.close()


async def test_a_name_that_is_not_there_yet(names: NameServer, server: RunningMongo, files: Files) -> None:
    """The service starts, is not ready and states why; it is ready once DNS has the name."""
    records, names.records = names.records, {}
    mongo = client(server, files)
    before = await state(mongo)
    names.records = records

    async def is_ready() -> bool:
        return await state(mongo) == "ok"

    assert before == UNRESOLVED
    assert await eventually(is_ready, bool, 10)
    await mongo.close()


async def test_a_server_that_is_no_part_of_the_domain_is_not_asked(
    names: NameServer, server: RunningMongo, files: Files
) -> None:
    """An answer of DNS names no server of another domain."""
    names.records = {"SRV": {f"_mongodb._tcp.{NAME}": [f"0 0 {urlsplit(server.url).port} one.elsewhere.test."]}}
    mongo = client(server, files)

    assert await state(mongo) == UNRESOLVED
    await mongo.close()
