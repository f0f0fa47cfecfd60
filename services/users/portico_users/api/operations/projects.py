"""The operations on projects and their roles."""

from __future__ import annotations

from typing import Any, Final

from portico_users.api.management_v1.projects import projects, roles
from portico_users.api.management_v1.projects.project_targets import named_project
from portico_users.api.shared.changing import changing
from portico_users.api.transport.operation import Operation
from portico_users.api.transport.targets import own_or_named_org
from portico_users.commands.projects.project_roles import AddProjectRoles, RemoveProjectRole, UpdateProjectRole
from portico_users.commands.projects.projects import RemoveProject, UpdateProject
from portico_users.commands.states import Deactivate, Reactivate
from portico_users.directory.members.permissions import Permission

_OF: Final = "portico.management.v1.ProjectService"

PROJECTS: Final[tuple[Operation[Any, Any, Any], ...]] = (
    Operation(f"{_OF}.AddProject", Permission.PROJECT_CREATE, own_or_named_org, projects.add_project),
    Operation(f"{_OF}.GetProjectByID", Permission.PROJECT_READ, named_project, projects.get_project_by_id),
    changing(
        f"{_OF}.UpdateProject", Permission.PROJECT_WRITE, named_project, UpdateProject, after=projects.with_settings
    ),
    changing(f"{_OF}.DeactivateProject", Permission.PROJECT_WRITE, named_project, Deactivate),
    changing(f"{_OF}.ReactivateProject", Permission.PROJECT_WRITE, named_project, Reactivate),
    changing(f"{_OF}.RemoveProject", Permission.PROJECT_DELETE, named_project, RemoveProject),
    Operation(f"{_OF}.ListProjects", Permission.PROJECT_READ, own_or_named_org, projects.list_projects),
    changing(
        f"{_OF}.AddProjectRole",
        Permission.PROJECT_ROLE_WRITE,
        named_project,
        AddProjectRoles,
        roles.role_of,
        act=AddProjectRoles.add_one,
    ),
    changing(
        f"{_OF}.BulkAddProjectRoles", Permission.PROJECT_ROLE_WRITE, named_project, AddProjectRoles, roles.roles_of
    ),
    changing(
        f"{_OF}.UpdateProjectRole", Permission.PROJECT_ROLE_WRITE, named_project, UpdateProjectRole, roles.role_of
    ),
    changing(f"{_OF}.RemoveProjectRole", Permission.PROJECT_ROLE_WRITE, named_project, RemoveProjectRole, "role_key"),
    Operation(f"{_OF}.ListProjectRoles", Permission.PROJECT_ROLE_READ, named_project, roles.list_project_roles),
)
