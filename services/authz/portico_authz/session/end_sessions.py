"""Ends sessions: they are gone and their tokens inactive before anybody is answered (IR-08, IR-14).

In this order nothing is lost, whatever breaks: the queue knows of the session, the session is ended, token revokes,
the rest (the event, the clients to be told) is left to the queue. A failure in between is a 503; trying again goes on,
and without that the queue does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from portico_contracts.authz import EndSessions, SessionState, SessionStates
from portico_contracts.token import REVOKE_SESSION, RevokeSession

from portico_authz.desk import Desk
from portico_authz.domain.ending import KEPT_SECONDS
from portico_authz.domain.session import Session
from portico_authz.session.find_sessions import is_endable

TAKEOVER_SECONDS: Final = 15.0
"""When the queue takes over from whoever began to end a session."""


async def end_sessions(desk: Desk, sessions: Sequence[Session], *, client_id: str = "") -> None:
    """Ends sessions.

    Args:
        client_id: of the client whose server ended them by a hint.

    Raises:
        ServiceError: UNAVAILABLE, while it is not known that all tokens are inactive.
    """
    if not sessions:
        return
    sids = [session.sid for session in sessions]
    await desk.stores.endings.plan(sids, desk.clock.now() + TAKEOVER_SECONDS)
    for sid in sids:
        await desk.stores.sessions.end(sid, KEPT_SECONDS, client_id)
    await asyncio.gather(*(revoke(desk, session) for session in sessions))
    await desk.stores.endings.plan(sids, desk.clock.now())
    desk.bell.set()


async def revoke(desk: Desk, session: Session) -> None:
    """Makes everything issued for an ended session inactive; may be done again.

    Raises:
        ServiceError: UNAVAILABLE.
    """
    await desk.bus.call(REVOKE_SESSION, RevokeSession(user_id=session.user_id, session_id=session.sid))
    await desk.stores.endings.set_revoked(session)


async def list_states(desk: Desk, user_id: str) -> SessionStates:
    """The live sessions of a user, the last used first."""
    now = desk.clock.now()
    live = [session for session in await _sessions_of(desk, user_id) if session.is_live(now)]
    live.sort(key=lambda session: session.idle_until, reverse=True)
    return SessionStates(
        sessions=tuple(
            SessionState(
                session_id=session.sid,
                auth_time=session.auth_time,
                used_at=session.idle_until - desk.lifetimes.session_idle,
                amr=session.amr,
            )
            for session in live
        )
    )


async def end_sessions_of(desk: Desk, asked: EndSessions) -> int:
    """Ends sessions of a user; how many there were. Ids of others find nothing.

    Raises:
        ServiceError: UNAVAILABLE.
    """
    meant = [
        session
        for session in await _sessions_of(desk, asked.user_id)
        if session.sid != asked.but_session_id
        and (not asked.session_ids or session.sid in asked.session_ids)
        and await is_endable(desk, session)
    ]
    await end_sessions(desk, meant)
    return len(meant)


async def _sessions_of(desk: Desk, user_id: str) -> list[Session]:
    sids = await desk.stores.sessions.list_sids(user_id)
    found = await asyncio.gather(*(desk.stores.sessions.find(sid) for sid in sids))
    return [session for session in found if session is not None and session.user_id == user_id]
