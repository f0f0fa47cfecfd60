"""What other services keep of a user: sessions, by asking authz, and access of applications, by asking token."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from portico_contracts.authz import (
    END_SESSIONS,
    END_TRUSTED_DEVICE,
    LIST_SESSIONS,
    LIST_TRUSTED_DEVICES,
    EndSessions,
    EndTrustedDevice,
    ListSessions,
    ListTrustedDevices,
    SessionState,
)
from portico_contracts.generated.portico.management.v1 import app_access_service_pb2 as app_access_service_pb
from portico_contracts.generated.portico.management.v1 import session_service_pb2 as pb
from portico_contracts.token import LIST_TOKEN_GRANTS, REVOKE_USER_CLIENT, ListTokenGrants, RevokeUserClient, TokenGrant
from portico_contracts.users import ApiScope
from portico_oauth.errors import ErrorCode, Kind

from portico_users.accounts.account import AnyUser
from portico_users.applications.app_record import App
from portico_users.applications.store import MongoApps
from portico_users.bus import Bus
from portico_users.end_users.end_user import AllowedScopes, EndUser, usable_consent
from portico_users.management_api.protobuf.details import timestamp_of
from portico_users.management_api.protobuf.listing import details_of_list
from portico_users.management_api.transport.call import Call
from portico_users.sessions.agent_ledger import AgentLedger, Wanted
from portico_users.sessions.agent_uses import AgentUses
from portico_users.sessions.commands.consents import Consents
from portico_users.sessions.commands.end_agents import EndAgents

SESSION_NOT_FOUND = ErrorCode(
    "USER-726", Kind.NOT_FOUND, "Session not found.", "Check the id. The session may have ended."
)


async def list_user_sessions(
    call: Call[AnyUser], _request: pb.ListUserSessionsRequest, *, bus: Bus
) -> pb.ListUserSessionsResponse:
    asked = ListSessions(user_id=call.target.subject.id)
    sessions = (await bus.call(LIST_SESSIONS, asked)).sessions
    return pb.ListUserSessionsResponse(
        details=details_of_list(len(sessions)), result=[_message(session) for session in sessions]
    )


async def remove_user_session(
    call: Call[AnyUser], request: pb.RemoveUserSessionRequest, *, bus: Bus
) -> pb.RemoveUserSessionResponse:
    ask = EndSessions(user_id=call.target.subject.id, session_ids=(request.session_id,), actor=call.caller.user_id)
    if (await bus.call(END_SESSIONS, ask)).sessions == 0:
        raise SESSION_NOT_FOUND.error()
    return pb.RemoveUserSessionResponse()


async def remove_user_sessions(
    call: Call[AnyUser], _request: pb.RemoveUserSessionsRequest, *, bus: Bus
) -> pb.RemoveUserSessionsResponse:
    ended = await bus.call(END_SESSIONS, EndSessions(user_id=call.target.subject.id, actor=call.caller.user_id))
    return pb.RemoveUserSessionsResponse(sessions=ended.sessions)


DEVICE_NOT_FOUND = ErrorCode(
    "USER-130", Kind.NOT_FOUND, "Trusted device not found.", "Check the id. The trust may have ended."
)


async def list_user_trusted_devices(
    call: Call[AnyUser], _request: pb.ListUserTrustedDevicesRequest, *, bus: Bus
) -> pb.ListUserTrustedDevicesResponse:
    devices = (await bus.call(LIST_TRUSTED_DEVICES, ListTrustedDevices(user_id=call.target.subject.id))).devices
    result = [
        pb.TrustedDevice(
            id=one.device_id,
            since=timestamp_of(one.since),
            until=timestamp_of(one.until),
            device=one.device,
            country=one.country,
        )
        for one in devices
    ]
    return pb.ListUserTrustedDevicesResponse(details=details_of_list(len(result)), result=result)


async def remove_user_trusted_device(
    call: Call[AnyUser], request: pb.RemoveUserTrustedDeviceRequest, *, bus: Bus
) -> pb.RemoveUserTrustedDeviceResponse:
    ask = EndTrustedDevice(user_id=call.target.subject.id, device_id=request.device_id)
    if not (await bus.call(END_TRUSTED_DEVICE, ask)).ended:
        raise DEVICE_NOT_FOUND.error()
    return pb.RemoveUserTrustedDeviceResponse()


def _message(session: SessionState) -> pb.Session:
    return pb.Session(
        id=session.session_id,
        auth_time=timestamp_of(session.auth_time),
        last_used=timestamp_of(session.used_at),
        amr=session.amr,
        device=session.device,
        country=session.country,
    )


NO_ACCESS = ErrorCode(
    "USER-732",
    Kind.NOT_FOUND,
    "This application holds no token of the user.",
    "List the applications. The tokens may have expired.",
)


async def list_user_app_access(
    call: Call[AnyUser], _request: app_access_service_pb.ListUserAppAccessRequest, *, bus: Bus, apps: MongoApps
) -> app_access_service_pb.ListUserAppAccessResponse:
    grants = (await bus.call(LIST_TOKEN_GRANTS, ListTokenGrants(user_id=call.target.subject.id))).grants
    user = call.target.subject
    consents = user.consents if isinstance(user, EndUser) else ()
    allowed = {one.client_id: usable_consent(one) for one in consents}
    by_client: dict[str, list[TokenGrant]] = {client_id: [] for client_id in allowed}
    for grant in grants:
        by_client.setdefault(grant.client_id, []).append(grant)
    of_apis = {scope.api for one in allowed.values() for scope in one.of_apis}
    known = {app.client_id: app for app in await _find_apps(apps, {*by_client, *of_apis})}
    found = [
        _access_message(client_id, of_one, known, allowed.get(client_id)) for client_id, of_one in by_client.items()
    ]
    found.sort(key=lambda one: (one.name.casefold(), one.client_id))
    return app_access_service_pb.ListUserAppAccessResponse(details=details_of_list(len(found)), result=found)


async def remove_user_app_access(
    call: Call[AnyUser],
    request: app_access_service_pb.RemoveUserAppAccessRequest,
    *,
    bus: Bus,
    consents: Consents,
    uses: AgentUses,
    ledger: AgentLedger,
    end: EndAgents,
) -> app_access_service_pb.RemoveUserAppAccessResponse:
    user = call.target.subject
    if await ledger.count(Wanted(None, user_id=user.id, client_id=request.client_id)):
        agents = await end(user.id, (request.client_id,), actor=call.caller.user_id)
        return app_access_service_pb.RemoveUserAppAccessResponse(grants=agents.grants)
    ask = RevokeUserClient(user_id=user.id, client_id=request.client_id)
    ended = (await bus.call(REVOKE_USER_CLIENT, ask)).grants
    # After the tokens, so that a failed call can be repeated; then again those that were issued meanwhile.
    had_consent = isinstance(user, EndUser) and await consents.remove(
        user, request.client_id, actor=call.caller.user_id
    )
    if had_consent:
        await uses.end(user.id, (request.client_id,))
        ended += (await bus.call(REVOKE_USER_CLIENT, ask)).grants
    if ended == 0 and not had_consent:
        raise NO_ACCESS.error()
    return app_access_service_pb.RemoveUserAppAccessResponse(grants=ended)


async def _find_apps(apps: MongoApps, client_ids: Iterable[str]) -> list[App]:
    return await apps.list_where({"clientId": {"$in": list(client_ids)}}, None)


def _access_message(
    client_id: str, grants: Sequence[TokenGrant], known: Mapping[str, App], allowed: AllowedScopes | None
) -> app_access_service_pb.AppAccess:
    times, app = [grant.created for grant in grants], known.get(client_id)
    return app_access_service_pb.AppAccess(
        client_id=client_id,
        name=app.name if app else "",
        app_id=app.id if app else "",
        project_id=app.project_id if app else "",
        org_id=app.org_id if app else "",
        scopes=dict.fromkeys(chain.from_iterable(grant.scope for grant in grants)),
        since=timestamp_of(min(times)) if times else None,
        last_granted=timestamp_of(max(times)) if times else None,
        offline=any(grant.offline for grant in grants),
        grants=len(grants),
        allowed_scopes=allowed.scopes if allowed else (),
        allowed=timestamp_of(allowed.at) if allowed else None,
        allowed_api_scopes=[_api_scope(one, known.get(one.api)) for one in allowed.of_apis] if allowed else (),
    )


def _api_scope(one: ApiScope, api: App | None) -> app_access_service_pb.AllowedApiScope:
    return app_access_service_pb.AllowedApiScope(
        scope=one.scope, api_client_id=one.api, api_name=api.name if api else ""
    )
