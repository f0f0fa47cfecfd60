"""Which column of a CSV file is which field of a user who exists already."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from portico_contracts.csv_files.user_columns import TARGETS, Target, guessed

from portico_console.messages import message

ONLY_UPDATES: Final = (
    Target("id", message("User ID"), "userId", ()),
    Target("external", message("External ID"), "externalId", ()),
    Target("roles", message("Roles"), "roles", ()),
)
"""Columns of a file that changes users."""

_ONLY_NEW: Final = frozenset({"hash", "verified"})
_TITLES: Final = {
    "id": "id",
    "user id": "id",
    "userid": "id",
    "external id": "external",
    "roles": "roles",
    "role": "roles",
}
_GROUPS: Final = ("groups", "group")

ALL: Final = (*TARGETS, *ONLY_UPDATES)
BY_WORD: Final = {one.word: one for one in ALL}

MATCHES: Final = ("email", "user-name", "id")
"""Columns by which a user is found; besides the external id at one of the identity providers."""

OF_PROVIDER: Final = "external:"


def guessed_columns(titles: Sequence[str]) -> list[str]:
    """Like those of new users, with the columns that only updates have."""
    found = guessed(titles)
    for place, title in enumerate(titles):
        plain = title.strip().casefold()
        word = _TITLES.get(plain, "groups" if plain in _GROUPS else "")
        if not found[place] and word and word not in found:
            found[place] = word
    return found


def column_of(match: str) -> str:
    return "external" if match.startswith(OF_PROVIDER) else match


def misplaced(columns: Sequence[str], match: str) -> list[str]:
    """Returns the chosen columns that users of the other kind have: new ones, or those that exist."""
    others = _ONLY_NEW if match else {one.word for one in ONLY_UPDATES}
    return [word for word in dict.fromkeys(columns) if word in others]
