from __future__ import annotations

from typing import Final, Protocol

from portico_oauth.errors import ErrorCode, Kind

from portico_users.accounts.account import AnyUser
from portico_users.accounts.store import MongoAccounts
from portico_users.administrators.permissions import Permission
from portico_users.management_api.transport.call import RequestContext, Target
from portico_users.management_api.transport.caller import Caller
from portico_users.management_api.transport.decision import NOT_PERMITTED
from portico_users.organizations.org import ORG_NOT_FOUND, MongoOrgs, Org
from portico_users.values.names import INSTANCE, MAX_LENGTH
from portico_users.values.records import State

USER_NOT_FOUND = ErrorCode("USER-315", Kind.NOT_FOUND, "User not found.", "Check the id of the user.")
INVALID_ORG_HEADER = ErrorCode(
    "USER-313",
    Kind.PERMISSION_DENIED,
    "You have no role in the organization named in the header.",
    "Name one organization you have a role in, or omit the header.",
)

EVERYWHERE: Final = ""
"""The organization id of targets that belong to the instance."""


class NamesUser(Protocol):
    user_id: str


async def find_org(caller: Caller, org_id: str, orgs: MongoOrgs) -> Org | None:
    """Returns the organization; the caller's own was already read with the caller."""
    own = caller.org
    return own if own is not None and own.id == org_id else await orgs.find(org_id)


async def own_or_named_org(context: RequestContext, _request: object, *, orgs: MongoOrgs) -> Target[Org]:
    org_id = header_org_id(context) or context.caller.org_id
    org = await find_org(context.caller, org_id, orgs)
    if org is None or org.state is not State.ACTIVE:
        raise INVALID_ORG_HEADER.error(org=org_id)
    return Target(org.id, org, ORG_NOT_FOUND)


async def org_as_owner(context: RequestContext, request: object, *, orgs: MongoOrgs) -> Target[str]:
    org = await own_or_named_org(context, request, orgs=orgs)
    return Target(org.org_id, org.org_id, org.absent)


async def instance_as_owner(_context: RequestContext, _request: object) -> Target[str]:
    return Target(EVERYWHERE, INSTANCE, NOT_PERMITTED)


async def named_user(context: RequestContext, request: NamesUser, *, accounts: MongoAccounts) -> Target[AnyUser]:
    return await user_of(context, request.user_id, accounts)


async def user_of(context: RequestContext, user_id: str, accounts: MongoAccounts) -> Target[AnyUser]:
    header_org_id(context)
    user = await accounts.find(user_id[: MAX_LENGTH + 1])
    if user is None or user.state is State.DELETED:
        raise USER_NOT_FOUND.error()
    return Target(user.org_id, user, USER_NOT_FOUND, user_id=user.id)


async def readable_orgs(context: RequestContext, _request: object) -> Target[tuple[str, ...] | None]:
    """Returns the organizations where the caller may read users; None for all. A header restricts them to one."""
    return _orgs_where(context, Permission.USER_READ)


async def orgs_of_events(context: RequestContext, _request: object) -> Target[tuple[str, ...] | None]:
    return _orgs_where(context, Permission.EVENTS_READ)


def _orgs_where(context: RequestContext, permission: Permission) -> Target[tuple[str, ...] | None]:
    caller = context.caller
    if named := header_org_id(context):
        return Target(named, (named,), ORG_NOT_FOUND)
    if permission in caller.everywhere:
        return Target(EVERYWHERE, None, ORG_NOT_FOUND)
    org_ids = caller.orgs_where(permission)
    if not org_ids:
        raise NOT_PERMITTED.error(named=permission)
    return Target(org_ids[0], org_ids, ORG_NOT_FOUND)


def header_org_id(context: RequestContext) -> str:
    """Returns the organization of the header; empty without one."""
    if not context.org_ids:
        return ""
    org_id = context.org_ids[0]
    if len(context.org_ids) > 1 or not context.caller.knows(org_id):
        raise INVALID_ORG_HEADER.error()
    return org_id


async def org_in_any_state(context: RequestContext, _request: object, *, orgs: MongoOrgs) -> Target[Org]:
    """Finds the organization of the header or the caller's own, also an inactive one."""
    org_id = header_org_id(context) or context.caller.org_id
    org = await orgs.find(org_id)
    if org is None or org.state is State.DELETED:
        raise INVALID_ORG_HEADER.error(org=org_id)
    return Target(org.id, org, ORG_NOT_FOUND)


async def instance(_context: RequestContext, _request: object) -> Target[None]:
    return Target(EVERYWHERE, None, NOT_PERMITTED)
