"""What an event is called to a webhook: ``user.created``."""

from __future__ import annotations

import re
from typing import Final

from portico_contracts.events import WEBHOOKS, Changed
from portico_contracts.subjects import Event

ACTIONS: Final = ("created", "updated", "deleted")

_PATTERN: Final = re.compile(r"\*|[a-z]+\.(\*|[a-z]+)")


def _kind(event: Event[Changed]) -> str:
    return event.subject.split(".")[2]


EVENT_TYPES: Final = tuple(f"{_kind(event)}.{action}" for event in WEBHOOKS.events for action in ACTIONS)
"""All there are."""


def type_of(event: Event[Changed], changed: Changed) -> str:
    """The type of an event."""
    # Releases before this one did not publish the action.
    action = changed.action or ("created" if changed.sequence == 1 else "updated")
    return f"{_kind(event)}.{action}"


def is_pattern(text: str) -> bool:
    """True for a type there is, and for ``user.*`` and ``*``."""
    if not _PATTERN.fullmatch(text):
        return False
    return any(one.startswith(text[:-1]) if text.endswith("*") else one == text for one in EVENT_TYPES)
