"""A session that ended, and what is still owed because of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from portico_authz.domain.session import Session

KEPT_SECONDS: Final = 7 * 86_400
"""How long an ended session is remembered while something is owed."""

MAX_ATTEMPTS: Final = 10
"""How often a client is told; afterwards it is given up."""

_FIRST_DELAY: Final = 2.0


@dataclass(frozen=True, slots=True)
class Ending:
    """An ended session.

    Attributes:
        clients: ids of clients that were answered for it and are not told yet (Back-Channel Logout 1.0).
        revoked: its tokens are inactive.
        said: the event went out.
        attempts: how often clients were tried.
        ended_by: id of the client whose server ended it by a hint; empty for everything else that ends a session.
    """

    session: Session
    clients: tuple[str, ...] = ()
    revoked: bool = False
    said: bool = False
    attempts: int = 0
    ended_by: str = ""


def delay_after(attempts: int) -> float:
    """Seconds until the next try: 2, 4, 8, … so that ten tries take about a quarter of an hour."""
    return float(_FIRST_DELAY * 2 ** min(max(attempts - 1, 0), MAX_ATTEMPTS))
