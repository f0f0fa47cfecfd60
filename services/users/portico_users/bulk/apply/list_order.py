"""Lists whose order means nothing: the same entries in another order are no change."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from portico_users.kernel.records import AnyRecord

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
