"""The only place that decides on permissions (MG-01, MG-04, MG-06)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol

from portico_contracts.console import OWN_APPLICATIONS
from portico_oauth.errors import ErrorCode, Kind

from portico_users.administrators.member import Member, MemberScope, MongoMembers
from portico_users.administrators.permissions import ROLES, Permission
from portico_users.management_api.transport.call import Call, Target
from portico_users.management_api.transport.caller import Caller, caller_of
from portico_users.organizations.org import Org

NOT_PERMITTED = ErrorCode(
    "USER-312",
    Kind.PERMISSION_DENIED,
    "Permission denied: {named} is required.",
    "Ask an owner of the organization for a role with this permission.",
)


_WRITES: Final = frozenset(one for one in Permission if not one.endswith(".read"))


def decide(caller: Caller, permission: Permission | None, target: Target[object], *, own: bool | Permission) -> None:
    """Returns if the call is permitted; ``own`` permits it for users' own objects, or names the permission for them.

    Raises USER-312 only if the caller may know that the object exists, otherwise the error for an unknown object.
    """
    # Changing the redirect URI or key of the console, or of another application with management access, would give access
    # to every organization.
    if (target.of_owners or target.project_id == OWN_APPLICATIONS) and permission in _WRITES:
        permission = Permission.IAM_WRITE
    if permission is None or caller.may(permission, target.org_id, target.project_id):
        return
    allowed = caller.may(own, target.org_id) if isinstance(own, Permission) else own
    if allowed and target.user_id == caller.user_id:
        return
    # Callers without a role in the organization must not learn which objects exist there.
    raise (NOT_PERMITTED if caller.knows(target.org_id, target.project_id) else target.absent).error(
        named=permission, permission=permission
    )


MORE_POWERFUL = ErrorCode(
    "USER-712",
    Kind.PERMISSION_DENIED,
    "You cannot change a user who has more permissions than you.",
    "Ask an administrator who has at least the roles of this user.",
)

MORE_THAN_OWN = ErrorCode(
    "USER-737",
    Kind.PERMISSION_DENIED,
    "This role allows more than your own roles do.",
    "Ask an administrator whose roles allow at least as much.",
)

OVER_USERS: Final = frozenset(
    {Permission.USER_WRITE, Permission.USER_DELETE, Permission.USER_CREDENTIAL_WRITE, Permission.USER_PASSKEY_WRITE}
)
"""Permissions that allow taking over an account: set the password, remove the second factor, read codes."""


class GivesRoles(Protocol):
    roles: Iterable[str]


async def require_covered(call: Call[object], members: MongoMembers) -> None:
    """Returns if the caller has all permissions of the target user, or is that user; otherwise raises USER-712."""
    user_id = call.target.user_id
    if user_id in ("", call.caller.user_id):
        return
    memberships = await members.list_of_user(user_id)
    if not call.caller.covers(caller_of(user_id, call.target.org_id, memberships)):
        raise MORE_POWERFUL.error(user=user_id)


async def require_instance_roles_covered(call: Call[Org], members: MongoMembers) -> None:
    """Requires all permissions that roles in the instance give users of the organization; otherwise raises USER-712.

    Roles in organizations and projects do not count: an IAM_ORG_MANAGER may deactivate any ordinary organization.
    """
    for member in await members.list_in_instance(call.target.org_id):
        if not call.caller.covers(caller_of("", "", [member])):
            raise MORE_POWERFUL.error(user=member.user_id)


def require_roles_covered(call: Call[MemberScope], request: GivesRoles) -> None:
    """Requires all permissions of the requested roles. Unknown roles pass; the command refuses them."""
    scope = call.target.subject
    roles = tuple(role for role in request.roles if ROLES.get(role) is scope.kind)
    given = Member(id="", org_id=scope.org_id, user_id="", scope=scope.kind, scope_id=scope.id, roles=roles)
    if not call.caller.covers(caller_of("", "", [given])):
        raise MORE_THAN_OWN.error(roles=" ".join(roles))
