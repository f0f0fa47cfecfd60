"""The requests authz answers on the bus."""

from __future__ import annotations

from portico_contracts.authz import (
    END_SESSIONS,
    LIST_SESSIONS,
    REDEEM_CODE,
    CodeRedeemed,
    EndSessions,
    ListSessions,
    RedeemCode,
    SessionsEnded,
    SessionStates,
)
from portico_runtime.bus import Bus

from portico_authz.codes.redeem_code import redeem_code
from portico_authz.dependencies import Dependencies
from portico_authz.session.end_sessions import end_sessions_of, list_states


def register_rpc_handlers(bus: Bus, deps: Dependencies) -> None:
    """Registers every handler."""

    async def redeem(query: RedeemCode) -> CodeRedeemed:
        return await redeem_code(deps, query)

    async def sessions(query: ListSessions) -> SessionStates:
        return await list_states(deps, query.user_id)

    async def end(query: EndSessions) -> SessionsEnded:
        return SessionsEnded(sessions=await end_sessions_of(deps, query))

    bus.respond(REDEEM_CODE, redeem)
    bus.respond(LIST_SESSIONS, sessions)
    bus.respond(END_SESSIONS, end)
