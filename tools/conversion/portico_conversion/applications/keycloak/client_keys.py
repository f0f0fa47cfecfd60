"""Public keys of a Keycloak client, from the attributes that its authentication by JWT reads."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_der_public_key
from portico_contracts.apply import Key


def keys_of(attributes: Mapping[str, str]) -> tuple[Key, ...]:
    return tuple(Key(public_key=pem, id=kid or None) for kid, pem in _keys(attributes))


def _keys(attributes: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    kid = attributes.get("jwt.credential.kid", "")
    try:
        if text := attributes.get("jwt.credential.certificate"):
            certificate = x509.load_der_x509_certificate(_der(text))
            yield kid, _pem(certificate.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo))
        elif text := attributes.get("jwt.credential.public.key"):
            yield kid, _pem(_der(text))
    except ValueError:
        return


def _der(text: str) -> bytes:
    try:
        return base64.b64decode("".join(line for line in text.splitlines() if not line.startswith("-----")))
    except binascii.Error as error:
        raise ValueError("no base64") from error


def _pem(der: bytes) -> str:
    key = load_der_public_key(der)
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
