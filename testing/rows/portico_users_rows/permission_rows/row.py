"""One row of the matrix of operations and callers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

CALLERS = ("nobody", "expired", "self", "robot", "viewer", "owner", "iam", "foreign")
"""No token; one that is not active; the user it is about; a service user without a role; of the organization a
viewer and an owner; an owner of the instance; an owner of another organization."""

YES, WHO, NO, ABSENT, NOT_NOW = 0, 16, 7, 5, 9

READERS = (WHO, WHO, NO, NO, YES, YES, YES, ABSENT)
"""Owners and viewers of the organization the object belongs to."""

WRITERS = (WHO, WHO, NO, NO, NO, YES, YES, ABSENT)
"""Owners of the organization the object belongs to."""

OF_OWN_ORG = (WHO, WHO, NO, NO, NO, YES, YES, YES)
"""Owners, in whatever organization is their own."""

READS_OWN_ORG = (WHO, WHO, NO, NO, YES, YES, YES, YES)
"""Owners and viewers, in whatever organization is their own."""

INSTANCE_WRITERS = (WHO, WHO, NO, NO, NO, NO, YES, NO)
"""Owners of the instance."""

Body = Callable[[Any, str], dict[str, Any]]
"""Makes a body of the world and a caller."""


class Row(NamedTuple):
    """One operation: how it is called, and the code each caller gets.

    Attributes:
        path: with places for ``tag``, ``caller`` and ``grant``; empty for that of the .proto file.
        codes: in the order of `CALLERS`.
        furnished: the body names something that is made for each caller.
    """

    path: str
    body: Body
    codes: tuple[int, ...]
    furnished: bool = False


def nothing(_managed: Any, _caller: str) -> dict[str, Any]:
    """An empty body."""
    return {}


def body(**members: Any) -> Body:
    """The same body for every caller."""
    return lambda _managed, _caller: members


def but(code: int, codes: tuple[int, ...]) -> tuple[int, ...]:
    """The callers who are permitted get another code than that of success."""
    return tuple(heard or code for heard in codes)
