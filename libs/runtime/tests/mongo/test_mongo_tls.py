"""Tests of MongoDB over TLS and by `mongodb+srv`, whose addresses come from DNS (decision 0077)."""

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
from portico_runtime.mongo.client import UNRESOLVED, MongoClient
from portico_runtime.process.health import Health
from portico_runtime.settings.section import InvalidSetting
from portico_runtime.settings.sections.mongo import MongoSection
from portico_runtime.tls.refused import NO_TLS, NOT_TRUSTED, OTHER_NAME
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
    """Redirects DNS queries of this process to a test server; host addresses are resolved by the system."""
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
    password = SecretStr(server.password("keys"))
    return MongoClient(MongoSection(mongo_url=url, mongo_password=password), "keys")


def by_srv(files: Files) -> str:
    """Returns a `mongodb+srv` address with a CA file, like that of a managed MongoDB."""
    return f"mongodb+srv://{NAME}/?tlsCAFile={files.authority}"


async def shown(of: MongoClient) -> str:
    health = Health()
    health.add("mongo", of.check)
    return (await health.state())["mongo"]


async def state(of: MongoClient) -> str:
    try:
        return await shown(of)
    finally:
        await of.close()


async def test_store_writes_over_tls(server: RunningMongo, files: Files) -> None:
    mongo = client(server, f"{server.url}&tls=true&tlsCAFile={files.authority}")
    await mongo.check()
    await mongo.database["of_tls"].insert_one({"_id": "one"})

    assert await mongo.database["of_tls"].count_documents({}) == 1
    assert await mongo.time() > 0
    await mongo.close()


async def test_untrusted_certificate_is_refused(server: RunningMongo, tmp_path: Path) -> None:
    """Readiness names the certificate as the reason within its second."""
    other = write_certificate(tmp_path, "localhost")

    assert await state(client(server, f"{server.url}&tls=true&tlsCAFile={other.authority}")) == NOT_TRUSTED


async def test_certificate_for_another_name_is_refused(server: RunningMongo, files: Files) -> None:
    url = f"mongodb://127.0.0.1:{urlsplit(server.url).port}/?tls=true&tlsCAFile={files.authority}&replicaSet=portico"

    assert await state(client(server, url)) == OTHER_NAME


async def test_connection_without_tls_is_refused(server: RunningMongo) -> None:
    assert await state(client(server, server.url)) not in ("ok", NO_TLS)


async def test_missing_ca_file_stops_the_start(server: RunningMongo, tmp_path: Path) -> None:
    """The error names the misconfigured setting."""
    with pytest.raises(InvalidSetting, match="PORTICO_MONGO_URL"):
        client(server, f"{server.url}&tls=true&tlsCAFile={tmp_path / 'missing.pem'}")


@pytest.mark.usefixtures("names")
async def test_servers_and_set_come_from_dns(server: RunningMongo, files: Files) -> None:
    """The SRV record has the servers, the TXT record the name of the replica set, and the connection uses TLS."""
    mongo = client(server, by_srv(files))
    await mongo.check()
    await mongo.database["of_srv"].insert_one({"_id": "one"})

    assert await mongo.database["of_srv"].count_documents({}) == 1
    await mongo.close()


async def test_unknown_dns_name_is_retried(names: NameServer, server: RunningMongo, files: Files) -> None:
    """The service starts unready with a reason and becomes ready when DNS has the name."""
    records, names.records = names.records, {}
    mongo = client(server, by_srv(files))
    before = await shown(mongo)
    names.records = records

    async def is_ready() -> bool:
        return await shown(mongo) == "ok"

    assert before == UNRESOLVED
    assert await eventually(is_ready, bool)
    await mongo.close()


async def test_server_of_another_domain_is_not_used(names: NameServer, server: RunningMongo, files: Files) -> None:
    names.records = {"SRV": {f"_mongodb._tcp.{NAME}": [f"0 0 {urlsplit(server.url).port} one.elsewhere.test."]}}
    mongo = client(server, by_srv(files))

    assert await shown(mongo) == UNRESOLVED
    await mongo.close()
