"""Certificates of clients, for mutual TLS (RFC 8705)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, ObjectIdentifier

_DAY = timedelta(days=1)


class Issued(NamedTuple):
    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @property
    def der(self) -> bytes:
        return self.certificate.public_bytes(Encoding.DER)

    @property
    def pem(self) -> str:
        return self.certificate.public_bytes(Encoding.PEM).decode()

    def write(self, directory: Path, name: str) -> tuple[str, str]:
        """Writes certificate and key; returns their paths."""
        certificate, key = directory / f"{name}.pem", directory / f"{name}.key"
        certificate.write_text(self.pem)
        key.write_bytes(self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        return str(certificate), str(key)


def name_of(text: str) -> x509.Name:
    return x509.Name.from_rfc4514_string(text)


def new_authority(
    subject: str = "CN=Clients of a test",
    *,
    by: Issued | None = None,
    is_ca: bool = True,
    now: float | None = None,
    days: tuple[float, float] = (-1, 1),
) -> Issued:
    """A CA as ``openssl req -x509`` makes it, without a key usage."""
    extensions = [(x509.BasicConstraints(ca=is_ca, path_length=None), True)]
    return new_certificate(subject, by=by, extensions=extensions, now=now, days=days)


def new_certificate(
    subject: str,
    *,
    by: Issued | None = None,
    names: Sequence[x509.GeneralName] = (),
    usages: Sequence[ObjectIdentifier] = (),
    extensions: Sequence[tuple[Any, bool]] = (),
    now: float | None = None,
    days: tuple[float, float] = (-1, 1),
    key: ec.EllipticCurvePrivateKey | None = None,
) -> Issued:
    """A certificate of a CA, or self-signed. `days` are its validity from `now`, which is in unix seconds."""
    key = key or ec.generate_private_key(ec.SECP256R1())
    at = datetime.fromtimestamp(now, UTC) if now is not None else datetime.now(UTC)
    issuer = by.certificate.subject if by else name_of(subject)
    builder = x509.CertificateBuilder(issuer, name_of(subject), key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(at + days[0] * _DAY).not_valid_after(at + days[1] * _DAY)
    if names:
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    if usages:
        builder = builder.add_extension(x509.ExtendedKeyUsage(usages), critical=False)
    for extension, critical in extensions:
        builder = builder.add_extension(extension, critical)
    return Issued(builder.sign(by.key if by else key, hashes.SHA256()), key)


def address(text: str) -> x509.IPAddress:
    return x509.IPAddress(ip_address(text))


CLIENT_USAGE = ExtendedKeyUsageOID.CLIENT_AUTH
SERVER_USAGE = ExtendedKeyUsageOID.SERVER_AUTH
