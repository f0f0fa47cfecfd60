"""The human that an operation on credentials is about."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Unpack

from portico_oauth.errors import ErrorCode, Kind

from portico_users.api.shared.changing import Change, Value, changing
from portico_users.api.transport.call import Call, Target
from portico_users.api.transport.operation import Operation
from portico_users.api.transport.targets import USER_NOT_FOUND, find_org, named_user
from portico_users.commands.command import Command
from portico_users.directory.accounts.account import AnyUser, login_name
from portico_users.directory.members.permissions import Permission
from portico_users.directory.organizations.org import MongoOrgs, Org
from portico_users.directory.people.human import Human

NO_PERSON = ErrorCode(
    "USER-506",
    Kind.FAILED_PRECONDITION,
    "Service users have no such credentials.",
    "Add a key, a secret or a personal access token instead.",
)


def human_of(call: Call[AnyUser]) -> Human:
    """The person the call is about; USER-506 for a service user."""
    return person_of(call.target.subject)


def person_of(user: AnyUser) -> Human:
    """The user as a person; USER-506 for a service user."""
    if not isinstance(user, Human):
        raise NO_PERSON.error()
    return user


def changing_human(
    name: str,
    permission: Permission,
    command: type[Command],
    *values: Value,
    find: Callable[..., Awaitable[Target[AnyUser]]] = named_user,
    **change: Unpack[Change],
) -> Operation:
    """As `changing`, for what only humans have; USER-506 for a service user."""
    return changing(name, permission, find, command, *values, of=human_of, **change)


async def org_of(call: Call[object], user: AnyUser, orgs: MongoOrgs) -> Org:
    """The user's organization."""
    org = await find_org(call.caller, user.org_id, orgs)
    if org is None:
        raise USER_NOT_FOUND.error(user=user.id)
    return org


async def login_name_of(call: Call[object], human: Human, orgs: MongoOrgs) -> str:
    """What the person signs in as, with their organization."""
    return login_name(human, await org_of(call, human, orgs))
