"""Commits what an operation decided, in the name of its caller."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from portico_users.api.transport.call import Call
from portico_users.kernel.constraints import Cascade
from portico_users.kernel.entry import Entry
from portico_users.kernel.records import AnyRecord

PATIENCE: Final = 5.0
"""Seconds for what is written after a change, where that is much: a call that takes longer than 10 is ended."""


async def commit(call: Call[Any], entry: Entry[AnyRecord]) -> AnyRecord:
    """The new version of the object.

    Raises:
        ServiceError: as `Journal.commit`.
    """
    (record,) = await call.needs.journal.commit((entry,), actor=call.caller.user_id, patience=PATIENCE)
    changed: AnyRecord = record  # type: ignore[assignment] # the journal answers the kinds it was given
    return changed


async def finish(call: Call[Any], later: Sequence[Cascade]) -> bool:
    """Goes on with what an earlier call did not finish; whether there was anything.

    Raises:
        ServiceError: as `Journal.finish`.
    """
    return await call.needs.journal.finish(later, actor=call.caller.user_id, patience=PATIENCE) > 0
