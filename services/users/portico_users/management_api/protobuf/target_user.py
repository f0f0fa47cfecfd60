from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Unpack

from portico_oauth.errors import ErrorCode, Kind

from portico_users.accounts.account import AnyUser, readable_login_name
from portico_users.administrators.permissions import Permission
from portico_users.end_users.end_user import EndUser
from portico_users.journal.command import Command
from portico_users.management_api.protobuf.changing import Change, Value, changing
from portico_users.management_api.transport.call import Call, Target
from portico_users.management_api.transport.operation import Operation
from portico_users.management_api.transport.targets import USER_NOT_FOUND, find_org, named_user
from portico_users.organizations.org import MongoOrgs, Org

NO_PERSON = ErrorCode(
    "USER-506",
    Kind.FAILED_PRECONDITION,
    "Service users have no such credentials.",
    "Add a key, a secret or a personal access token instead.",
)


def end_user_of(call: Call[AnyUser]) -> EndUser:
    return user_of(call.target.subject)


def user_of(user: AnyUser) -> EndUser:
    if not isinstance(user, EndUser):
        raise NO_PERSON.error()
    return user


def changing_end_user(
    name: str,
    permission: Permission,
    command: type[Command],
    *values: Value,
    find: Callable[..., Awaitable[Target[AnyUser]]] = named_user,
    **change: Unpack[Change],
) -> Operation:
    return changing(name, permission, find, command, *values, of=end_user_of, **change)


async def org_of(call: Call[object], user: AnyUser, orgs: MongoOrgs) -> Org:
    org = await find_org(call.caller, user.org_id, orgs)
    if org is None:
        raise USER_NOT_FOUND.error(user=user.id)
    return org


async def login_name_of(call: Call[object], human: EndUser, orgs: MongoOrgs) -> str:
    return readable_login_name(human, await org_of(call, human, orgs))
