"""The long changes of stored keys that `portico migrate` carries out (decision 0078).

A release that stores something in another form reads the older one as well, and adds here what rewrites it.
"""

from __future__ import annotations

from portico_runtime.migrations import Migration

from portico_keys.signing.rewrap import Rewrap


def migrations_of(rewrap: Rewrap) -> tuple[Migration, ...]:
    """All of them, in the order they are carried out."""
    return (rewrap,)
