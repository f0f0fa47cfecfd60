"""Lists of names in the order that people read: ``Öztürk`` among O, ``Łukasz`` among L, without case.

It is the root order of Unicode (CLDR), which is that of most languages; one index serves all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from pymongo import IndexModel
from pymongo.collation import Collation

from portico_users.storage.entry import Document
from portico_users.storage.schema import listing_order
from portico_users.values.words import folded

NAME_ORDER: Final = Collation("en", strength=5)
"""Strength 5 also compares code points, because a query compares all its texts by its collation."""

_COMPARED: Final = frozenset({"state", "type"})
"""Further fields of a query that the order of an index may be read with: few values, so a page fills soon."""


def name_indexes(member: str, owner: str) -> tuple[IndexModel, ...]:
    """Returns the index of a list of one owner by a name."""
    # Without the state: indexes are enforced by their fields, which must not be those of another one.
    keys = [key for key in listing_order(member, owner) if key[0] != "state"]
    return (IndexModel(keys, name=f"{owner}_{member}_by_name", collation=NAME_ORDER),)


NamedField = tuple[str, str]
"""The owner and the name that an index of names has."""


def named_fields(indexes: Iterable[IndexModel]) -> frozenset[NamedField]:
    keys = [list(one.document["key"]) for one in indexes if "collation" in one.document]
    return frozenset((owner, member) for owner, member, *_ in keys)


def owner_of(question: Document, owner: str) -> str | None:
    """Returns the only owner of a query, if it compares nothing else that another index would be read for."""
    found = None
    for name, value in _compared(question):
        if name == owner and isinstance(value, str):
            found = value
        elif name not in _COMPARED:
            return None
    return found


def of_owner(documents: Sequence[Document], owner: str, value: str) -> list[Document]:
    """Omits documents whose owner is only canonically equivalent to the one of the query."""
    return [one for one in documents if one[owner] == value]


def name_key(document: Document, member: str) -> tuple[str, str, Any]:
    """Sorts a few documents in memory, nearly as the collation does."""
    name = str(document.get(member, ""))
    return folded(name), name.swapcase(), document["_id"]  # small letters first, as in the collation


def _compared(question: Document) -> Iterator[tuple[str, object]]:
    for name, value in question.items():
        if name == "$and":
            for part in value:
                yield from _compared(part)
        else:
            yield name, value
