from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from .mail_server import Postmaster, Server


@pytest.fixture(scope="module")
def chain(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A self-signed certificate of localhost: the certificate, and the certificate with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    begin = datetime(2020, 1, 1, tzinfo=UTC)
    built = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    built = built.serial_number(x509.random_serial_number())
    built = built.not_valid_before(begin).not_valid_after(begin + timedelta(days=36_500))
    built = built.add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
    built = built.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    certificate = built.sign(key, SHA256()).public_bytes(Encoding.PEM)
    folder = tmp_path_factory.mktemp("mail-tls")
    (folder / "ca.pem").write_bytes(certificate)
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / "chain.pem").write_bytes(certificate + private)
    return folder / "ca.pem", folder / "chain.pem"


@pytest.fixture
async def server(chain: tuple[Path, Path]) -> AsyncIterator[Server]:
    running = Server(Postmaster(), *chain)
    yield running
    await running.close()
