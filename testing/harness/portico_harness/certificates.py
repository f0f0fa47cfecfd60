from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from portico_stack.machine.local_authority import key_usage

_Extension = tuple[x509.ExtensionType, bool]


class Files(NamedTuple):
    """The written files.

    Attributes:
        authority: the certificate that clients trust.
    """

    certificate: Path
    key: Path
    authority: Path


def write_certificate(
    directory: Path, host: str, *more: str, passphrase: bytes = b"", key_identifiers: bool = True, days: float = 1
) -> Files:
    """Writes a new CA and a certificate of it.

    Args:
        host: a name, or an IP address.
        more: further names.
        key_identifiers: without, they lack extensions that RFC 5280 demands of a CA, like what 389 Directory Server
            and Samba make for themselves.
        days: how long the certificate is valid from now; it has expired if negative.
    """
    authority_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    by = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Authority of a test")])
    of_a_ca: list[_Extension] = [
        (x509.BasicConstraints(ca=True, path_length=0), True),
        (key_usage(of_authority=True), True),
        (x509.SubjectKeyIdentifier.from_public_key(authority_key.public_key()), False),
    ]
    authority = _certificate(by, by, authority_key, authority_key, of_a_ca if key_identifiers else of_a_ca[:1])
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    names = x509.SubjectAlternativeName([_general_name(one) for one in (host, *more)])
    extensions: list[_Extension] = [
        (names, False),
        (x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key()), False),
    ]
    certificate = _certificate(name, by, key, authority_key, extensions if key_identifiers else extensions[:1], days)
    lock = serialization.BestAvailableEncryption(passphrase) if passphrase else serialization.NoEncryption()
    pem = serialization.Encoding.PEM
    files = Files(directory / "certificate.pem", directory / "key.pem", directory / "authority.pem")
    files.certificate.write_bytes(certificate.public_bytes(pem))
    files.key.write_bytes(key.private_bytes(pem, serialization.PrivateFormat.PKCS8, lock))
    files.authority.write_bytes(authority.public_bytes(pem))
    return files


def _general_name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _certificate(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    signing_key: ec.EllipticCurvePrivateKey,
    extensions: Sequence[_Extension],
    days: float = 1,
) -> x509.Certificate:
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(issuer, subject, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now - timedelta(days=2)).not_valid_after(now + timedelta(days=days))
    for extension, critical in extensions:
        builder = builder.add_extension(extension, critical)
    return builder.sign(signing_key, hashes.SHA256())
