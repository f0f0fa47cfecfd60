"""MongoDB over TLS and by `mongodb+srv`, as managed ones are reached (decision 0077)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from portico_harness.certificates import Files, write_certificate
from portico_harness.servers import RunningMongo
from portico_harness.tls_servers import mongo_over_tls
from portico_runtime.health import Health
from portico_runtime.mongo import MongoClient
from portico_runtime.refused_tls import NO_TLS, NOT_TRUSTED, OTHER_NAME
from portico_runtime.settings import InvalidSetting, MongoSection
from pydantic import SecretStr

pytestmark = pytest.mark.servers

SEED = "one.stores.example.test"


@pytest.fixture(name="files", scope="module")
def _files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return write_certificate(tmp_path_factory.mktemp("authority"), "localhost", SEED)


@pytest.fixture(name="server", scope="module")
def _server(tmp_path_factory: pytest.TempPathFactory, files: Files) -> Iterator[RunningMongo]:
    with mongo_over_tls(tmp_path_factory.mktemp("mongo-tls"), files) as server:
        yield server


def client(server: RunningMongo, url: str) -> MongoClient:
    """As keys has it."""
    password = SecretStr(server.password("keys"))
    return MongoClient(MongoSection(mongo_url=url, mongo_password=password), "keys")


async def state(of: MongoClient) -> str:
    """What /readyz shows; the client is closed then."""
    health = Health()
    health.add("mongo", of.check)
    try:
        return (await health.state())["mongo"]
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
