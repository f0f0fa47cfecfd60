"""Ends sessions: sessions and their tokens are inactive before the caller gets a response (IR-08, IR-14).

The order survives every failure: the session is enqueued, then ended, then token revokes; the queue sends the
event and the logout tokens. A failure is a 503, continued by a retry or by the queue.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

import structlog
from portico_contracts.authz import EndSessions, ListSessions, SessionsEnded, SessionState, SessionStates
from portico_contracts.token import REVOKE_SESSION, RevokeSession
from portico_oauth.errors import ServiceError

from portico_authz.dependencies import Dependencies
from portico_authz.domain.ended_session import RETENTION_SECONDS
from portico_authz.domain.session import Session
from portico_authz.session.find_sessions import is_endable
from portico_authz.session.trusted_devices import end_all

log = structlog.get_logger("portico.login")

TAKEOVER_SECONDS: Final = 15.0
"""Delay until the queue takes over from the call that started to end a session."""


async def end_sessions(
    deps: Dependencies, sessions: Sequence[Session], *, client_id: str = "", actor: str = ""
) -> None:
    """`client_id` is the client of the id_token_hint; raises UNAVAILABLE unless all tokens are inactive.

    `actor` is who ends them instead of the user.
    """
    if not sessions:
        return
    sids = [session.sid for session in sessions]
    await deps.stores.logout_queue.enqueue(sids, deps.clock.now() + TAKEOVER_SECONDS)
    for sid in sids:
        await deps.stores.sessions.end(sid, RETENTION_SECONDS, client_id, actor)
    await asyncio.gather(*(revoke(deps, session) for session in sessions))
    await deps.stores.logout_queue.enqueue(sids, deps.clock.now())
    deps.back_channel_wakeup.set()


async def revoke(deps: Dependencies, session: Session) -> None:
    """Revokes every token of an ended session; idempotent. Raises `unavailable`."""
    await deps.bus.call(REVOKE_SESSION, RevokeSession(user_id=session.user_id, session_id=session.sid))
    await deps.stores.logout_queue.set_revoked(session)


async def list_states(deps: Dependencies, query: ListSessions) -> SessionStates:
    """Returns the live sessions of a user, most recently used first."""
    now = deps.clock.now()
    live = [session for session in await _sessions_of(deps, query.user_id) if session.is_live(now)]
    live.sort(key=lambda session: session.idle_until, reverse=True)
    return SessionStates(
        sessions=tuple(
            SessionState(
                session_id=session.sid,
                auth_time=session.auth_time,
                used_at=session.idle_until - deps.lifetimes.session_idle,
                amr=session.amr,
                device=session.device,
                country=session.country,
            )
            for session in live
        )
    )


async def end_sessions_of(deps: Dependencies, query: EndSessions) -> SessionsEnded:
    """Ids of other users' sessions are ignored. All sessions end together with the trust in browsers."""
    selected = [
        session
        for session in await _sessions_of(deps, query.user_id)
        if session.sid != query.but_session_id
        and (not query.session_ids or session.sid in query.session_ids)
        and await is_endable(deps, session)
    ]
    if not query.session_ids and not query.but_session_id:
        await end_all(deps, query.user_id)
    await end_sessions(deps, selected, actor="" if query.actor == query.user_id else query.actor)
    return SessionsEnded(sessions=len(selected))


async def end_sessions_or_log(deps: Dependencies, query: EndSessions) -> None:
    """Ends sessions after a change of credentials. A failure is only logged, because the logout queue continues."""
    try:
        await end_sessions_of(deps, query)
    except ServiceError as error:
        log.warning("sessions not ended yet", user_id=query.user_id, cause=error.private)


async def _sessions_of(deps: Dependencies, user_id: str) -> list[Session]:
    sids = await deps.stores.sessions.list_sids(user_id)
    found = await asyncio.gather(*(deps.stores.sessions.find(sid) for sid in sids))
    return [session for session in found if session is not None and session.user_id == user_id]
