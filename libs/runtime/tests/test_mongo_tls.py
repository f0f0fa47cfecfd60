"""MongoDB over TLS and by `mongodb+srv`, as managed ones are reached: the addresses come from DNS (decision 0077)."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
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
from portico_runtime.refused_tls import NO_TLS, NOT_TRUSTED, OTHER_NAME
from portico_runtime.settings import InvalidSetting, MongoSection
from pydantic import SecretStr

pytestmark = pytest.mark.servers

NAME: Final = "portico.stores.example.test"
SEED: Final = "one.stores.example.test"


@pytest.fixture(name="files", scope="module")
def _files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return write_certificate(tmp_path_factory.mktemp("authority"), "localhost", SEED)


@pytest.fixture(name="server", scope="module")
def _server(tmp_path_factory: pytest.TempPathFactory, files: Files) -> Iterator[RunningMongo]:
    with mongo_over_tls(tmp_path_factory.mktemp("mongo-tls"), files) as server:
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


def client(server: RunningMongo, url: str) -> MongoClient:
    """As keys has it."""
    password = SecretStr(server.password("keys"))
    return MongoClient(MongoSection(mongo_url=url, mongo_password=password), "keys")


def by_srv(files: Files) -> str:
    """What a managed MongoDB gives its customers as the address, and a file to trust."""
    return f"mongodb+srv://{NAME}/?tlsCAFile={files.authority}"


async def shown(of: MongoClient) -> str:
    """What /readyz shows."""
    health = Health()
    health.add("mongo", of.check)
    return (await health.state())["mongo"]


async def state(of: MongoClient) -> str:
    """The same, once; the client is closed then."""
    try:
        return await shown(of)
    finally:
        await of.close()


async def test_a_store_writes_over_tls(server: RunningMongo, files: Files) -> None:
    """The options of the address are all there is to set: what the store writes is there, and the clock is read."""
    mongo = client(server, f"{server.url}&tls=true&tlsCAFile={files.authority}")
    await mongo.check()
    await mongo.database["of_tls"].insert_one({"_id": "one"})

    assert await mongo.database["of_tls"].count_documents({}) == 1
    assert await mongo.time() > 0
    await mongo.close()


async def test_a_certificate_of_another_authority_is_refused(server: RunningMongo, tmp_path: Path) -> None:
    """Readiness states it, within the second it has."""
    other = write_certificate(tmp_path, "localhost")

    assert await state(client(server, f"{server.url}&tls=true&tlsCAFile={other.authority}")) == NOT_TRUSTED


async def test_a_certificate_for_another_name_is_refused(server: RunningMongo, files: Files) -> None:
    """The same authority does not make another host of it."""
    url = f"mongodb://127.0.0.1:{urlsplit(server.url).port}/?tls=true&tlsCAFile={files.authority}&replicaSet=portico"

    assert await state(client(server, url)) == OTHER_NAME


async def test_without_tls_there_is_no_connection(server: RunningMongo) -> None:
    """A server that requires TLS is not spoken to without, and readiness is no ok."""
    assert await state(client(server, server.url)) not in ("ok", NO_TLS)


async def test_a_file_that_is_not_there_ends_the_start(server: RunningMongo, tmp_path: Path) -> None:
    """With a sentence that names the setting."""
    with pytest.raises(InvalidSetting, match="PORTICO_MONGO_URL"):
        client(server, f"{server.url}&tls=true&tlsCAFile={tmp_path / 'missing.pem'}")


@pytest.mark.usefixtures("names")
async def test_servers_and_set_come_from_dns(server: RunningMongo, files: Files) -> None:
    """The SRV record has the servers, the TXT record the name of their set, and the connection is over TLS."""
    mongo = client(server, by_srv(files))
    await mongo.check()
    await mongo.database["of_srv"].insert_one({"_id": "one"})

    assert await mongo.database["of_srv"].count_documents({}) == 1
    await mongo.close()


async def test_a_name_that_is_not_there_yet(names: NameServer, server: RunningMongo, files: Files) -> None:
    """The service starts, is not ready and states why; it is ready once DNS has the name."""
    records, names.records = names.records, {}
    mongo = client(server, by_srv(files))
    before = await shown(mongo)
    names.records = records

    async def is_ready() -> bool:
        return await shown(mongo) == "ok"

    assert before == UNRESOLVED
    assert await eventually(is_ready, bool)
    await mongo.close()


async def test_a_server_that_is_no_part_of_the_domain_is_not_asked(
    names: NameServer, server: RunningMongo, files: Files
) -> None:
    """An answer of DNS names no server of another domain."""
    names.records = {"SRV": {f"_mongodb._tcp.{NAME}": [f"0 0 {urlsplit(server.url).port} one.elsewhere.test."]}}
    mongo = client(server, by_srv(files))

    assert await shown(mongo) == UNRESOLVED
    await mongo.close()
