"""Which sessions count for an application that demands newer ones than the instance (decision 0148)."""

from __future__ import annotations

from typing import Final, NamedTuple

from portico_contracts.users import Client

from portico_authz.domain.session import Session


class Counting(NamedTuple):
    """Sessions with a later sign-in than `since` and a later `idle_until` than this (unix seconds); 0 for any."""

    since: float = 0.0
    idle_until: float = 0.0

    def includes(self, session: Session) -> bool:
        return session.last_sign_in > self.since and session.idle_until > self.idle_until


ANY: Final = Counting()


def counting_for(client: Client, requested_at: float, session_idle: int) -> Counting:
    """``session_idle`` is how many seconds a session of the instance may be idle."""
    idle = client.session_idle_seconds
    return Counting(
        requested_at - client.session_seconds if client.session_seconds else 0.0,
        requested_at + session_idle - idle if idle else 0.0,
    )
