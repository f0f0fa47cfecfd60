"""Seals a secret to one requester with X25519, HKDF-SHA256 and AES-256-GCM, with ephemeral keys on both sides.

The associated data binds the secret's id and the requester, so that a reply for one replica or key cannot be
used for another.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from portico_oauth.opaque import RandomBytes, b64url

_INFO: Final = b"portico keys v1"
_NONCE_BYTES: Final = 12


class InvalidSeal(ValueError):
    """The sealed value does not open with this key and id. Contains no detail on purpose."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """`sender_key` is the sender's ephemeral X25519 public key, raw 32 bytes; `nonce` is 12 bytes for AES-256-GCM."""

    sender_key: bytes
    nonce: bytes
    sealed: bytes


def seal_for(public_key: bytes, kid: str, plaintext: bytes, random: RandomBytes = secrets.token_bytes) -> Sealed:
    """Seals to the requester's ephemeral X25519 public key (raw 32 bytes); opening requires the same `kid`."""
    sender = X25519PrivateKey.from_private_bytes(random(32))
    nonce = random(_NONCE_BYTES)
    cipher = _cipher(sender, public_key)
    return Sealed(
        sender.public_key().public_bytes_raw(), nonce, cipher.encrypt(nonce, plaintext, _bound(kid, public_key))
    )


def open_sealed(private_key: X25519PrivateKey, kid: str, sealed: Sealed) -> bytes:
    try:
        cipher = _cipher(private_key, sealed.sender_key)
        return cipher.decrypt(sealed.nonce, sealed.sealed, _bound(kid, private_key.public_key().public_bytes_raw()))
    except (InvalidTag, ValueError) as error:
        raise InvalidSeal from error


def _cipher(ours: X25519PrivateKey, theirs: bytes) -> AESGCM:
    # A point of low order gives an all-zero secret; `exchange` rejects it with ValueError.
    shared = ours.exchange(X25519PublicKey.from_public_bytes(theirs))
    return AESGCM(HKDF(algorithm=SHA256(), length=32, salt=b"", info=_INFO).derive(shared))


def _bound(kid: str, requester: bytes) -> bytes:
    return f"{kid}|{b64url(requester)}".encode()
