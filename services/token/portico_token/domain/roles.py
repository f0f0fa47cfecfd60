"""Role claims: which roles a user was granted in a project (scope ``urn:portico:project:roles``).

Each project has a claim of its own, ``urn:portico:project:{id}:roles``. The short claim is one project's alone,
that of the application: roles of several projects under one name would let a role of one be taken for that of
another. Programs that expect a list get one under the name that the application is registered with (`rolesClaim`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from portico_contracts.users import Client
from portico_oauth.scopes import PROJECT_ROLES, project_in

RolesByProject = Mapping[str, Mapping[str, Mapping[str, str]]]
"""By project id, by role key: the organizations the role was granted by, as id to primary domain."""

_OF_PROJECT: Final = "urn:portico:project:{}:roles"


def projects_of(own_project: str, scope: Iterable[str]) -> tuple[str, ...]:
    """The projects whose roles a token may carry: the application's own, then those its scope names.

    Args:
        own_project: the application's project; empty for a service user, which has none.
    """
    named = (project for word in scope if (project := project_in(word)))
    return tuple(dict.fromkeys(project for project in (own_project, *named) if project))


def role_claims(roles: RolesByProject, projects: tuple[str, ...], own_project: str) -> dict[str, Any]:
    """The role claims of these projects; a project without roles has none.

    Args:
        own_project: the project of the short claim; for a service user, which has none, the only project named.
    """
    own_project = own_project or (projects[0] if len(projects) == 1 else "")
    claims: dict[str, Any] = {_OF_PROJECT.format(project): roles[project] for project in projects if roles.get(project)}
    if roles.get(own_project):
        claims[PROJECT_ROLES] = roles[own_project]
    return claims


def roles_list(client: Client, roles: RolesByProject, projects: tuple[str, ...]) -> dict[str, list[str]]:
    """The claim with which the application is registered to get role keys as a list; none where it has no name for it.

    The list of a user without roles is empty, so that an application that copies it takes the last role away. With several
    projects each key has its project before it.
    """
    if not client.roles_claim:
        return {}
    several = len(projects) > 1
    keys = {f"{project}:{key}" if several else key for project in projects for key in roles.get(project, {})}
    return {client.roles_claim: sorted(keys)}
