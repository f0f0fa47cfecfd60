"""Migrations of stored keys for `portico migrate` (decision 0078).

A release that changes the schema also reads the old one, and adds its migration here.
"""

from __future__ import annotations

from portico_runtime.migrations import Migration

from portico_keys.signing.rewrap import Rewrap


def migrations_of(rewrap: Rewrap) -> tuple[Migration, ...]:
    return (rewrap,)
