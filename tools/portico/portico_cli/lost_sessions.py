"""What `portico apply --prune` prints of what is removed: in words, and the sessions that end with a user."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from portico_contracts.authz import LIST_SESSIONS, ListSessions
from portico_contracts.users import CascadedDeletion
from portico_oauth.errors import ServiceError

from portico_cli.command_line import call_service

SessionsOf = Callable[[str], str]
"""The sentence about the sessions of a user, empty where there are none."""

_SECONDS: Final = 10.0
_AFTER_NOUN: Final = re.compile(r"( (?:of|with|linked|to|by)\b.*)")
"""What follows the noun in a kind."""


def sessions_of(data: Path, user_id: str) -> str:
    """The live sessions of a user, with how they signed in; a note instead when authz is not reachable."""
    try:
        states = call_service(data, LIST_SESSIONS, ListSessions(user_id=user_id), seconds=_SECONDS)
    except ServiceError:
        return "sessions (number unknown: authz does not respond)"
    names = tuple(f"{one.session_id} ({' '.join(one.amr)})" for one in states.sessions)
    return in_words(CascadedDeletion(kind="session", count=len(names), names=names)) if names else ""


def in_words(lost: CascadedDeletion) -> str:
    """How many of a kind, and which."""
    names = ", ".join(lost.names) + (", …" if 0 < len(lost.names) < lost.count else "")
    return f"{lost.count} {_plural(lost.kind) if lost.count != 1 else lost.kind}{f': {names}' if names else ''}"


def _plural(kind: str) -> str:
    noun, *rest = _AFTER_NOUN.split(kind, maxsplit=1)
    plural = f"{noun.removesuffix('y')}ies" if noun.endswith("ry") else f"{noun}s"
    return "".join((plural, *rest))
