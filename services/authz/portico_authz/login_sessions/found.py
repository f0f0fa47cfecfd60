from __future__ import annotations

import asyncio
from typing import Final

from portico_contracts.login_sessions import EndLogin, FindLoginSessions, LoginEnded, LoginSessionsFound

from portico_authz.dependencies import Dependencies
from portico_authz.domain.login_session import LoginSession
from portico_authz.login_sessions.limits import MAX_FOUND, TOO_LARGE
from portico_authz.login_sessions.records import CHANGED_MEANWHILE, find_of_actor, state_of
from portico_authz.session.end_sessions import end_sessions
from portico_authz.session.find_sessions import is_endable

ATTEMPTS: Final = 3
"""How often a login session is read again because a sign-in was completed with it meanwhile."""


async def find_login_sessions(deps: Dependencies, query: FindLoginSessions) -> LoginSessionsFound:
    """In the order of the ids. Raises AUTHZ-219."""
    if len(query.session_ids) > MAX_FOUND:
        raise TOO_LARGE.error(what="ids")
    found = await asyncio.gather(*(find_of_actor(deps, id, query.actor) for id in query.session_ids))
    return LoginSessionsFound(sessions=tuple(state_of(deps, session) for session in found if session))


async def end_login(deps: Dependencies, query: EndLogin) -> LoginEnded:
    """The record is deleted last, so that a call that failed can be repeated. Raises AUTHZ-213, UNAVAILABLE."""
    for _ in range(ATTEMPTS):
        session = await find_of_actor(deps, query.session_id, query.actor)
        if session is None:
            return LoginEnded(ended=False)
        await _end_sessions_of(deps, session)
        if await deps.stores.login_sessions.delete(session):
            return LoginEnded(ended=True)
    raise CHANGED_MEANWHILE.error()


async def _end_sessions_of(deps: Dependencies, session: LoginSession) -> None:
    found = await asyncio.gather(*(deps.stores.sessions.find(sid) for sid in session.sids))
    mine = [one for one in found if one is not None and one.user_id == session.user_id]
    await end_sessions(deps, [one for one in mine if await is_endable(deps, one)])
