"""Reads the people to invite: addresses one per line or in one, or a column of a spreadsheet, with or without names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

MOST: Final = 100

_BETWEEN: Final = re.compile(r"[,;\t\r\n]+")
_NAMED: Final = re.compile(r'"?([^"<>]*?)"?\s*<([^<>]+)>')
_BETWEEN_NAMES: Final = re.compile(r"[._-]+")


class Invitee(NamedTuple):
    email: str
    first: str = ""
    last: str = ""

    def with_names(self) -> Invitee:
        """Guesses both from an address such as ``ada.lovelace@home.example``, if there are none."""
        names = [one.capitalize() for one in _BETWEEN_NAMES.split(self.email.partition("@")[0]) if one.isalpha()]
        if self.first or self.last or not names:
            return self
        return self._replace(first=names[0], last=names[-1] if len(names) > 1 else "")

    def named(self) -> Invitee:
        """Takes the part before the @ where no name can be guessed."""
        guessed = self.with_names()
        return guessed if guessed.first or guessed.last else guessed._replace(first=self.email.partition("@")[0])


class Read(NamedTuple):
    """`wrong` are the parts that are not addresses."""

    people: list[Invitee]
    wrong: list[str]


def read_people(typed: str) -> Read:
    """Returns each address once; a name may precede it, as in ``Ada Lovelace <ada@home.example>``."""
    people: dict[str, Invitee] = {}
    wrong: list[str] = []
    for part in _parts(typed):
        named = _NAMED.fullmatch(part)
        name, email = (named[1].strip(), named[2].strip()) if named else ("", part)
        first, _, last = name.rpartition(" ") if " " in name else (name, "", "")
        if " " in email or not all(email.partition("@")):
            wrong.append(part)
        else:
            people.setdefault(email.casefold(), Invitee(email, first, last))
    return Read(list(people.values()), wrong)


def _parts(typed: str) -> Iterator[str]:
    """Spaces separate addresses without names."""
    for part in filter(None, (one.strip() for one in _BETWEEN.split(typed))):
        words = part.split()
        yield from words if all("@" in one and "<" not in one for one in words) else [part]
