"""Comparing a presented client secret with the stored fingerprints."""

from __future__ import annotations

from typing import Final

from portico_contracts.users import Client
from portico_oauth.opaque import equal_in_constant_time, fingerprint

_NO_SECRET: Final = "-" * len(fingerprint(""))
"""Compared in place of a missing fingerprint: of the same length, and never equal to one."""


def secret_matches(secret: str, client: Client | None, now: float) -> bool:
    """Compares in constant time, with one hash and two comparisons whether or not there is a client with secrets.

    The second one is with the secret before, which is good until it ends. Secrets are generated with 256 bits, so one
    SHA-256 is enough; no secret has an empty fingerprint.

    Args:
        now: unix seconds.
    """
    presented = fingerprint(secret)
    is_kept = client is not None and now < client.previous_secret_until
    newest = equal_in_constant_time(presented, (client.secret_hash if client else "") or _NO_SECRET)
    previous = equal_in_constant_time(presented, (client.previous_secret_hash if client else "") or _NO_SECRET)
    return newest or (previous and is_kept)
