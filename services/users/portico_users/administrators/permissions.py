"""The membership roles, and what each may do. Permissions are decided on the organization of the object (MG-01)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from portico_oauth.errors import ErrorCode, Kind

INVALID_ROLE = ErrorCode(
    "USER-040",
    Kind.INVALID_REQUEST,
    "Unknown role.",
    "Use a role that exists for the instance, for organizations or for projects.",
)


class Scope(StrEnum):
    INSTANCE = "instance"
    ORGANIZATION = "organization"
    PROJECT = "project"
    PROJECT_GRANT = "project_grant"


INSTANCE_OWNER: Final = "IAM_OWNER"
"""The role of instance administrators, with all permissions."""

ROLES: Final[dict[str, Scope]] = {
    INSTANCE_OWNER: Scope.INSTANCE,
    "IAM_OWNER_VIEWER": Scope.INSTANCE,
    "IAM_ORG_MANAGER": Scope.INSTANCE,
    "IAM_USER_MANAGER": Scope.INSTANCE,
    "IAM_LOGIN_CLIENT": Scope.INSTANCE,
    "IAM_END_USER_IMPERSONATOR": Scope.INSTANCE,
    "ORG_OWNER": Scope.ORGANIZATION,
    "ORG_OWNER_VIEWER": Scope.ORGANIZATION,
    "ORG_USER_MANAGER": Scope.ORGANIZATION,
    "ORG_SETTINGS_MANAGER": Scope.ORGANIZATION,
    "ORG_USER_PERMISSION_EDITOR": Scope.ORGANIZATION,
    "ORG_PROJECT_PERMISSION_EDITOR": Scope.ORGANIZATION,
    "ORG_PROJECT_CREATOR": Scope.ORGANIZATION,
    "ORG_USER_SELF_MANAGER": Scope.ORGANIZATION,
    "ORG_END_USER_IMPERSONATOR": Scope.ORGANIZATION,
    "PROJECT_OWNER": Scope.PROJECT,
    "PROJECT_OWNER_VIEWER": Scope.PROJECT,
    "PROJECT_GRANT_OWNER": Scope.PROJECT_GRANT,
    "PROJECT_GRANT_OWNER_VIEWER": Scope.PROJECT_GRANT,
}


def by_scope(roles: Iterable[str]) -> dict[Scope, tuple[str, ...]]:
    found: dict[Scope, set[str]] = {}
    for role in roles:
        found.setdefault(ROLES[role], set()).add(role)
    return {scope: tuple(sorted(names)) for scope, names in found.items()}


def roles_in(scope: Scope) -> tuple[str, ...]:
    return tuple(role for role, held_in in ROLES.items() if held_in is scope)


class Permission(StrEnum):
    """A permission in an organization or, if held in the instance, in all organizations."""

    IAM_READ = "iam.read"
    IAM_WRITE = "iam.write"
    IAM_POLICY_READ = "iam.policy.read"
    IAM_POLICY_WRITE = "iam.policy.write"
    IAM_POLICY_EFFECT_READ = "iam.policy.effect.read"
    IAM_IDP_READ = "iam.idp.read"
    IAM_IDP_WRITE = "iam.idp.write"
    IAM_IDP_INTENT = "iam.idp.intent"
    IAM_LOGIN = "iam.login"
    IAM_WEBHOOK_READ = "iam.webhook.read"
    IAM_WEBHOOK_WRITE = "iam.webhook.write"
    IAM_MEMBER_READ = "iam.member.read"
    IAM_MEMBER_WRITE = "iam.member.write"
    ORG_CREATE = "org.create"
    ORG_READ = "org.read"
    ORG_WRITE = "org.write"
    ORG_DELETE = "org.delete"
    ORG_IDP_READ = "org.idp.read"
    ORG_IDP_WRITE = "org.idp.write"
    ORG_SENDER_WRITE = "org.sender.write"
    ORG_SCIM_READ = "org.scim.read"
    ORG_SCIM_WRITE = "org.scim.write"
    ORG_WEBHOOK_READ = "org.webhook.read"
    ORG_WEBHOOK_WRITE = "org.webhook.write"
    ORG_MEMBER_READ = "org.member.read"
    ORG_MEMBER_WRITE = "org.member.write"
    USER_READ = "user.read"
    USER_WRITE = "user.write"
    USER_DELETE = "user.delete"
    USER_IMPERSONATE = "user.impersonate"
    USER_SELF_DELETE = "user.self.delete"
    USER_CREDENTIAL_WRITE = "user.credential.write"
    USER_PASSKEY_WRITE = "user.passkey.write"
    USER_GRANT_READ = "user.grant.read"
    USER_GRANT_WRITE = "user.grant.write"
    USER_MEMBERSHIP_READ = "user.membership.read"
    POLICY_READ = "policy.read"
    POLICY_WRITE = "policy.write"
    POLICY_EFFECT_READ = "policy.effect.read"
    PROJECT_CREATE = "project.create"
    PROJECT_READ = "project.read"
    PROJECT_WRITE = "project.write"
    PROJECT_DELETE = "project.delete"
    PROJECT_MEMBER_READ = "project.member.read"
    PROJECT_MEMBER_WRITE = "project.member.write"
    PROJECT_ROLE_READ = "project.role.read"
    PROJECT_ROLE_WRITE = "project.role.write"
    PROJECT_APP_READ = "project.app.read"
    PROJECT_APP_WRITE = "project.app.write"
    PROJECT_GRANT_READ = "project.grant.read"
    PROJECT_GRANT_WRITE = "project.grant.write"
    PROJECT_GRANT_DELETE = "project.grant.delete"
    PROJECT_GRANT_MEMBER_READ = "project.grant.member.read"
    PROJECT_GRANT_MEMBER_WRITE = "project.grant.member.write"
    SESSION_READ = "session.read"
    SESSION_DELETE = "session.delete"
    EVENTS_READ = "events.read"


def _all_of(*groups: str) -> frozenset[Permission]:
    return frozenset(one for one in Permission if one.partition(".")[0] in groups)


_EVERYTHING: Final = frozenset(Permission)
_READS: Final = frozenset(one for one in Permission if one.endswith(".read"))
# A webhook receives all changes: only callers who may read events may add one.
_OF_EVENTS: Final = frozenset({Permission.EVENTS_READ, Permission.ORG_WEBHOOK_READ, Permission.ORG_WEBHOOK_WRITE})
_OF_IMPERSONATORS: Final = frozenset({Permission.USER_IMPERSONATE})
# A sender carries the codes and links of owners, so that setting one needs all that an owner may do (decision 0109).
_OF_SENDERS: Final = frozenset({Permission.ORG_SENDER_WRITE})
_OF_ORGANIZATIONS: Final = (
    _all_of("org", "user", "policy", "project", "session")
    - {Permission.ORG_CREATE}
    - _OF_EVENTS
    - _OF_IMPERSONATORS
    - _OF_SENDERS
)
_OF_PROJECTS: Final = _all_of("project") - {Permission.PROJECT_CREATE}
_OF_GRANTED_PROJECTS: Final = frozenset(
    {
        Permission.PROJECT_READ,
        Permission.PROJECT_ROLE_READ,
        Permission.PROJECT_GRANT_MEMBER_READ,
        Permission.PROJECT_GRANT_MEMBER_WRITE,
        Permission.USER_GRANT_READ,
        Permission.USER_GRANT_WRITE,
    }
)
_OF_USERS: Final = (_all_of("user") - _OF_IMPERSONATORS) | {Permission.SESSION_READ, Permission.SESSION_DELETE}
_ORG_READS: Final = _READS - _all_of("iam", "events")

PERMISSIONS: Final[dict[str, frozenset[Permission]]] = {
    "IAM_OWNER": _EVERYTHING,
    "IAM_OWNER_VIEWER": _READS,
    "IAM_ORG_MANAGER": _OF_ORGANIZATIONS | {Permission.ORG_CREATE},
    "IAM_USER_MANAGER": _OF_USERS | {Permission.ORG_READ},
    # For custom login pages: sign-ins, intents and login settings. Reading and changing users needs a further role, and
    # so does reading whom the settings affect.
    "IAM_LOGIN_CLIENT": frozenset(
        {Permission.IAM_LOGIN, Permission.IAM_IDP_INTENT, Permission.IAM_POLICY_READ, Permission.POLICY_READ}
    ),
    # Only for users without permissions: no administrator acts for a user who may do more (decision 0012).
    "IAM_END_USER_IMPERSONATOR": _OF_IMPERSONATORS,
    "ORG_END_USER_IMPERSONATOR": _OF_IMPERSONATORS,
    "ORG_OWNER": _OF_ORGANIZATIONS | _OF_EVENTS | _OF_IMPERSONATORS | _OF_SENDERS,
    "ORG_OWNER_VIEWER": _ORG_READS,
    "ORG_USER_MANAGER": _OF_USERS
    | {
        Permission.ORG_READ,
        Permission.POLICY_READ,
        Permission.POLICY_EFFECT_READ,
        Permission.PROJECT_READ,
        Permission.PROJECT_ROLE_READ,
    },
    "ORG_SETTINGS_MANAGER": frozenset(
        {
            Permission.ORG_READ,
            Permission.ORG_WRITE,
            Permission.ORG_IDP_READ,
            Permission.ORG_IDP_WRITE,
            Permission.POLICY_READ,
            Permission.POLICY_WRITE,
            Permission.POLICY_EFFECT_READ,
        }
    ),
    "ORG_USER_PERMISSION_EDITOR": frozenset(
        {
            Permission.ORG_READ,
            Permission.USER_READ,
            Permission.USER_GRANT_READ,
            Permission.USER_GRANT_WRITE,
            Permission.PROJECT_READ,
            Permission.PROJECT_ROLE_READ,
        }
    ),
    "ORG_PROJECT_PERMISSION_EDITOR": frozenset(
        {
            Permission.ORG_READ,
            Permission.PROJECT_READ,
            Permission.PROJECT_ROLE_READ,
            Permission.PROJECT_GRANT_READ,
            Permission.PROJECT_GRANT_WRITE,
            Permission.PROJECT_GRANT_DELETE,
            Permission.PROJECT_GRANT_MEMBER_READ,
        }
    ),
    "ORG_PROJECT_CREATOR": frozenset({Permission.ORG_READ, Permission.PROJECT_READ, Permission.PROJECT_CREATE}),
    "ORG_USER_SELF_MANAGER": frozenset({Permission.USER_SELF_DELETE}),
    "PROJECT_OWNER": _OF_PROJECTS,
    "PROJECT_OWNER_VIEWER": _OF_PROJECTS & _READS,
    "PROJECT_GRANT_OWNER": _OF_GRANTED_PROJECTS,
    "PROJECT_GRANT_OWNER_VIEWER": _OF_GRANTED_PROJECTS & _READS,
}


def permissions_of(*roles: str) -> frozenset[Permission]:
    """Unknown roles, from newer releases, grant nothing."""
    return frozenset().union(*(PERMISSIONS[role] for role in roles if role in ROLES))
