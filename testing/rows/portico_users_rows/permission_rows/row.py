"""One row of the matrix of operations and callers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

CALLERS = ("nobody", "expired", "self", "robot", "viewer", "owner", "iam", "foreign")
"""No token; an inactive token; the user concerned; a service user without a role; viewer and owner of the
organization; owner of the instance; owner of another organization.
"""

AUTHENTICATED = CALLERS[2:]
"""The callers with an active token; the others are refused before any object is read."""

YES, WHO, NO, ABSENT, NOT_NOW = 0, 16, 7, 5, 9

READERS = (WHO, WHO, NO, NO, YES, YES, YES, ABSENT)
"""Owners and viewers of the organization that owns the object."""

WRITERS = (WHO, WHO, NO, NO, NO, YES, YES, ABSENT)
"""Owners of the organization that owns the object."""

OF_OWN_ORG = (WHO, WHO, NO, NO, NO, YES, YES, YES)
"""Owners, each in their own organization."""

READS_OWN_ORG = (WHO, WHO, NO, NO, YES, YES, YES, YES)
"""Owners and viewers, each in their own organization."""

INSTANCE_WRITERS = (WHO, WHO, NO, NO, NO, NO, YES, NO)
"""Owners of the instance."""

Body = Callable[[Any, str], dict[str, Any]]
"""Builds a body for the scenario and a caller."""


class Row(NamedTuple):
    """An operation and the response code for each caller.

    Attributes:
        path: with placeholders ``tag``, ``caller`` and ``grant``; empty for the path of the .proto file.
        codes: in the order of `CALLERS`.
        furnished: the body refers to an object created for each caller.
    """

    path: str
    body: Body
    codes: tuple[int, ...]
    furnished: bool = False


def nothing(_managed: Any, _caller: str) -> dict[str, Any]:
    return {}


def body(**members: Any) -> Body:
    return lambda _managed, _caller: members


def but(code: int, codes: tuple[int, ...]) -> tuple[int, ...]:
    """Replaces the success code for permitted callers."""
    return tuple(heard or code for heard in codes)
