"""Key files with a new key pair, returned once; only the public key is stored."""

from __future__ import annotations

import json
from typing import Final, NamedTuple

from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from portico_oauth.errors import ErrorCode, Kind

from portico_users.applications.client_keys.assertion_keys import AssertionKey, key_of
from portico_users.values.timestamps import rfc_3339

BITS: Final = 2_048
_EXPONENT: Final = 65_537

KEY_NOT_FOUND = ErrorCode("USER-706", Kind.NOT_FOUND, "Key not found.", "Check the id of the key.")


class NewKey(NamedTuple):
    """A key pair; the private key is in PKCS #1 if it is an RSA key, otherwise in PKCS #8."""

    key: AssertionKey
    pem: str

    def __repr__(self) -> str:
        return f"NewKey({self.key.kid!r})"


def new_key(kid: str, *, created: float, expires_at: float, es256: bool = False) -> NewKey:
    """Generates a key pair for RS256, or for ES256.

    Takes a tenth of a second or more for RS256, so do not call it on the event loop.
    """
    private = ec.generate_private_key(ec.SECP256R1()) if es256 else rsa.generate_private_key(_EXPONENT, BITS)
    public = private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
    form = PrivateFormat.PKCS8 if es256 else PrivateFormat.TraditionalOpenSSL
    pem = private.private_bytes(Encoding.PEM, form, NoEncryption()).decode()
    return NewKey(key_of(kid, public, created=created, expires_at=expires_at), pem)


def key_file(kind: str, made: NewKey, **owner: str) -> bytes:
    file = {"type": kind, "keyId": made.key.kid, "key": made.pem, **owner}
    if made.key.expires_at:
        file["expirationDate"] = rfc_3339(made.key.expires_at)
    return json.dumps(file, separators=(",", ":")).encode()


def without_key(keys: tuple[AssertionKey, ...], kid: str) -> tuple[AssertionKey, ...]:
    load_key(keys, kid)
    return tuple(key for key in keys if key.kid != kid)


def load_key(keys: tuple[AssertionKey, ...], kid: str) -> AssertionKey:
    for key in keys:
        if key.kid == kid:
            return key
    raise KEY_NOT_FOUND.error()
