from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
from portico_contracts import apply as document
from portico_contracts.apply import PrivateLabelingSetting
from portico_contracts.users import PrivateLabeling

from portico_users.projects.claim_rules import CLAIM_RULES, ClaimRule
from portico_users.values.fields import STATE, Field, Fields, Words
from portico_users.values.records import Record, State


class ProjectRole(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    key: str
    display_name: str = ""
    group: str = ""


class Project(Record, frozen=True, kw_only=True):
    """A project of an organization.

    Attributes:
        project_role_assertion: userinfo and introspection always include the user's roles.
        project_role_check: sign-in requires a role in the project.
        has_project_check: sign-in requires that the user's organization owns the project or was granted it.
        private_labeling: whose branding the login pages of its applications use.
        claim_rules: of all its applications; those of an application replace them.
    """

    name: str
    project_role_assertion: bool = False
    project_role_check: bool = False
    has_project_check: bool = False
    private_labeling: PrivateLabeling = PrivateLabeling.UNSPECIFIED
    roles: tuple[ProjectRole, ...] = ()
    claim_rules: tuple[ClaimRule, ...] = ()


ROLE_FIELDS: Final = Fields(ProjectRole, document.Role, (Field("key", "role_key"),))
PROJECT_FIELDS: Final = Fields(
    Project,
    document.Project,
    (
        STATE,
        CLAIM_RULES,
        Field(
            "private_labeling",
            "private_labeling_setting",
            Words(
                {
                    PrivateLabelingSetting.UNSPECIFIED: PrivateLabeling.UNSPECIFIED,
                    PrivateLabelingSetting.ENFORCE_PROJECT: PrivateLabeling.PROJECT,
                    PrivateLabelingSetting.ALLOW_LOGIN_USER: PrivateLabeling.USER,
                }
            ),
        ),
    ),
    hidden=("roles",),
)


def known_roles(project: Project | None, org_id: str) -> frozenset[str]:
    """Returns the keys of the roles that a project of the organization has; none of a removed project."""
    if project is None or project.org_id != org_id or project.state is State.DELETED:
        return frozenset()
    return frozenset(role.key for role in project.roles)


def with_roles(stored: Iterable[ProjectRole], wanted: Iterable[ProjectRole]) -> tuple[ProjectRole, ...]:
    roles = {role.key: role for role in (*stored, *wanted)}
    return tuple(roles[key] for key in sorted(roles))


PRIVATE_LABELING: Final = {
    PrivateLabelingSetting.UNSPECIFIED: PrivateLabeling.UNSPECIFIED,
    PrivateLabelingSetting.ENFORCE_PROJECT: PrivateLabeling.PROJECT,
    PrivateLabelingSetting.ALLOW_LOGIN_USER: PrivateLabeling.USER,
}
