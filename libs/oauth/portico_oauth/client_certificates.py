"""Client certificates as credentials (RFC 8705 section 2): the registered subject, and what a certificate contains."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from functools import lru_cache
from ipaddress import ip_address
from typing import Any, Final, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from portico_oauth.distinguished_names import read_name

_DNS: Final = re.compile(r"[0-9A-Za-z_-]+(\.[0-9A-Za-z_-]+)*")

LONGEST_SUBJECT: Final = 1_000
"""Maximum characters of a registered subject."""


class SubjectKind(StrEnum):
    """Which part of a certificate is compared, by the end of the parameter's name in RFC 8705 section 2.1.2."""

    DN = "subject_dn"
    DNS = "san_dns"
    URI = "san_uri"
    IP = "san_ip"
    EMAIL = "san_email"


class CertificateSubject(NamedTuple):
    """`value` is comparable: a `x509.Name`, an address, or a text."""

    kind: SubjectKind
    value: Any


def read_subject(text: str) -> CertificateSubject:
    """Reads ``san_dns:client.example.org``. Raises ValueError for another kind, or a value that no certificate has."""
    kind, _, value = text.partition(":")
    if len(text) > LONGEST_SUBJECT or not value or not value.isprintable() or value != value.strip():
        raise ValueError("subject")
    return CertificateSubject(SubjectKind(kind), _READERS[SubjectKind(kind)](value))


def _read_dns(value: str) -> str:
    """Also with underscores, which no name of a host has (RFC 1123 section 2.1), but names of clients have."""
    if not _DNS.fullmatch(value):
        raise ValueError("dns")
    return value.lower()


def _read_uri(value: str) -> str:
    if not value.isascii() or " " in value or not value.partition(":")[2]:
        raise ValueError("uri")
    return value


def _read_email(value: str) -> str:
    name, at, domain = value.rpartition("@")
    if not at or not name or " " in value:
        raise ValueError("email")
    return f"{name}@{_read_dns(domain)}"


_READERS: Final[dict[SubjectKind, Callable[[str], Any]]] = {
    SubjectKind.DN: read_name,
    SubjectKind.DNS: _read_dns,
    SubjectKind.URI: _read_uri,
    SubjectKind.IP: ip_address,
    SubjectKind.EMAIL: _read_email,
}


def is_subject(text: str) -> bool:
    try:
        read_subject(text)
    except ValueError:
        return False
    return True


_cached_subject = lru_cache(maxsize=1_000)(read_subject)


def has_subject(certificate: x509.Certificate, registered: str) -> bool:
    """Reports whether a certificate has the registered subject; a name in it with a wildcard fits only itself."""
    try:
        kind, wanted = _cached_subject(registered)
        return wanted in _subjects(certificate, kind)
    except ValueError:  # also an extension that cannot be read
        return False


def _subjects(certificate: x509.Certificate, kind: SubjectKind) -> list[Any]:
    if kind is SubjectKind.DN:
        return [certificate.subject]
    try:
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return []
    match kind:
        case SubjectKind.DNS:
            return [name.lower() for name in names.get_values_for_type(x509.DNSName)]
        case SubjectKind.URI:
            return list(names.get_values_for_type(x509.UniformResourceIdentifier))
        case SubjectKind.IP:
            return list(names.get_values_for_type(x509.IPAddress))
        case _:
            addresses = (name.rpartition("@") for name in names.get_values_for_type(x509.RFC822Name))
            return [f"{name}@{domain.lower()}" for name, _, domain in addresses]


def public_key_of(certificate: x509.Certificate) -> bytes:
    """Returns the SubjectPublicKeyInfo, by which a self-signed certificate is recognized (RFC 8705 section 2.2)."""
    return certificate.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
