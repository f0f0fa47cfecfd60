"""Seals secrets at rest with AES-256-GCM: the first master key seals and all unseal, which allows rotation."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from portico_oauth.opaque import RandomBytes

_KEY_BYTES: Final = 32
_NONCE_BYTES: Final = 12
_WANTED: Final = "Each must be base64 of 32 random bytes; several are separated by commas."


class UnsealingFailed(ValueError):
    """The record was modified or belongs elsewhere; no detail on purpose."""


class MasterKeyMissing(UnsealingFailed):
    """The secret is sealed under a master key that is not configured; `master` is its fingerprint."""

    def __init__(self, master: str) -> None:
        super().__init__(f"master key {master} is missing")
        self.master = master


@dataclass(frozen=True, slots=True)
class SealedAtRest:
    """A sealed secret; `master` is the first hex digits of the master key's fingerprint."""

    master: str
    nonce: bytes
    data: bytes = field(repr=False)


class MasterKeys:
    def __init__(self, keys: Sequence[bytes]) -> None:
        self._ciphers = {_name_of(key): AESGCM(key) for key in keys}
        self._first = _name_of(keys[0])

    @classmethod
    def read(cls, text: str) -> MasterKeys:
        """Parses comma-separated base64 keys; the text of ValueError does not contain the value."""
        return cls(_read_all(text))

    @property
    def sealing(self) -> str:
        return self._first

    @property
    def fingerprints(self) -> frozenset[str]:
        return frozenset(self._ciphers)

    def seal(self, plaintext: bytes, bound_to: bytes, random: RandomBytes) -> SealedAtRest:
        """Seals a secret; `bound_to` is associated data, required again to unseal."""
        nonce = random(_NONCE_BYTES)
        return SealedAtRest(self._first, nonce, self._ciphers[self._first].encrypt(nonce, plaintext, bound_to))

    def unseal(self, sealed: SealedAtRest, bound_to: bytes) -> bytes:
        cipher = self._ciphers.get(sealed.master)
        if cipher is None:
            raise MasterKeyMissing(sealed.master)
        try:
            return cipher.decrypt(sealed.nonce, sealed.data, bound_to)
        except (InvalidTag, ValueError) as error:
            raise UnsealingFailed("it was modified") from error


def derived_keys(text: str, purpose: bytes) -> tuple[bytes, ...]:
    """Derives a key for another purpose from each master key, in order. Raises like `MasterKeys.read`."""
    return tuple(hmac.digest(key, purpose, "sha256") for key in _read_all(text))


def _read_all(text: str) -> list[bytes]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts:
        raise ValueError(f"no master key is set. {_WANTED}")
    return [_read_one(part, number) for number, part in enumerate(parts, 1)]


def _read_one(text: str, number: int) -> bytes:
    try:
        key = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != _KEY_BYTES:
        raise ValueError(f"master key {number} is malformed. {_WANTED}")
    return key


def _name_of(key: bytes) -> str:
    return hashlib.sha256(key).hexdigest()[:16]
