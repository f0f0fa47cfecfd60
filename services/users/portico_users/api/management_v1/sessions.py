"""Lists and ends the sessions of a user, by asking authz."""

from __future__ import annotations

from portico_contracts.authz import END_SESSIONS, LIST_SESSIONS, EndSessions, ListSessions, SessionState
from portico_contracts.generated.portico.management.v1 import session_service_pb2 as pb
from portico_oauth.errors import ErrorCode, Kind

from portico_users.api.shared.details import timestamp_of
from portico_users.api.shared.listing import details_of_list
from portico_users.api.transport.call import Call
from portico_users.directory.accounts.account import AnyUser
from portico_users.kernel.bus import Bus

SESSION_NOT_FOUND = ErrorCode(
    "USER-726", Kind.NOT_FOUND, "Session not found.", "Check the id. The session may have ended."
)


async def list_user_sessions(
    call: Call[AnyUser], _request: pb.ListUserSessionsRequest, *, bus: Bus
) -> pb.ListUserSessionsResponse:
    """The live sessions, the last used first.

    Raises:
        ServiceError: `unavailable` when authz cannot be asked.
    """
    asked = ListSessions(user_id=call.target.subject.id)
    sessions = (await bus.call(LIST_SESSIONS, asked)).sessions
    return pb.ListUserSessionsResponse(
        details=details_of_list(len(sessions)), result=[_message(session) for session in sessions]
    )


async def remove_user_session(
    call: Call[AnyUser], request: pb.RemoveUserSessionRequest, *, bus: Bus
) -> pb.RemoveUserSessionResponse:
    """Ends one session; USER-726 when the user has none of this id."""
    ask = EndSessions(user_id=call.target.subject.id, session_ids=(request.session_id,))
    if (await bus.call(END_SESSIONS, ask)).sessions == 0:
        raise SESSION_NOT_FOUND.error()
    return pb.RemoveUserSessionResponse()


async def remove_user_sessions(
    call: Call[AnyUser], _request: pb.RemoveUserSessionsRequest, *, bus: Bus
) -> pb.RemoveUserSessionsResponse:
    """Ends all sessions; the answer has how many there were."""
    ended = await bus.call(END_SESSIONS, EndSessions(user_id=call.target.subject.id))
    return pb.RemoveUserSessionsResponse(sessions=ended.sessions)


def _message(session: SessionState) -> pb.Session:
    return pb.Session(
        id=session.session_id,
        auth_time=timestamp_of(session.auth_time),
        last_used=timestamp_of(session.used_at),
        amr=session.amr,
        device=session.device,
    )
