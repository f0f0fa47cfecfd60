"""``portico doctor`` checks the issuer from outside: address, certificate, keys, clock."""

from __future__ import annotations

import json
import ssl
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from portico_cli.doctor.issuer import _discovery, check_issuer
from portico_runtime.doctor.finding import Finding

ALGORITHMS = ["ES256", "RS256"]


@dataclass
class Provider:
    issuer: str = ""
    status: int = 200
    states: str = ""
    algorithms: list[str] = field(default_factory=lambda: list(ALGORITHMS))
    late: float = 0.0
    keys_status: int = 200
    other: Any = None

    def answer(self, path: str) -> tuple[int, Any]:
        if self.other is not None:
            return self.status, self.other
        if path == "/keys":
            return self.keys_status, {
                "keys": [{"alg": alg} for alg in self.algorithms]
            } if self.keys_status == 200 else {}
        return self.status, {
            "issuer": self.states or self.issuer,
            "jwks_uri": f"{self.issuer}/keys",
            "id_token_signing_alg_values_supported": ALGORITHMS,
        }


def serve(provider: Provider, tls: ssl.SSLContext | None = None) -> ThreadingHTTPServer:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body = provider.answer(self.path)
            self.send_response_only(status)
            self.send_header("Date", formatdate(time.time() - provider.late, usegmt=True))
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    provider.issuer = f"{'https' if tls else 'http'}://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    return server


@pytest.fixture(name="provider")
def _provider() -> Iterator[Provider]:
    provider = Provider()
    server = serve(provider)
    yield provider
    server.shutdown()
    server.server_close()


def certificate(folder: Path, days: float) -> tuple[ssl.SSLContext, str]:
    """Returns a certificate for loopback valid for that many days, and its CA file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=90))
        .not_valid_after(now + timedelta(days=days))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    file = folder / "certificate.pem"
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file.write_bytes(made.public_bytes(serialization.Encoding.PEM) + pem)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context, str(file)


async def found_by_doctor(issuer: str, ca_file: str = "") -> dict[str, Finding]:
    """Returns the findings by name; asserts that each failure has a fix."""
    found = {one.name: one async for one in check_issuer(issuer, ca_file)}
    assert all(bool(one.fix) is (one.level != "ok") for one in found.values())
    return found


async def test_healthy_issuer(provider: Provider) -> None:
    """All checks of a healthy issuer are ok without a fix."""
    found = await found_by_doctor(provider.issuer)

    assert {name: one.level for name, one in found.items()} == {
        "issuer": "ok",
        "issuer clock": "ok",
        "keys": "ok",
        "certificate": "ok",
    }


@pytest.mark.parametrize(
    ("change", "name", "level", "text"),
    [
        ({"status": 503}, "issuer", "wrong", "answers 503"),
        ({"states": "https://other.example.test"}, "issuer", "wrong", "returns the issuer https://other.example.test"),
        ({"other": ["no", "issuer"]}, "issuer", "wrong", "returns the issuer None"),
        ({"late": 600.5}, "issuer clock", "warning", "differ by "),
        ({"algorithms": ["RS256"]}, "keys", "wrong", "no key is published for ES256"),
        ({"keys_status": 503}, "keys", "wrong", "cannot be read"),
    ],
)
async def test_problems_are_found(provider: Provider, change: dict[str, Any], name: str, level: str, text: str) -> None:
    """Each problem has a fix, and the other checks still run."""
    for member, value in change.items():
        setattr(provider, member, value)
    found = await found_by_doctor(provider.issuer)

    assert found[name].level == level
    assert text in found[name].text


async def test_unreachable_issuer() -> None:
    """An unreachable issuer is the only finding."""
    found = await found_by_doctor("http://127.0.0.1:9")

    assert list(found) == ["issuer"]
    assert "does not respond" in found["issuer"].text


@pytest.mark.parametrize(
    ("issuer", "level"),
    [("http://id.example.test", "wrong"), ("https://id.example.test", "ok"), ("http://localhost:8080", "ok")],
)
def test_issuer_without_tls(issuer: str, level: str) -> None:
    """Beyond this machine an issuer without https is a finding."""
    assert _discovery(issuer, 200, {"issuer": issuer}).level == level


@pytest.mark.parametrize(("days", "level"), [(30.5, "ok"), (13.5, "warning")])
async def test_certificate_expires_soon(tmp_path: Path, days: float, level: str) -> None:
    """A certificate with less than two weeks left is a finding."""
    tls, file = certificate(tmp_path, days)
    provider = Provider()
    server = serve(provider, tls)
    found = await found_by_doctor(provider.issuer, file)
    server.shutdown()
    server.server_close()

    assert (found["certificate"].level, found["issuer"].level) == (level, "ok")


async def test_untrusted_certificate(tmp_path: Path) -> None:
    """An untrusted certificate stops further checks, because it may be another server."""
    tls, _file = certificate(tmp_path, 30)
    provider = Provider()
    server = serve(provider, tls)
    found = await found_by_doctor(provider.issuer)
    server.shutdown()
    server.server_close()

    assert list(found) == ["issuer"]
    assert "is not trusted" in found["issuer"].text


async def test_file_without_certificates_is_a_finding(provider: Provider, tmp_path: Path) -> None:
    """The other checks go on, instead of ending with an error of OpenSSL."""
    file = tmp_path / "ca.pem"
    file.write_text("no certificate")

    assert [
        (name, one.level, one.text) for name, one in (await found_by_doctor(provider.issuer, str(file))).items()
    ] == [("issuer", "wrong", f"{file} cannot be read as certificates (SSLError)")]
