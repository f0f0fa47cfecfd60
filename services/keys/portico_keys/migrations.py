"""Migrations of stored keys (decision 0078); a release that changes the schema also reads the old one."""

from __future__ import annotations

from portico_runtime.mongo.migrations import Migration

from portico_keys.signing.rewrap import Rewrap


def migrations_of(rewrap: Rewrap) -> tuple[Migration, ...]:
    return (rewrap,)
