"""Proof Key for Code Exchange (RFC 7636), method S256 only (RFC 9700 §2.1.1)."""

from __future__ import annotations

import hashlib
import re
from typing import Final

from portico_oauth.opaque import b64url

METHODS: Final = ("S256",)
_CHALLENGE: Final = re.compile(r"[A-Za-z0-9_-]{43}\Z")
_VERIFIER: Final = re.compile(r"[A-Za-z0-9._~-]{43,128}\Z")


def is_challenge(text: str) -> bool:
    """True for a base64url SHA-256 value (RFC 7636 §4.2): 43 characters."""
    return bool(_CHALLENGE.match(text))


def is_verifier(text: str) -> bool:
    """True for 43 to 128 unreserved characters (RFC 7636 §4.1)."""
    return bool(_VERIFIER.match(text))


def challenge_of(verifier: str) -> str:
    """BASE64URL(SHA256(verifier)) (RFC 7636 §4.6)."""
    return b64url(hashlib.sha256(verifier.encode("ascii")).digest())
