"""Comparing a presented client secret with the stored fingerprint."""

from __future__ import annotations

from typing import Final

from portico_contracts.users import Client
from portico_oauth.opaque import equal_in_constant_time, fingerprint

_NO_SECRET: Final = "-" * len(fingerprint(""))
"""Compared in place of a missing fingerprint: of the same length, and never equal to one."""


def secret_matches(secret: str, client: Client | None) -> bool:
    """Compares in constant time, with one hash and one comparison whether or not there is a client with a secret.

    Secrets are generated with 256 bits, so one SHA-256 is enough; no secret has an empty fingerprint.
    """
    stored = client.secret_hash if client else ""
    return equal_in_constant_time(fingerprint(secret), stored or _NO_SECRET)
