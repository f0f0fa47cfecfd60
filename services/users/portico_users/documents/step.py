from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import msgspec
from portico_contracts.users import Change

from portico_users.accounts.account import AnyUser
from portico_users.storage.entry import Entry
from portico_users.values.records import AnyRecord, Record

_ORDERED: Final = frozenset({"idps", "servers", "texts"})
"""Order matters for sign-in buttons, for LDAP servers, which are tried in turn, and for texts: the first is for all
other languages.
"""


def in_stored_order(before: AnyRecord | None, after: AnyRecord) -> AnyRecord:
    """Restores the stored order of lists that differ only in order."""
    if before is None:
        return after
    kept = {
        name: stored
        for name in after.__struct_fields__
        if name not in _ORDERED
        and (stored := getattr(before, name)) != (wanted := getattr(after, name))
        and _unordered(stored) == _unordered(wanted)
    }
    return msgspec.structs.replace(after, **kept) if kept else after


def _unordered(value: object) -> object:
    if isinstance(value, msgspec.Struct):
        members = {name: getattr(value, name) for name in value.__struct_fields__}
        return {name: one if name in _ORDERED else _unordered(one) for name, one in members.items()}
    return sorted(map(_unordered, value), key=repr) if isinstance(value, tuple) else value


CREATED = "created"
UPDATED = "updated"
UNCHANGED = "unchanged"
REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Step:
    """The planned change of one object; all entries are written in one transaction, other effects after the commit."""

    path: str
    change: Change
    entries: tuple[Entry[Record], ...] = ()
    password: str = field(default="", repr=False)
    ends_grants: str = ""
    resets_attempts_of: AnyUser | None = None
    afterwards: tuple[Callable[[], Awaitable[None]], ...] = ()


@dataclass(frozen=True, slots=True)
class Subject:
    kind: str
    path: str
    name: str


def step_of(
    subject: Subject, entry: Entry[Record], roles: Sequence[Entry[Record]] = (), *, secret: str = "", password: str = ""
) -> Step:
    after: Record = in_stored_order(entry.before, entry.after)
    entry = replace(entry, after=after)
    own = (entry,) if entry.before != after else ()
    entries = (*own, *roles)
    action = CREATED if entry.before is None else UPDATED if entries else UNCHANGED
    fields = (*entry.fields, *(("roles",) if roles else ())) if action == UPDATED else ()
    change = Change(
        action=action, kind=subject.kind, id=after.id, name=subject.name, fields=fields, generated_secret=secret
    )
    return Step(subject.path, change, entries, password if entry.before is None else "")


def removal_of(subject: Subject, *entries: Entry[Record], ends_grants: str = "") -> Step:
    """Returns the step that removes an object, whose own entry comes first."""
    change = Change(action=REMOVED, kind=subject.kind, id=entries[0].after.id, name=subject.name)
    return Step(subject.path, change, entries, ends_grants=ends_grants)
