"""The questions authz answers on the bus."""

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
from portico_authz.desk import Desk
from portico_authz.session.end_sessions import end_sessions_of, list_states


def answer_questions(bus: Bus, desk: Desk) -> None:
    """Registers every answer."""

    async def redeem(asked: RedeemCode) -> CodeRedeemed:
        return await redeem_code(desk, asked)

    async def sessions(asked: ListSessions) -> SessionStates:
        return await list_states(desk, asked.user_id)

    async def end(asked: EndSessions) -> SessionsEnded:
        return SessionsEnded(sessions=await end_sessions_of(desk, asked))

    bus.answer(REDEEM_CODE, redeem)
    bus.answer(LIST_SESSIONS, sessions)
    bus.answer(END_SESSIONS, end)
