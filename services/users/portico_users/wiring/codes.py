"""Codes: challenges of browsers, and codes of the management API."""

from __future__ import annotations

from portico_users.codes.challenges import Challenges
from portico_users.codes.user_codes import UserCodes
from portico_users.wiring.parts import Parts


def add_codes(parts: Parts) -> None:
    """Adds the room."""
    parts.offer(Challenges, UserCodes)
