"""A session that ended, and its pending notifications."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from portico_authz.domain.session import Session

RETENTION_SECONDS: Final = 7 * 86_400

MAX_ATTEMPTS: Final = 10
"""Attempts per client; afterwards the notification is abandoned."""

_FIRST_DELAY: Final = 2.0


@dataclass(frozen=True, slots=True)
class EndedSession:
    """`clients` are not notified yet (Back-Channel Logout 1.0); `ended_by` is the client of the id_token_hint.

    `actor` is who ended it instead of the user.
    """

    session: Session
    clients: tuple[str, ...] = ()
    revoked: bool = False
    published: bool = False
    attempts: int = 0
    ended_by: str = ""
    actor: str = ""


def delay_after(attempts: int) -> float:
    """Returns the seconds until the next attempt: 2, 4, 8, …; ten attempts take about a quarter of an hour."""
    return float(_FIRST_DELAY * 2 ** min(max(attempts - 1, 0), MAX_ATTEMPTS))
