"""Time-based codes (TOTP, RFC 6238) as authenticator apps generate them: SHA-1, six digits, thirty seconds."""

from __future__ import annotations

import base64
import binascii
from typing import Final

from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from portico_oauth.opaque import equal_in_constant_time
from portico_oauth.typed_text import code_letters

SECRET_BYTES: Final = 20
"""RFC 4226, section 4, R6."""

STEP: Final = 30
DIGITS: Final = 6
LEAST_BYTES: Final = 10
"""Minimum for imported secrets: below RFC 4226 (section 4, R6), but common in other systems."""

MOST_BYTES: Final = 64
DRIFT: Final = 1
"""Tolerated clock drift in steps, in both directions."""

ISSUER: Final = "Portico"
_MAX_TYPED: Final = 40


def provisioning_uri(secret: bytes, login_name: str) -> str:
    return _totp(secret).get_provisioning_uri(login_name, ISSUER)


def base32_secret(secret: bytes) -> str:
    return base64.b32encode(secret).decode().rstrip("=")


def read_base32_secret(text: str) -> bytes | None:
    """Parses a secret with or without spaces, hyphens and padding; None for invalid base32 or another length."""
    typed = "".join(text.replace("-", " ").split()).rstrip("=").upper()
    try:
        secret = base64.b32decode(typed + "=" * (-len(typed) % 8))
    except binascii.Error:
        return None
    return secret if LEAST_BYTES <= len(secret) <= MOST_BYTES else None


def code_at(secret: bytes, moment: float) -> str:
    return _totp(secret).generate(moment).decode()


def matching_step(secret: bytes, code: str, moment: float, *, after: int = -1) -> int | None:
    """Returns the step of a code in the previous, current or next one, and later than ``after`` (section 5.2)."""
    typed = code_letters(code[:_MAX_TYPED])
    now = int(moment // STEP)
    found = [
        step
        for step in range(now - DRIFT, now + DRIFT + 1)
        if step > after and equal_in_constant_time(code_at(secret, step * STEP), typed)
    ]
    return found[0] if found else None


def _totp(secret: bytes) -> TOTP:
    sha1 = SHA1()  # noqa: S303 - the one hash that all apps have; HMAC does not mind
    return TOTP(secret, DIGITS, sha1, STEP, enforce_key_length=False)  # imported secrets may be shorter than 128 bits
