from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from portico_contracts.authz import LIST_SESSIONS, ListSessions
from portico_contracts.users import CascadedDeletion
from portico_oauth.errors import ServiceError

from portico_cli.bus_calls.operator_calls import call_service

SessionsOf = Callable[[str], str]
"""Returns the sentence about a user's sessions, empty for none."""

_SECONDS: Final = 10.0
_AFTER_NOUN: Final = re.compile(r"( (?:of|with|linked|to|by)\b.*)")
"""The part of a kind after its noun."""


def sessions_of(data: Path, user_id: str) -> str:
    try:
        states = call_service(data, LIST_SESSIONS, ListSessions(user_id=user_id), seconds=_SECONDS)
    except ServiceError:
        return "sessions (number unknown: authz does not respond)"
    names = tuple(f"{one.session_id} ({' '.join(one.amr)})" for one in states.sessions)
    return in_words(CascadedDeletion(kind="session", count=len(names), names=names)) if names else ""


def in_words(lost: CascadedDeletion) -> str:
    names = ", ".join(lost.names) + (", …" if 0 < len(lost.names) < lost.count else "")
    return f"{lost.count} {_plural(lost.kind) if lost.count != 1 else lost.kind}{f': {names}' if names else ''}"


def _plural(kind: str) -> str:
    noun, *rest = _AFTER_NOUN.split(kind, maxsplit=1)
    plural = f"{noun.removesuffix('y')}ies" if noun.endswith("ry") else f"{noun}s"
    return "".join((plural, *rest))
