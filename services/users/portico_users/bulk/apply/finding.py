"""Finds the stored object a part of the document means, and refuses what belongs to something else."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic

from portico_users.kernel.names import INVALID_ID, is_id
from portico_users.kernel.problems import ID_TAKEN, NAME_TAKEN, at
from portico_users.kernel.records import AnyRecord
from portico_users.kernel.schema import IdSpace


@dataclass(frozen=True, slots=True)
class Wanted(Generic[AnyRecord]):
    """How a part of the document names its object.

    Args:
        path: its place in the document.
        id: the given id, if any.
        name: member that holds the name, for messages.
        fits: whether a stored object has the right kind and parent.
        by_id: reads the object of an id.
        by_name: the object that has the name now, of whatever kind or parent.
    """

    path: str
    id: str | None
    name: str
    fits: Callable[[AnyRecord], bool]
    by_id: Callable[[str], Awaitable[AnyRecord | None]]
    by_name: AnyRecord | None


async def find_existing(ids: IdSpace, wanted: Wanted[AnyRecord]) -> AnyRecord | None:
    """The object that is meant, or None when it is to be created.

    Raises:
        ServiceError: USER-001 for an impossible id, USER-010 and USER-011 when id or name belong to another object.
    """
    named = wanted.by_name
    if wanted.id is None:
        if named is not None and not wanted.fits(named):
            raise at(f"{wanted.path}.{wanted.name}", NAME_TAKEN.error())
        return named
    found = await _find_by_id(ids, wanted, wanted.id)
    if named is not None and (found is None or found.id != named.id):
        raise at(f"{wanted.path}.{wanted.name}", NAME_TAKEN.error())
    return found


async def _find_by_id(ids: IdSpace, wanted: Wanted[AnyRecord], id: str) -> AnyRecord | None:
    place = f"{wanted.path}.id"
    if not is_id(id):
        raise at(place, INVALID_ID.error())
    found = await wanted.by_id(id)
    if (found is None and not await ids.is_free(id)) or (found is not None and not wanted.fits(found)):
        raise at(place, ID_TAKEN.error())
    return found
