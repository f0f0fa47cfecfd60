from __future__ import annotations

import hashlib
from typing import Final, NamedTuple

from portico_users.values.names import opaque_string

PREFIX: Final = 5
"""Hexadecimal digits that name a range: about a thousand of the list's passwords share them."""


class Digest(NamedTuple):
    """The key of a password in the list, in upper-case hexadecimal digits."""

    prefix: str
    suffix: str


def digest_of(password: str) -> Digest:
    # The list's keys are SHA-1. It protects nothing here: the hash never leaves this process as a whole.
    text = hashlib.sha1(opaque_string(password).encode(), usedforsecurity=False).hexdigest().upper()
    return Digest(text[:PREFIX], text[PREFIX:])
