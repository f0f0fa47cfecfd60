"""Proof Key for Code Exchange (RFC 7636), method S256 only (RFC 9700 section 2.1.1)."""

from __future__ import annotations

import hashlib
import re
from typing import Final

from portico_oauth.opaque import b64url

METHODS: Final = ("S256",)
_CHALLENGE: Final = re.compile(r"[A-Za-z0-9_-]{43}\Z")
_VERIFIER: Final = re.compile(r"[A-Za-z0-9._~-]{43,128}\Z")


def is_challenge(text: str) -> bool:
    """Returns whether the text is a base64url SHA-256 value of 43 characters (RFC 7636 section 4.2)."""
    return bool(_CHALLENGE.match(text))


def is_verifier(text: str) -> bool:
    """Returns whether the text has 43 to 128 unreserved characters (RFC 7636 section 4.1)."""
    return bool(_VERIFIER.match(text))


def challenge_of(verifier: str) -> str:
    """BASE64URL(SHA256(verifier)) (RFC 7636 section 4.6)."""
    return b64url(hashlib.sha256(verifier.encode("ascii")).digest())
