"""Comparing a presented client secret with the stored fingerprints."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from portico_contracts.users import Client
from portico_oauth.opaque import equal_in_constant_time, fingerprint

_NO_SECRET: Final = "-" * len(fingerprint(""))
"""Compared in place of a missing fingerprint: of the same length, and never equal to one."""


def secret_matches(secrets: Iterable[str], client: Client | None, now: float) -> bool:
    """Compares in constant time: for each reading of the presented secret one hash and two comparisons, whatever matches.

    They are made whether or not there is a client with secrets. The second one is with the secret before, which is good until it ends. Secrets are generated with 256 bits, so one
    SHA-256 is enough; no secret has an empty fingerprint.

    Args:
        secrets: the readings of the one that was presented.
        now: unix seconds.
    """
    is_kept = client is not None and now < client.previous_secret_until
    matches = False
    for presented in map(fingerprint, secrets):
        newest = equal_in_constant_time(presented, (client.secret_hash if client else "") or _NO_SECRET)
        previous = equal_in_constant_time(presented, (client.previous_secret_hash if client else "") or _NO_SECRET)
        matches |= newest or (previous and is_kept)
    return matches
