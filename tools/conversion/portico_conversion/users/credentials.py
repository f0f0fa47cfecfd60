from __future__ import annotations

import base64
import binascii
from typing import Final

_TOTP_BYTES: Final = range(10, 65)
"""Accepted by the import."""


def decoded(text: str) -> bytes:
    """Decodes base64 with or without padding, in either alphabet; raises ValueError."""
    try:
        return base64.b64decode(text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4), validate=True)
    except binascii.Error as error:
        raise ValueError("no base64") from error


def pbkdf2(digest: str, rounds: int, salt: bytes, hash: bytes) -> str:
    """PBKDF2 with HMAC; `digest` is ``sha1``, ``sha256`` or ``sha512``."""
    return f"$pbkdf2-{digest}${rounds}${_text(salt)}${_text(hash)}"


def argon2(variant: str, costs: tuple[int, int, int], salt: bytes, hash: bytes) -> str:
    """Argon2, version 19; `variant` is ``id`` or ``i``, `costs` are memory in KiB, passes and lanes."""
    memory, passes, lanes = costs
    return f"$argon2{variant}$v=19$m={memory},t={passes},p={lanes}${_text(salt)}${_text(hash)}"


def firebase_scrypt(costs: tuple[int, int], salt: bytes, hash: bytes, signer_key: bytes) -> str:
    """Converts Firebase's scrypt to the key stream that encrypted the signer key, without that key (decision 0068).

    `costs` are ``mem_cost`` and ``rounds``; `salt` is the user's, followed by the project's separator.
    """
    memory, rounds = costs
    stream = bytes(one ^ other for one, other in zip(hash, signer_key, strict=True))
    return f"$firebase-scrypt$ln={memory},r={rounds}${_text(salt)}${_text(stream)}"


def totp_secret(secret: bytes) -> str:
    """Raises ValueError for a length that the import rejects."""
    if len(secret) not in _TOTP_BYTES:
        raise ValueError("a secret of another length")
    return base64.b32encode(secret).decode().rstrip("=")


def from_base32(text: str) -> bytes:
    """Decodes base32 with or without blanks, hyphens and padding; raises ValueError for anything else."""
    typed = "".join(text.replace("-", " ").split()).rstrip("=").upper()
    return base64.b32decode(typed + "=" * (-len(typed) % 8))


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode().rstrip("=")
