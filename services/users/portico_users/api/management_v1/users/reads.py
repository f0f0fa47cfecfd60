"""Users and parts of them as `portico.management.v1` has them."""

from __future__ import annotations

from portico_contracts.generated.portico.management.v1 import user_queries_pb2 as pb
from portico_contracts.generated.portico.management.v1.user_pb2 import Human as HumanMessage

from portico_users.api.management_v1.users.shape import v1_human, v1_user
from portico_users.api.shared.details import details_of
from portico_users.api.shared.listing import details_of_list
from portico_users.api.transport.call import Call
from portico_users.api.transport.targets import USER_NOT_FOUND
from portico_users.api.user_v2.credentials.person import human_of, org_of
from portico_users.api.user_v2.users.list_users import find_users
from portico_users.api.user_v2.users.user_messages import human_message
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.accounts.search import UserSearch
from portico_users.directory.accounts.store import MongoAccounts
from portico_users.directory.organizations.org import Org
from portico_users.directory.organizations.store import MongoOrgs


async def get_user_by_id(
    call: Call[AnyUser], _request: pb.GetUserByIDRequest, *, orgs: MongoOrgs
) -> pb.GetUserByIDResponse:
    """The user, in whatever state."""
    return pb.GetUserByIDResponse(user=v1_user(call.target.subject, await org_of(call, call.target.subject, orgs)))


async def get_user_by_login_name_global(
    call: Call[tuple[str, ...] | None], request: pb.GetUserByLoginNameGlobalRequest, *, accounts: MongoAccounts
) -> pb.GetUserByLoginNameGlobalResponse:
    """The user of a login name, of either kind and in whatever state; USER-315 when there is none.

    Only users of organizations the caller may read are searched, so that the answer reveals nothing of others (MG-22).
    """
    found = await accounts.find_by_login_name(request.login_name, call.target.subject)
    user, org = found or (None, None)
    if user is None or org is None:
        raise USER_NOT_FOUND.error()
    return pb.GetUserByLoginNameGlobalResponse(user=v1_user(user, org))


async def list_users(call: Call[Org], request: pb.ListUsersRequest, *, search: UserSearch) -> pb.ListUsersResponse:
    """A page of the users of one organization that meet all conditions."""
    org = call.target.subject
    found = await find_users(search, (org.id,), request)
    return pb.ListUsersResponse(
        details=details_of_list(found.total),
        sorting_column=request.sorting_column,
        result=[v1_user(user, org) for user in found.users],
    )


async def get_human_profile(call: Call[AnyUser], _request: pb.GetHumanProfileRequest) -> pb.GetHumanProfileResponse:
    """Who they are; USER-506 for a service user."""
    return pb.GetHumanProfileResponse(details=details_of(call.target.subject), profile=_human(call).profile)


async def get_human_email(call: Call[AnyUser], _request: pb.GetHumanEmailRequest) -> pb.GetHumanEmailResponse:
    """Their email address; USER-506 for a service user."""
    return pb.GetHumanEmailResponse(details=details_of(call.target.subject), email=_human(call).email)


async def get_human_phone(call: Call[AnyUser], _request: pb.GetHumanPhoneRequest) -> pb.GetHumanPhoneResponse:
    """Their phone number, if any; USER-506 for a service user."""
    human = _human(call)
    phone = human.phone if human.HasField("phone") else None
    return pb.GetHumanPhoneResponse(details=details_of(call.target.subject), phone=phone)


def _human(call: Call[AnyUser]) -> HumanMessage:
    return v1_human(human_message(human_of(call)))
