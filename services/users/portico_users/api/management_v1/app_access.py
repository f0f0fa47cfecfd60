"""Lists the applications that hold tokens of a user, and ends what one of them holds, by asking token."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from portico_contracts.generated.portico.management.v1 import app_access_service_pb2 as pb
from portico_contracts.token import (
    LIST_TOKEN_GRANTS,
    REVOKE_USER_CLIENT,
    ListTokenGrants,
    RevokeUserClient,
    TokenGrant,
)
from portico_oauth.errors import ErrorCode, Kind

from portico_users.api.shared.details import timestamp_of
from portico_users.api.shared.listing import details_of_list
from portico_users.api.transport.call import Call
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.apps.app_record import App
from portico_users.directory.apps.store import MongoApps
from portico_users.kernel.bus import Bus

NO_ACCESS = ErrorCode(
    "USER-732",
    Kind.NOT_FOUND,
    "This application holds no token of the user.",
    "List the applications. The tokens may have expired.",
)


async def list_user_app_access(
    call: Call[AnyUser], _request: pb.ListUserAppAccessRequest, *, bus: Bus, apps: MongoApps
) -> pb.ListUserAppAccessResponse:
    """The applications by name; `unavailable` when token cannot be asked."""
    grants = (await bus.call(LIST_TOKEN_GRANTS, ListTokenGrants(user_id=call.target.subject.id))).grants
    by_client: dict[str, list[TokenGrant]] = {}
    for grant in grants:
        by_client.setdefault(grant.client_id, []).append(grant)
    known = {app.client_id: app for app in await _find_apps(apps, by_client)}
    found = [_message(client_id, of_one, known.get(client_id)) for client_id, of_one in by_client.items()]
    found.sort(key=lambda one: (one.name.casefold(), one.client_id))
    return pb.ListUserAppAccessResponse(details=details_of_list(len(found)), result=found)


async def remove_user_app_access(
    call: Call[AnyUser], request: pb.RemoveUserAppAccessRequest, *, bus: Bus
) -> pb.RemoveUserAppAccessResponse:
    """Ends all grants to the application; USER-732 when it has none."""
    ask = RevokeUserClient(user_id=call.target.subject.id, client_id=request.client_id)
    ended = (await bus.call(REVOKE_USER_CLIENT, ask)).grants
    if ended == 0:
        raise NO_ACCESS.error()
    return pb.RemoveUserAppAccessResponse(grants=ended)


async def _find_apps(apps: MongoApps, client_ids: Iterable[str]) -> list[App]:
    return await apps.list_where({"clientId": {"$in": list(client_ids)}}, None)


def _message(client_id: str, grants: Sequence[TokenGrant], app: App | None) -> pb.AppAccess:
    times = [grant.created for grant in grants]
    return pb.AppAccess(
        client_id=client_id,
        name=app.name if app else "",
        app_id=app.id if app else "",
        project_id=app.project_id if app else "",
        org_id=app.org_id if app else "",
        scopes=dict.fromkeys(chain.from_iterable(grant.scope for grant in grants)),
        since=timestamp_of(min(times)),
        last_granted=timestamp_of(max(times)),
        offline=any(grant.offline for grant in grants),
        grants=len(grants),
    )
