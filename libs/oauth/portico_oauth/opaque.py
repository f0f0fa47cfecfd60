"""Opaque identifiers: unguessable text that begins with the bucket its state lives in.

A bucket is one of 256 hash tags, derived from the subject (before login: from the browser). All state
about one subject shares a bucket, so that one Redis script can decide over it, on a cluster as well.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from binascii import b2a_base64
from collections.abc import Callable
from typing import Final

RandomBytes = Callable[[int], bytes]
"""Where randomness comes from: `secrets.token_bytes` in production, a seeded source in tests."""

_URL_SAFE: Final = bytes.maketrans(b"+/", b"-_")
_OPAQUE: Final = re.compile(r"[0-9a-f]{2}[A-Za-z0-9_-]{22,43}\Z")


def bucket_of(subject: str) -> str:
    """The bucket of a subject or browser id: two hex digits."""
    return hashlib.sha256(subject.encode()).hexdigest()[:2]


def b64url(data: bytes) -> str:
    """Base64url without padding (RFC 7515 §2)."""
    return b2a_base64(data, newline=False).translate(_URL_SAFE, b"=").decode("ascii")


def new_opaque(bucket: str, random: RandomBytes, bits: int = 256) -> str:
    """A new identifier: the bucket's two hex digits, then ``bits`` random bits in base64url."""
    return bucket + b64url(random(bits // 8))


def bucket_in(opaque: str) -> str | None:
    """The bucket an identifier names, or None when this cannot be one of ours."""
    return opaque[:2] if _OPAQUE.match(opaque) else None


def fingerprint(secret: str) -> str:
    """SHA-256 of a high-entropy secret in base64url: what stores keep instead of it."""
    return b64url(hashlib.sha256(secret.encode()).digest())


def equal_in_constant_time(left: str, right: str) -> bool:
    """Compares two secrets in constant time."""
    return hmac.compare_digest(left.encode(), right.encode())
