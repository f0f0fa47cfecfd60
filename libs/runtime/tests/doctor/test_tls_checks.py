from __future__ import annotations

from pathlib import Path

import pytest
from portico_harness.certificates import Files, write_certificate
from portico_harness.redis_programs import REDIS, find_installed
from portico_harness.tls_servers import mongo_over_tls, nats_over_tls, redis_over_tls
from portico_runtime.doctor.bus import check_bus
from portico_runtime.doctor.mongo import check_mongo
from portico_runtime.doctor.redis import check_redis
from portico_runtime.settings.sections.bus import BusSection
from portico_runtime.settings.sections.mongo import MongoSection
from portico_runtime.settings.sections.redis import RedisSection
from portico_runtime.tls.refused import NOT_TRUSTED
from pydantic import SecretStr

from .findings import gathered, of_level

pytestmark = pytest.mark.servers


@pytest.fixture(name="files", scope="module")
def _files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return write_certificate(tmp_path_factory.mktemp("authority"), "localhost")


@pytest.fixture(name="other", scope="module")
def _other(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """A certificate authority that signed none of the server certificates."""
    return write_certificate(tmp_path_factory.mktemp("other"), "localhost")


async def test_mongodb_over_tls(tmp_path: Path, files: Files, other: Files) -> None:
    """The checks work over TLS, and an untrusted certificate authority is named as the reason."""
    with mongo_over_tls(tmp_path / "mongo", files) as server:
        password = SecretStr(server.password("keys"))
        url = f"{server.url}&tls=true&tlsCAFile="
        section = MongoSection(mongo_url=f"{url}{files.authority}", mongo_password=password, mongo_timeout=5.0)
        well = await gathered(check_mongo(section, "keys"))
        refused = await gathered(
            check_mongo(MongoSection(mongo_url=f"{url}{other.authority}", mongo_password=password), "keys")
        )

    assert of_level(well, "wrong") == ""
    assert of_level(refused, "wrong") == NOT_TRUSTED


async def test_nats_over_tls(tmp_path: Path, files: Files, other: Files) -> None:
    """The doctor logs in over TLS as the service does, and names an untrusted authority as the reason."""
    with nats_over_tls(tmp_path / "nats", files) as server:
        url, password = server.url, SecretStr(server.passwords["users"])
        well = await gathered(
            check_bus(BusSection(bus_url=url, bus_password=password, bus_ca_file=str(files.authority)), "users")
        )
        refused = await gathered(
            check_bus(BusSection(bus_url=url, bus_password=password, bus_ca_file=str(other.authority)), "users")
        )

    assert "responds, " in of_level(well, "ok")
    assert of_level(refused, "wrong") == NOT_TRUSTED


async def test_ca_file_without_tls_is_a_settings_error() -> None:
    """The doctor shows the sentence with which the service refuses to start."""
    found = await gathered(check_bus(BusSection(bus_url="nats://localhost:1", bus_ca_file="/nowhere.pem"), "users"))

    assert "PORTICO_BUS_URL must use tls:// for all servers" in of_level(found, "wrong")


async def test_redis_over_tls(tmp_path: Path, files: Files, other: Files) -> None:
    """The checks work over TLS, and an untrusted certificate authority is named as the reason."""
    with redis_over_tls(tmp_path / "redis", files, find_installed(REDIS)) as server:
        password = server.section("authz").redis_password
        url = f"{server.url.partition('?')[0]}?ssl_ca_certs="
        well = await gathered(
            check_redis(RedisSection(redis_url=f"{url}{files.authority}", redis_password=password), "authz")
        )
        refused = await gathered(
            check_redis(RedisSection(redis_url=f"{url}{other.authority}", redis_password=password), "authz")
        )

    assert "responds, " in of_level(well, "ok")
    assert of_level(refused, "wrong") == NOT_TRUSTED
