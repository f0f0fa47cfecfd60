"""Commits what an operation decided, in the name of its caller."""

from __future__ import annotations

from typing import Any

from portico_users.domain.records import AnyRecord
from portico_users.journal.entry import Entry
from portico_users.management.call import Call


async def commit(call: Call[Any], entry: Entry[AnyRecord]) -> AnyRecord:
    """The new version of the object.

    Raises:
        Refusal: as `Journal.commit`.
    """
    (record,) = await call.needs.journal.commit((entry,), actor=call.caller.user_id)
    changed: AnyRecord = record  # type: ignore[assignment] # the journal answers the kinds it was given
    return changed
