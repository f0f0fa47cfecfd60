"""One planned object: the line that is printed for it, and what is to be written."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import msgspec
from portico_contracts.users import Change

from portico_users.kernel.entry import Entry
from portico_users.kernel.records import AnyRecord, Record

_ORDERED: Final = frozenset({"idps", "servers"})
"""The buttons of the sign-in page, and the servers of a directory, which are asked one after the other."""


def in_stored_order(before: AnyRecord | None, after: AnyRecord) -> AnyRecord:
    """The new version, with each value that differs from the stored one only in the order of lists as it is stored."""
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


def _unordered(value: Any) -> Any:
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
    """What becomes of one object of the document.

    Args:
        path: its place in the document.
        entries: what is written, in one transaction; nothing when it is unchanged.
        password: to be hashed and stored with the first entry; empty for none.
        ends_grants: of this user everything granted ends, once it is written; empty for no user.
        forgives: this user need not wait after wrong passwords any more; empty for no user.
        afterwards: what else follows, once it is written.
    """

    path: str
    change: Change
    entries: tuple[Entry[Record], ...] = ()
    password: str = field(default="", repr=False)
    ends_grants: str = ""
    resets_attempts_of: str = ""
    afterwards: tuple[Callable[[], Awaitable[None]], ...] = ()


@dataclass(frozen=True, slots=True)
class Subject:
    """What a step is about.

    Args:
        kind: in the words of the contract: organization, project, app, human, service_user, …
        path: its place in the document.
    """

    kind: str
    path: str
    name: str


def step_of(
    subject: Subject, entry: Entry[Record], roles: Sequence[Entry[Record]] = (), *, secret: str = "", password: str = ""
) -> Step:
    """The step for an object that is created, changed or left alone.

    Args:
        entry: its old and new version, which may be equal.
        roles: entries for its memberships.
        secret: a client secret made for it.
    """
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
    """The step for an object that goes; the first entry is its own."""
    change = Change(action=REMOVED, kind=subject.kind, id=entries[0].after.id, name=subject.name)
    return Step(subject.path, change, entries, ends_grants=ends_grants)
