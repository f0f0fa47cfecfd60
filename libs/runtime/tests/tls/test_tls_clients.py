"""Which certificates each TLS client accepts: the same ones, on every supported Python (decision 0114)."""

from __future__ import annotations

import asyncio
import json
import ssl
from pathlib import Path
from typing import Final

import pytest
from portico_contracts import spans
from portico_harness.certificates import write_certificate
from portico_harness.tls_peers import ACCEPTED_OF_SYSTEM, ACCEPTED_WHEN_GIVEN, HOST, Peer, accepted_by
from portico_runtime.bus.nats_client import NatsClient
from portico_runtime.http_client.outbound import Outbound
from portico_runtime.http_client.service_client import ServiceClient
from portico_runtime.mongo.client import MongoClient
from portico_runtime.redis.client import RedisClient
from portico_runtime.settings.sections.mongo import MongoSection
from portico_runtime.settings.sections.outbound import OutboundSection
from portico_runtime.settings.sections.redis import RedisSection
from portico_runtime.settings.sections.spans import SpansSection
from portico_runtime.spans import exporting
from portico_runtime.spans.exporting import SpanExport
from portico_runtime.tls.clients import client_context, is_certificates
from pydantic import SecretStr

pytestmark = pytest.mark.slow

SECONDS: Final = 2.0
PASSWORD: Final = SecretStr("a-password-of-tests")


async def test_context_of_a_file_accepts_own_authorities(tmp_path: Path) -> None:
    async def connect(peer: Peer) -> None:
        await asyncio.open_connection(HOST, peer.port, ssl=client_context(str(peer.authority)))

    assert await accepted_by(tmp_path, connect) == ACCEPTED_WHEN_GIVEN


async def test_context_of_a_text_accepts_own_authorities(tmp_path: Path) -> None:
    async def connect(peer: Peer) -> None:
        await asyncio.open_connection(HOST, peer.port, ssl=client_context(pem=peer.authority.read_text()))

    assert await accepted_by(tmp_path, connect) == ACCEPTED_WHEN_GIVEN


async def test_authorities_of_the_system_must_be_as_rfc_5280_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def connect(peer: Peer) -> None:
        monkeypatch.setenv("SSL_CERT_FILE", str(peer.authority))
        await asyncio.open_connection(HOST, peer.port, ssl=client_context())

    assert await accepted_by(tmp_path, connect) == ACCEPTED_OF_SYSTEM


def test_given_authority_ends_the_chain(tmp_path: Path) -> None:
    """A certificate that an administrator gives is trusted, also where another authority issued it."""
    context = client_context(str(write_certificate(tmp_path, HOST).authority))

    assert ssl.VERIFY_X509_PARTIAL_CHAIN in context.verify_flags
    assert context.check_hostname
    assert context.verify_mode is ssl.CERT_REQUIRED


def test_text_without_a_certificate_is_none(tmp_path: Path) -> None:
    files = write_certificate(tmp_path, HOST)

    assert is_certificates(files.authority.read_text())
    assert not is_certificates(files.key.read_text())
    assert not is_certificates("")


async def test_outbound_accepts_own_authorities(tmp_path: Path) -> None:
    async def connect(peer: Peer) -> None:
        settings = OutboundSection(outbound_allow=f"{HOST}:{peer.port}", outbound_ca_file=str(peer.authority))
        await Outbound(settings).get(f"https://{HOST}:{peer.port}/")

    assert await accepted_by(tmp_path, connect) == ACCEPTED_WHEN_GIVEN


async def test_services_are_called_as_by_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def connect(peer: Peer) -> None:
        monkeypatch.setenv("SSL_CERT_FILE", str(peer.authority))
        await ServiceClient(f"https://{HOST}:{peer.port}").request("GET", "/", {})

    assert await accepted_by(tmp_path, connect) == ACCEPTED_OF_SYSTEM


@pytest.mark.parametrize(("scheme", "path"), [("rediss", ""), ("rediss+cluster", ""), ("rediss+sentinel", "/mymaster")])
async def test_redis_accepts_own_authorities(tmp_path: Path, scheme: str, path: str) -> None:
    """The first node of a cluster and a Sentinel too."""

    async def connect(peer: Peer) -> None:
        url = f"{scheme}://{HOST}:{peer.port}{path}?ssl_ca_certs={peer.authority}"
        settings = RedisSection(redis_url=url, redis_password=PASSWORD, redis_timeout=SECONDS)
        redis = RedisClient(settings, "token", None)
        try:
            await redis.check()
        finally:
            await redis.close()

    assert await accepted_by(tmp_path, connect) == ACCEPTED_WHEN_GIVEN


async def test_redis_trusts_the_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a given file the authorities of the system are not trusted."""
    other = write_certificate(tmp_path, HOST).authority

    async def connect(peer: Peer) -> None:
        monkeypatch.setenv("SSL_CERT_FILE", str(peer.authority))
        url = f"rediss://{HOST}:{peer.port}?ssl_ca_certs={other}"
        redis = RedisClient(RedisSection(redis_url=url, redis_password=PASSWORD, redis_timeout=SECONDS), "token", None)
        try:
            await redis.check()
        finally:
            await redis.close()

    assert not any((await accepted_by(tmp_path, connect)).values())


async def test_mongo_accepts_own_authorities(tmp_path: Path) -> None:
    async def connect(peer: Peer) -> None:
        url = f"mongodb://{HOST}:{peer.port}/?tls=true&tlsCAFile={peer.authority}&directConnection=true"
        mongo = MongoClient(MongoSection(mongo_url=url, mongo_password=PASSWORD, mongo_timeout=0.5), "keys")
        try:
            await mongo.check()
        finally:
            await mongo.close()

    assert await accepted_by(tmp_path, connect) == ACCEPTED_WHEN_GIVEN


async def test_bus_accepts_own_authorities(tmp_path: Path) -> None:
    async def connect(peer: Peer) -> None:
        client = NatsClient(f"tls://{HOST}:{peer.port}", "token", "secret", str(peer.authority))
        await client.connect_once(seconds=SECONDS)

    info = {"server_id": "one", "version": "2.12.0", "max_payload": 1024, "tls_required": True}
    greeting = f"INFO {json.dumps(info)}\r\n".encode()

    assert await accepted_by(tmp_path, connect, greeting=greeting) == ACCEPTED_WHEN_GIVEN


async def _export(peer: Peer, ca_file: str) -> None:
    export = SpanExport(
        "token",
        SpansSection(otlp_endpoint=f"https://{HOST}:{peer.port}/v1/traces", otlp_ca_file=ca_file, otlp_sample_ratio=1),
    )
    tracer = spans.tracer()
    assert tracer is not None
    tracer.begin(spans.SpanKind.CLIENT, "one", {}, "").end()
    await asyncio.to_thread(export.end)


async def test_collector_of_an_own_authority_is_accepted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exporting, "_SECONDS_AT_END", 0.05)

    async def connect(peer: Peer) -> None:
        await _export(peer, str(peer.authority))

    assert await accepted_by(tmp_path, connect) == ACCEPTED_WHEN_GIVEN


async def test_collector_is_trusted_as_by_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And not by the authorities that the library for HTTP brings along."""
    monkeypatch.setattr(exporting, "_SECONDS_AT_END", 0.05)

    async def connect(peer: Peer) -> None:
        monkeypatch.setenv("SSL_CERT_FILE", str(peer.authority))
        await _export(peer, "")

    assert await accepted_by(tmp_path, connect) == ACCEPTED_OF_SYSTEM
