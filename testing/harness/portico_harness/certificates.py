"""Certificates as an operator has them: by an authority of one's own, for one name."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class Files(NamedTuple):
    """What was written.

    Attributes:
        authority: the certificate clients trust.
    """

    certificate: Path
    key: Path
    authority: Path


def write_certificate(directory: Path, host: str, *, passphrase: bytes = b"") -> Files:
    """Makes an authority and a certificate of it, valid for a day."""
    authority_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    by = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Authority of a test")])
    authority = _certificate(
        by, by, authority_key, authority_key, [(x509.BasicConstraints(ca=True, path_length=0), True)]
    )
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    certificate = _certificate(
        name, by, key, authority_key, [(x509.SubjectAlternativeName([x509.DNSName(host)]), False)]
    )
    lock = serialization.BestAvailableEncryption(passphrase) if passphrase else serialization.NoEncryption()
    pem = serialization.Encoding.PEM
    files = Files(directory / "certificate.pem", directory / "key.pem", directory / "authority.pem")
    files.certificate.write_bytes(certificate.public_bytes(pem))
    files.key.write_bytes(key.private_bytes(pem, serialization.PrivateFormat.PKCS8, lock))
    files.authority.write_bytes(authority.public_bytes(pem))
    return files


def _certificate(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    signing_key: ec.EllipticCurvePrivateKey,
    extensions: list[tuple[x509.ExtensionType, bool]],
) -> x509.Certificate:
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(issuer, subject, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now - timedelta(hours=1)).not_valid_after(now + timedelta(days=1))
    for extension, critical in extensions:
        builder = builder.add_extension(extension, critical)
    return builder.sign(signing_key, hashes.SHA256())
