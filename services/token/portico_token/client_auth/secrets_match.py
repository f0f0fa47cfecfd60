"""Comparing a presented client secret with the stored fingerprint."""

from __future__ import annotations

from portico_contracts.users import Client
from portico_oauth.opaque import fingerprint, same


def secret_matches(secret: str, client: Client) -> bool:
    """In constant time. Secrets are generated with 256 bits, so one SHA-256 is enough; no secret has an empty one."""
    return same(fingerprint(secret), client.secret_hash)
