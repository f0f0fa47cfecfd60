"""A session that ended, and the notifications still due because of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from portico_authz.domain.session import Session

RETENTION_SECONDS: Final = 7 * 86_400
"""How long an ended session is stored while notifications are due."""

MAX_ATTEMPTS: Final = 10
"""How often a client is notified; afterwards the notification is abandoned."""

_FIRST_DELAY: Final = 2.0


@dataclass(frozen=True, slots=True)
class EndedSession:
    """An ended session.

    Attributes:
        clients: ids of clients that used it and are not notified yet (Back-Channel Logout 1.0).
        revoked: its tokens are inactive.
        published: the event is published.
        attempts: how often clients were notified.
        ended_by: id of the client whose server ended it by a hint; empty for everything else that ends a session.
    """

    session: Session
    clients: tuple[str, ...] = ()
    revoked: bool = False
    published: bool = False
    attempts: int = 0
    ended_by: str = ""


def delay_after(attempts: int) -> float:
    """Seconds until the next attempt: 2, 4, 8, … so that ten attempts take about a quarter of an hour."""
    return float(_FIRST_DELAY * 2 ** min(max(attempts - 1, 0), MAX_ATTEMPTS))
