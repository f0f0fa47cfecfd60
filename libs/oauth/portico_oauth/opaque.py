"""Opaque identifiers: unguessable text prefixed with the bucket of its state.

A bucket is one of 256 hash tags derived from the subject (before login, from the browser). All state of a
subject is in one bucket, so that one Redis script can decide on it, in a cluster too.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from binascii import b2a_base64
from collections.abc import Callable
from typing import Final

RandomBytes = Callable[[int], bytes]

_URL_SAFE: Final = bytes.maketrans(b"+/", b"-_")
_OPAQUE: Final = re.compile(r"[0-9a-f]{2}[A-Za-z0-9_-]{22,43}\Z")


def bucket_of(subject: str) -> str:
    """Returns the bucket of a subject or browser id: two hex digits."""
    return hashlib.sha256(subject.encode()).hexdigest()[:2]


def b64url(data: bytes) -> str:
    return b2a_base64(data, newline=False).translate(_URL_SAFE, b"=").decode("ascii")


def new_opaque(bucket: str, random: RandomBytes, bits: int = 256) -> str:
    """Generates an identifier: the bucket's two hex digits, then ``bits`` random bits in base64url."""
    return bucket + b64url(random(bits // 8))


def bucket_in(opaque: str) -> str | None:
    """Returns the bucket of an identifier, or None when it cannot be a Portico identifier."""
    return opaque[:2] if _OPAQUE.match(opaque) else None


def fingerprint(secret: str) -> str:
    """Returns the SHA-256 of a high-entropy secret in base64url, which is stored instead of the secret."""
    return b64url(hashlib.sha256(secret.encode()).digest())


def equal_in_constant_time(left: str, right: str) -> bool:
    return hmac.compare_digest(left.encode(), right.encode())
