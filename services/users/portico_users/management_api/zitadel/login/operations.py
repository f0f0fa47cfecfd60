"""The operations. The caller is the login client: authz keeps the state, for this client only."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from google.protobuf.message import Message
from portico_contracts.generated.zitadel.oidc import v2_pb2 as oidc
from portico_contracts.generated.zitadel.session import v2_pb2 as their
from portico_contracts.login_sessions import (
    CHECK_LOGIN,
    END_LOGIN,
    FIND_LOGIN_SESSIONS,
    FINISH_LOGIN,
    GET_LOGIN_REQUEST,
    CheckLogin,
    EndLogin,
    FindLoginSessions,
    GetLoginRequest,
    LoginSessionState,
)
from portico_contracts.zitadel.methods import ZITADEL_METHODS
from portico_runtime.process.clock import Clock

from portico_users.administrators.permissions import Permission
from portico_users.bus import Bus
from portico_users.management_api.protobuf.listing import DEFAULT_LIMIT
from portico_users.management_api.transport.call import Call
from portico_users.management_api.transport.operation import Operation
from portico_users.management_api.transport.targets import instance_as_owner
from portico_users.management_api.zitadel.login.requests import (
    read_auth_request_id,
    read_check_login,
    read_finish_login,
    read_session_id,
    read_session_ids,
)
from portico_users.management_api.zitadel.login.responses import (
    fill_auth_request,
    fill_challenges,
    fill_details,
    fill_session,
)
from portico_users.sessions.api.sessions import SESSION_NOT_FOUND

_SESSIONS: Final = "zitadel.session.v2.SessionService"
_OIDC: Final = "zitadel.oidc.v2.OIDCService"


async def create_session(
    call: Call[str], request: their.CreateSessionRequest, *, bus: Bus
) -> their.CreateSessionResponse:
    response = their.CreateSessionResponse()
    asked = read_check_login(request, actor=call.caller.user_id)
    response.session_id = (await _check(bus, call, asked, response)).session_id
    return response


async def set_session(call: Call[str], request: their.SetSessionRequest, *, bus: Bus) -> their.SetSessionResponse:
    response = their.SetSessionResponse()
    asked = read_check_login(request, actor=call.caller.user_id)
    await _check(bus, call, asked, response)
    return response


async def _check(
    bus: Bus, call: Call[str], asked: CheckLogin, response: their.CreateSessionResponse | their.SetSessionResponse
) -> LoginSessionState:
    checked = await bus.call(CHECK_LOGIN, asked)
    session = checked.session
    response.session_token = checked.session_token
    fill_challenges(response.challenges, checked.options)
    owner = session.org_id or call.caller.org_id
    fill_details(response.details, changed=session.changed, owner=owner, sequence=session.sequence)
    return session


async def get_session(call: Call[str], request: their.GetSessionRequest, *, bus: Bus) -> their.GetSessionResponse:
    response = their.GetSessionResponse()
    found = await _find(bus, call, (read_session_id(request),))
    if not found:
        raise SESSION_NOT_FOUND.error()
    fill_session(response.session, found[0])
    return response


async def list_sessions(
    call: Call[str], request: their.ListSessionsRequest, *, bus: Bus, clock: Clock
) -> their.ListSessionsResponse:
    """The newest first."""
    response = their.ListSessionsResponse()
    ids, now = read_session_ids(request), clock.now()
    found = await _find(bus, call, ids) if ids else ()
    newest = sorted(found, key=lambda one: (one.created, one.session_id), reverse=True)
    for one in newest[request.query.offset :][: request.query.limit or DEFAULT_LIMIT]:
        fill_session(response.sessions.add(), one)
    response.details.total_result = len(found)
    response.details.processed_sequence = max((one.sequence for one in found), default=0)
    response.details.timestamp.FromMicroseconds(round(now * 1_000_000))
    return response


async def _find(bus: Bus, call: Call[str], ids: tuple[str, ...]) -> tuple[LoginSessionState, ...]:
    return (await bus.call(FIND_LOGIN_SESSIONS, FindLoginSessions(actor=call.caller.user_id, session_ids=ids))).sessions


async def delete_session(
    call: Call[str], request: their.DeleteSessionRequest, *, bus: Bus, clock: Clock
) -> their.DeleteSessionResponse:
    response = their.DeleteSessionResponse()
    ask = EndLogin(actor=call.caller.user_id, session_id=read_session_id(request))
    if not (await bus.call(END_LOGIN, ask)).ended:
        raise SESSION_NOT_FOUND.error()
    fill_details(response.details, changed=clock.now(), owner=call.caller.org_id)
    return response


async def get_auth_request(
    _call: Call[str], request: oidc.GetAuthRequestRequest, *, bus: Bus
) -> oidc.GetAuthRequestResponse:
    response = oidc.GetAuthRequestResponse()
    found = await bus.call(GET_LOGIN_REQUEST, GetLoginRequest(request_id=read_auth_request_id(request)))
    fill_auth_request(response.auth_request, found)
    return response


async def create_callback(
    call: Call[str], request: oidc.CreateCallbackRequest, *, bus: Bus, clock: Clock
) -> oidc.CreateCallbackResponse:
    response = oidc.CreateCallbackResponse()
    asked = read_finish_login(request, actor=call.caller.user_id)
    response.callback_url = (await bus.call(FINISH_LOGIN, asked)).callback_url
    fill_details(response.details, changed=clock.now(), owner=call.caller.org_id)
    return response


def _operation(name: str, handle: Callable[..., Awaitable[Message]]) -> Operation:
    return Operation(name, Permission.IAM_LOGIN, instance_as_owner, handle, foreign=ZITADEL_METHODS[name])


LOGIN_OPERATIONS: Final = (
    _operation(f"{_SESSIONS}.CreateSession", create_session),
    _operation(f"{_SESSIONS}.SetSession", set_session),
    _operation(f"{_SESSIONS}.GetSession", get_session),
    _operation(f"{_SESSIONS}.ListSessions", list_sessions),
    _operation(f"{_SESSIONS}.DeleteSession", delete_session),
    _operation(f"{_OIDC}.GetAuthRequest", get_auth_request),
    _operation(f"{_OIDC}.CreateCallback", create_callback),
)
