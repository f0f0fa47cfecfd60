"""The permissions of each membership role, repeated next to the code: a change needs two edits (MG-01)."""

from __future__ import annotations

from portico_users.administrators.permissions import ROLES, Permission, permissions_of
from portico_users.management_api.all_operations import OPERATIONS

WRITTEN = {
    "IAM_OWNER": (
        "events.read iam.idp.intent iam.idp.read iam.idp.write iam.login iam.member.read iam.member.write iam.policy.effect.read iam.policy.read "
        "iam.policy.write iam.read iam.webhook.read iam.webhook.write iam.write org.create org.delete "
        "org.idp.read org.idp.write org.member.read org.member.write org.read org.scim.read org.scim.write org.sender.write org.webhook.read "
        "org.webhook.write org.write policy.effect.read policy.read policy.write project.app.read project.app.write "
        "project.create project.delete project.grant.delete project.grant.member.read "
        "project.grant.member.write project.grant.read project.grant.write project.member.read "
        "project.member.write project.read project.role.read project.role.write project.write session.delete "
        "session.read user.credential.write user.delete user.grant.read user.grant.write user.impersonate user.membership.read "
        "user.passkey.write user.read user.self.delete user.write"
    ),
    "IAM_OWNER_VIEWER": (
        "events.read iam.idp.read iam.member.read iam.policy.effect.read iam.policy.read iam.read iam.webhook.read org.idp.read "
        "org.member.read org.read org.scim.read org.webhook.read policy.effect.read policy.read project.app.read project.grant.member.read "
        "project.grant.read project.member.read project.read project.role.read session.read user.grant.read "
        "user.membership.read user.read"
    ),
    "IAM_ORG_MANAGER": (
        "org.create org.delete org.idp.read org.idp.write org.member.read org.member.write org.read org.scim.read org.scim.write org.write "
        "policy.effect.read policy.read policy.write project.app.read project.app.write project.create project.delete "
        "project.grant.delete project.grant.member.read project.grant.member.write project.grant.read "
        "project.grant.write project.member.read project.member.write project.read project.role.read "
        "project.role.write project.write session.delete session.read user.credential.write user.delete "
        "user.grant.read user.grant.write user.membership.read user.passkey.write user.read user.self.delete "
        "user.write"
    ),
    "IAM_USER_MANAGER": (
        "org.read session.delete session.read user.credential.write user.delete user.grant.read "
        "user.grant.write user.membership.read user.passkey.write user.read user.self.delete user.write"
    ),
    "IAM_LOGIN_CLIENT": "iam.idp.intent iam.login iam.policy.read policy.read",
    "IAM_END_USER_IMPERSONATOR": "user.impersonate",
    "ORG_OWNER": (
        "events.read org.delete org.idp.read org.idp.write org.member.read org.member.write org.read org.scim.read org.scim.write org.sender.write "
        "org.webhook.read org.webhook.write org.write policy.effect.read policy.read policy.write project.app.read "
        "project.app.write project.create project.delete project.grant.delete project.grant.member.read "
        "project.grant.member.write project.grant.read project.grant.write project.member.read "
        "project.member.write project.read project.role.read project.role.write project.write session.delete "
        "session.read user.credential.write user.delete user.grant.read user.grant.write user.impersonate "
        "user.membership.read user.passkey.write user.read user.self.delete user.write"
    ),
    "ORG_OWNER_VIEWER": (
        "org.idp.read org.member.read org.read org.scim.read org.webhook.read policy.effect.read policy.read project.app.read "
        "project.grant.member.read project.grant.read project.member.read project.read project.role.read "
        "session.read user.grant.read user.membership.read user.read"
    ),
    "ORG_USER_MANAGER": (
        "org.read policy.effect.read policy.read project.read project.role.read session.delete session.read "
        "user.credential.write user.delete user.grant.read user.grant.write user.membership.read "
        "user.passkey.write user.read user.self.delete user.write"
    ),
    "ORG_SETTINGS_MANAGER": "org.idp.read org.idp.write org.read org.write policy.effect.read policy.read policy.write",
    "ORG_USER_PERMISSION_EDITOR": (
        "org.read project.read project.role.read user.grant.read user.grant.write user.read"
    ),
    "ORG_PROJECT_PERMISSION_EDITOR": (
        "org.read project.grant.delete project.grant.member.read project.grant.read project.grant.write "
        "project.read project.role.read"
    ),
    "ORG_PROJECT_CREATOR": "org.read project.create project.read",
    "ORG_USER_SELF_MANAGER": "user.self.delete",
    "ORG_END_USER_IMPERSONATOR": "user.impersonate",
    "PROJECT_OWNER": (
        "project.app.read project.app.write project.delete project.grant.delete project.grant.member.read "
        "project.grant.member.write project.grant.read project.grant.write project.member.read "
        "project.member.write project.read project.role.read project.role.write project.write"
    ),
    "PROJECT_OWNER_VIEWER": (
        "project.app.read project.grant.member.read project.grant.read project.member.read project.read "
        "project.role.read"
    ),
    "PROJECT_GRANT_OWNER": (
        "project.grant.member.read project.grant.member.write project.read project.role.read user.grant.read "
        "user.grant.write"
    ),
    "PROJECT_GRANT_OWNER_VIEWER": "project.grant.member.read project.read project.role.read user.grant.read",
}
"""By role: the permissions, sorted and separated by spaces."""


def test_role_permissions_are_as_listed() -> None:
    """A permission that a role gains or loses by accident is detected, however the table is computed (MG-01)."""
    for role, written in WRITTEN.items():
        assert " ".join(sorted(permissions_of(role))) == written, role


def test_every_role_is_listed() -> None:
    """A new role must be considered here before it can be granted."""
    assert set(WRITTEN) == set(ROLES)


def test_login_client_begins_sign_ins_and_reads_rules() -> None:
    """The role is for programs that show login pages, which need to know neither users nor applications."""
    held = permissions_of("IAM_LOGIN_CLIENT")
    methods = {one.name.rpartition(".")[2] for one in OPERATIONS if one.permission in held}
    read = {name for name in methods if name.startswith("Get") and name.endswith("Policy")}

    assert methods - read == {
        "StartIdentityProviderIntent",
        "RetrieveIdentityProviderIntent",
        "ListLoginPolicyIDPs",
        "ListLoginPolicySecondFactors",
        "ListLoginPolicyMultiFactors",
    }


def test_users_are_listed_by_group_by_administrators_of_groups_only() -> None:
    """A list of users by group shows who belongs to it."""
    for role in ROLES:
        held = permissions_of(role)
        assert Permission.USER_READ not in held or Permission.USER_GRANT_READ in held, role
