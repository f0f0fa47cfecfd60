from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from portico_stack.machine.private_files import private_directory, write_private
from portico_stack.machine.public_name import Certificate

_AUTHORITY_DAYS: Final = 3650
_LEAF_DAYS: Final = 365
_RENEWED_DAYS: Final = 90
"""A certificate that expires sooner is renewed at the next start."""

_EARLIER: Final = timedelta(hours=1)
"""Clocks of clients may be behind."""


@dataclass(frozen=True, slots=True)
class LocalAuthority:
    """Reused, so that a browser has to trust it only once; `directory` is readable only by its owner."""

    directory: Path

    @property
    def file(self) -> Path:
        return self.directory / "root.crt"

    def issue(self, host: str, now: datetime | None = None) -> Certificate:
        at = now or datetime.now(UTC)
        private_directory(self.directory)
        if not self.file.exists():
            self._create(at)
        issued = Certificate(self.directory / f"{host}.crt", self.directory / f"{host}.key")
        if not issued.file.exists() or _ends(issued.file) - at < timedelta(days=_RENEWED_DAYS):
            self._issue(host, issued, at)
        return issued

    def _create(self, at: datetime) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Portico, local authority")])
        usage = key_usage(of_authority=True)
        certificate = (
            _builder(name, name, key, at, _AUTHORITY_DAYS)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(usage, critical=True)
            .sign(key, hashes.SHA256())
        )
        write_private(self.directory / "root.key", _key_pem(key))
        write_private(self.file, _pem(certificate))

    def _issue(self, host: str, issued: Certificate, at: datetime) -> None:
        authority = x509.load_pem_x509_certificate(self.file.read_bytes())
        signing = serialization.load_pem_private_key((self.directory / "root.key").read_bytes(), None)
        assert isinstance(signing, ec.EllipticCurvePrivateKey)  # noqa: S101 - narrows the type
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host[:64])])
        certificate = (
            _builder(name, authority.subject, key, at, _LEAF_DAYS)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(key_usage(of_authority=False), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signing.public_key()), critical=False)
            .sign(signing, hashes.SHA256())
        )
        write_private(issued.key, _key_pem(key))
        write_private(issued.file, _pem(certificate))


def _builder(
    name: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, at: datetime, days: int
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder(issuer, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(at - _EARLIER)
        .not_valid_after(at + timedelta(days=days))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def key_usage(*, of_authority: bool) -> x509.KeyUsage:
    """Key usage: signing certificates, or a TLS server (RFC 5280, 4.2.1.3)."""
    return x509.KeyUsage(
        digital_signature=not of_authority,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=of_authority,
        crl_sign=of_authority,
        encipher_only=False,
        decipher_only=False,
    )


def _ends(file: Path) -> datetime:
    return x509.load_pem_x509_certificate(file.read_bytes()).not_valid_after_utc


def _pem(certificate: x509.Certificate) -> str:
    return certificate.public_bytes(serialization.Encoding.PEM).decode()


def _key_pem(key: ec.EllipticCurvePrivateKey) -> str:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()
