"""The operations on projects, their roles, and their grants to other organizations."""

from __future__ import annotations

from typing import Final

from portico_users.administrators.permissions import Permission
from portico_users.management_api.protobuf.changing import changing
from portico_users.management_api.transport.call import Call
from portico_users.management_api.transport.operation import Operation
from portico_users.management_api.transport.targets import own_or_named_org
from portico_users.projects.api import project_grants, projects
from portico_users.projects.commands import (
    AddProjectRoles,
    RemoveProject,
    RemoveProjectGrant,
    RemoveProjectRole,
    UpdateProject,
    UpdateProjectRole,
)
from portico_users.projects.project_grants import OfProject, ProjectGrant
from portico_users.projects.targets import keep_console, made_grant, named_project, project_to_remove, received_grant
from portico_users.states import Deactivate, Reactivate

_OF: Final = "portico.management.v1.ProjectService"

PROJECTS: Final[tuple[Operation, ...]] = (
    Operation(f"{_OF}.AddProject", Permission.PROJECT_CREATE, own_or_named_org, projects.add_project),
    Operation(f"{_OF}.SetUpProject", Permission.PROJECT_CREATE, own_or_named_org, projects.set_up_project),
    Operation(f"{_OF}.GetProjectByID", Permission.PROJECT_READ, named_project, projects.get_project_by_id),
    changing(
        f"{_OF}.UpdateProject", Permission.PROJECT_WRITE, named_project, UpdateProject, after=projects.with_settings
    ),
    changing(
        f"{_OF}.SetProjectClaimRules",
        Permission.PROJECT_WRITE,
        named_project,
        UpdateProject,
        after=projects.with_settings,
    ),
    changing(f"{_OF}.DeactivateProject", Permission.PROJECT_WRITE, named_project, Deactivate, guard=keep_console),
    changing(f"{_OF}.ReactivateProject", Permission.PROJECT_WRITE, named_project, Reactivate),
    changing(f"{_OF}.RemoveProject", Permission.PROJECT_DELETE, project_to_remove, RemoveProject, guard=keep_console),
    Operation(f"{_OF}.ListProjects", Permission.PROJECT_READ, own_or_named_org, projects.list_projects),
    changing(
        f"{_OF}.AddProjectRole",
        Permission.PROJECT_ROLE_WRITE,
        named_project,
        AddProjectRoles,
        projects.role_of,
        act=AddProjectRoles.add_one,
        changes_part=True,
    ),
    changing(
        f"{_OF}.BulkAddProjectRoles",
        Permission.PROJECT_ROLE_WRITE,
        named_project,
        AddProjectRoles,
        projects.roles_of,
        changes_part=True,
    ),
    changing(
        f"{_OF}.UpdateProjectRole",
        Permission.PROJECT_ROLE_WRITE,
        named_project,
        UpdateProjectRole,
        projects.role_of,
        changes_part=True,
    ),
    changing(
        f"{_OF}.RemoveProjectRole",
        Permission.PROJECT_ROLE_WRITE,
        named_project,
        RemoveProjectRole,
        "role_key",
        changes_part=True,
    ),
    Operation(f"{_OF}.ListProjectRoles", Permission.PROJECT_ROLE_READ, named_project, projects.list_project_roles),
)


_PROJECT_GRANTS: Final = "portico.management.v1.ProjectGrantService"
_READ: Final = Permission.PROJECT_GRANT_READ
_WRITE: Final = Permission.PROJECT_GRANT_WRITE


def _grant_of(call: Call[OfProject]) -> ProjectGrant:
    return call.target.subject.grant


PROJECT_GRANTS: Final[tuple[Operation, ...]] = (
    Operation(f"{_PROJECT_GRANTS}.AddProjectGrant", _WRITE, named_project, project_grants.add_project_grant),
    Operation(f"{_PROJECT_GRANTS}.GetProjectGrantByID", _READ, made_grant, project_grants.get_project_grant_by_id),
    Operation(f"{_PROJECT_GRANTS}.UpdateProjectGrant", _WRITE, made_grant, project_grants.update_project_grant),
    changing(f"{_PROJECT_GRANTS}.DeactivateProjectGrant", _WRITE, made_grant, Deactivate, of=_grant_of),
    changing(f"{_PROJECT_GRANTS}.ReactivateProjectGrant", _WRITE, made_grant, Reactivate, of=_grant_of),
    changing(
        f"{_PROJECT_GRANTS}.RemoveProjectGrant",
        Permission.PROJECT_GRANT_DELETE,
        made_grant,
        RemoveProjectGrant,
        of=_grant_of,
    ),
    Operation(f"{_PROJECT_GRANTS}.ListProjectGrants", _READ, named_project, project_grants.list_project_grants),
    Operation(
        f"{_PROJECT_GRANTS}.ListAllProjectGrants", _READ, own_or_named_org, project_grants.list_all_project_grants
    ),
    Operation(
        f"{_PROJECT_GRANTS}.ListGrantedProjects",
        Permission.PROJECT_READ,
        own_or_named_org,
        project_grants.list_granted_projects,
    ),
    Operation(
        f"{_PROJECT_GRANTS}.GetGrantedProjectByID",
        Permission.PROJECT_READ,
        received_grant,
        project_grants.get_granted_project_by_id,
    ),
    Operation(
        f"{_PROJECT_GRANTS}.ListGrantedProjectRoles",
        Permission.PROJECT_ROLE_READ,
        received_grant,
        project_grants.list_granted_project_roles,
    ),
)
"""Making a grant needs permissions in the project's organization; using it, in the receiving organization."""
