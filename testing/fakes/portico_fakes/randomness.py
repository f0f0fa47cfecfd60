from __future__ import annotations

from random import Random

from portico_oauth.opaque import RandomBytes


def seeded_bytes(seed: int = 7) -> RandomBytes:
    """Returns a deterministic byte source for tests; never use it in the product."""
    return Random(seed).randbytes  # noqa: S311 - repeatable on purpose
