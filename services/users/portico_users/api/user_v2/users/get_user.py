"""Reads one user."""

from __future__ import annotations

from portico_contracts.generated.portico.user.v2.user_service_pb2 import GetUserByIDRequest, GetUserByIDResponse

from portico_users.api.shared.details import details_of
from portico_users.api.transport.call import Call
from portico_users.api.transport.targets import USER_NOT_FOUND, find_org
from portico_users.api.user_v2.users.user_messages import user_message
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.organizations.store import MongoOrgs


async def get_user_by_id(call: Call[AnyUser], _request: GetUserByIDRequest, *, orgs: MongoOrgs) -> GetUserByIDResponse:
    """The user, in whatever state."""
    user = call.target.subject
    org = await find_org(call.caller, user.org_id, orgs)
    if org is None:
        raise USER_NOT_FOUND.error(user=user.id)
    return GetUserByIDResponse(details=details_of(user), user=user_message(user, org))
