"""Role claims: a user's roles in projects (scope ``urn:portico:project:roles``).

Each project has its own claim, ``urn:portico:project:{id}:roles``; the short claim has only the application's
project: roles of several projects under one name could be confused. Applications that expect a list get one
under their registered claim name (`rolesClaim`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from portico_contracts.users import Client
from portico_oauth.scopes import PROJECT_ROLES, projects_in

RolesByProject = Mapping[str, Mapping[str, Mapping[str, str]]]
"""By project id and role key: the granting organizations, as id to primary domain."""

_OF_PROJECT: Final = "urn:portico:project:{}:roles"


def projects_of(own_project: str, scope: tuple[str, ...]) -> tuple[str, ...]:
    """The application's own project (empty for a service user), then those named by the scope."""
    return tuple(dict.fromkeys(filter(None, (own_project, *projects_in(scope).values()))))


def role_claims(roles: RolesByProject, projects: tuple[str, ...], own_project: str) -> dict[str, Any]:
    """The short claim has `own_project`'s roles; without one, those of the only project named."""
    own_project = own_project or (projects[0] if len(projects) == 1 else "")
    claims: dict[str, Any] = {_OF_PROJECT.format(project): roles[project] for project in projects if roles.get(project)}
    if roles.get(own_project):
        claims[PROJECT_ROLES] = roles[own_project]
    return claims


def roles_list(client: Client, roles: RolesByProject, projects: tuple[str, ...]) -> dict[str, list[str]]:
    """The registered claim; empty without a registered name or a project. With several projects, keys have the project as prefix.

    The list of a user without roles is empty, so that an application that copies it removes the last role.
    """
    if not client.roles_claim or not projects:
        return {}
    several = len(projects) > 1
    keys = {f"{project}:{key}" if several else key for project in projects for key in roles.get(project, {})}
    return {client.roles_claim: sorted(keys)}
