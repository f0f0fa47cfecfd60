"""Randomness that is the same in every run."""

from __future__ import annotations

from random import Random

from portico_oauth.opaque import RandomBytes


def seeded_bytes(seed: int = 7) -> RandomBytes:
    """Bytes that look random and repeat with the seed; never for the product."""
    return Random(seed).randbytes  # noqa: S311 - repeatable on purpose
