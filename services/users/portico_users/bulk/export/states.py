"""Writes states."""

from __future__ import annotations

from portico_contracts.apply import ObjectState

from portico_users.kernel.records import Record, State


def state_of(record: Record) -> ObjectState | None:
    """The state of what is not a user, where it is worth a word."""
    return ObjectState.INACTIVE if record.state is State.INACTIVE else None
