from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from portico_runtime.doctor.outbound import Published, check_documents, check_outbound
from portico_runtime.settings.sections.outbound import OutboundSection

from .findings import gathered, of_level, printed


class Publisher:
    def __init__(self) -> None:
        self.status = 200
        self.port = 0
        self.requests = 0
        self.body = b"{}"

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        self.requests += 1
        head = f"HTTP/1.1 {self.status} Here\r\nContent-Length: {len(self.body)}\r\nConnection: close\r\n\r\n"
        writer.write(head.encode() + self.body)
        await writer.drain()
        writer.close()


@pytest.fixture
async def publisher() -> AsyncIterator[Publisher]:
    playing = Publisher()
    server = await asyncio.start_server(playing.answer, "127.0.0.1", 0)
    playing.port = server.sockets[0].getsockname()[1]
    yield playing
    server.close()


async def test_valid_outbound_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allowed private addresses are listed for review."""
    monkeypatch.delenv("HTTPS_PROXY", raising=False)
    found = await gathered(check_outbound(OutboundSection(outbound_allow="localhost:9")))

    assert "also allowed: localhost:9" in of_level(found, "ok")
    assert of_level(found, "wrong") == ""


async def test_invalid_outbound_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An unresolvable name, an invalid certificate file and an unused proxy setting are reported."""
    monkeypatch.setenv("https_proxy", "http://user:canary@proxy.example:3128")
    missing = await gathered(check_outbound(OutboundSection(outbound_ca_file=str(tmp_path / "ca.pem"))))
    unknown = await gathered(check_outbound(OutboundSection(outbound_allow="nothing.invalid:443")))

    assert "PORTICO_OUTBOUND_CA_FILE cannot be read" in of_level(missing, "wrong")
    assert "nothing.invalid:443 is allowed, but the name cannot be resolved" in of_level(unknown, "warning")
    assert "HTTPS_PROXY has no effect" in of_level(unknown, "warning")
    assert "canary" not in printed(unknown)


async def test_provider_documents_are_fetched(publisher: Publisher) -> None:
    """A provider that refuses, is unreachable or has a private address is an error with its reason."""
    here = f"http://127.0.0.1:{publisher.port}/.well-known/openid-configuration"
    allowed = OutboundSection(outbound_allow=f"127.0.0.1:{publisher.port},127.0.0.1:9")
    well = await gathered(check_documents(allowed, {"Acme": Published(here)}))
    publisher.status = 404
    refuses = await gathered(check_documents(allowed, {"Acme": Published(here)}))
    away = await gathered(check_documents(allowed, {"Acme": Published("http://127.0.0.1:9/")}))
    asked = publisher.requests
    private = await gathered(check_documents(OutboundSection(), {"Acme": Published(here.replace("http", "https"))}))

    assert of_level(well, "ok") == f"Acme responds at 127.0.0.1:{publisher.port}"
    assert of_level(refuses, "wrong") == f"Acme responds with status 404 at 127.0.0.1:{publisher.port}"
    assert of_level(away, "wrong") == "Acme does not respond (ConnectError)"
    assert of_level(private, "wrong") == "requests to Acme are not allowed: the address is not public"
    assert publisher.requests == asked == 2


async def test_document_size_limits(publisher: Publisher) -> None:
    """A key set of 100 KiB is accepted, and a discovery document of that size is an error, as at sign-in."""
    publisher.body = b" " * 100 * 1024
    here = f"http://127.0.0.1:{publisher.port}/"
    allowed = OutboundSection(outbound_allow=f"127.0.0.1:{publisher.port}")
    found = [
        await gathered(check_documents(allowed, {"Acme": one})) for one in (Published(here, 262_144), Published(here))
    ]

    assert of_level(found[0], "ok") == f"Acme responds at 127.0.0.1:{publisher.port}"
    assert of_level(found[1], "wrong") == "Acme does not respond (the response is too large)"
