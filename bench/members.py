"""The end users of a measurement: signed in, each with tokens of their own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec


class Member(msgspec.Struct):
    """One end user in one browser. Cookies and refresh tokens change as they are used.

    Attributes:
        cookie: the Cookie header of a browser that is signed in.
        tokens: access tokens by kind.
        refresh_token: empty where there is none, or where it was used and the new one is not known.
    """

    cookie: str
    tokens: dict[str, str] = {}
    refresh_token: str = ""

    def __repr__(self) -> str:
        """Names the kind only: everything here is secret."""
        return "Member(...)"


def take_back(path: Path, members: Sequence[Member], attribute: str) -> None:
    """Reads what a script wrote at its end and then removes it: what its chains hold now.

    Args:
        path: lines of a number from 1 on, a space and the new value; empty where it is not known.
        members: in the order the script was given them.
        attribute: which of their attributes these are.
    """
    if not path.exists():
        return
    for line in path.read_text(encoding="ascii").splitlines():
        number, _, value = line.partition(" ")
        setattr(members[int(number) - 1], attribute, value)
    path.unlink()
