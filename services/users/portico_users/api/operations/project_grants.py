"""The operations on project grants."""

from __future__ import annotations

from typing import Any, Final

from portico_users.api.management_v1 import project_grants
from portico_users.api.management_v1.project_grants import made_grant, received_grant
from portico_users.api.management_v1.projects.project_targets import named_project
from portico_users.api.shared.changing import changing
from portico_users.api.transport.call import Call
from portico_users.api.transport.operation import Operation
from portico_users.api.transport.targets import own_or_named_org
from portico_users.commands.projects.project_grants import RemoveProjectGrant
from portico_users.commands.states import Deactivate, Reactivate
from portico_users.directory.grants.project_grant import ProjectGrant
from portico_users.directory.grants.project_grant_store import OfProject
from portico_users.directory.members.permissions import Permission

_OF: Final = "portico.management.v1.ProjectGrantService"
_READ: Final = Permission.PROJECT_GRANT_READ
_WRITE: Final = Permission.PROJECT_GRANT_WRITE


def _grant_of(call: Call[OfProject]) -> ProjectGrant:
    return call.target.subject.grant


PROJECT_GRANTS: Final[tuple[Operation[Any, Any, Any], ...]] = (
    Operation(f"{_OF}.AddProjectGrant", _WRITE, named_project, project_grants.add_project_grant),
    Operation(f"{_OF}.GetProjectGrantByID", _READ, made_grant, project_grants.get_project_grant_by_id),
    Operation(f"{_OF}.UpdateProjectGrant", _WRITE, made_grant, project_grants.update_project_grant),
    changing(f"{_OF}.DeactivateProjectGrant", _WRITE, made_grant, Deactivate, of=_grant_of),
    changing(f"{_OF}.ReactivateProjectGrant", _WRITE, made_grant, Reactivate, of=_grant_of),
    changing(
        f"{_OF}.RemoveProjectGrant", Permission.PROJECT_GRANT_DELETE, made_grant, RemoveProjectGrant, of=_grant_of
    ),
    Operation(f"{_OF}.ListProjectGrants", _READ, named_project, project_grants.list_project_grants),
    Operation(f"{_OF}.ListAllProjectGrants", _READ, own_or_named_org, project_grants.list_all_project_grants),
    Operation(
        f"{_OF}.ListGrantedProjects", Permission.PROJECT_READ, own_or_named_org, project_grants.list_granted_projects
    ),
    Operation(
        f"{_OF}.GetGrantedProjectByID",
        Permission.PROJECT_READ,
        received_grant,
        project_grants.get_granted_project_by_id,
    ),
    Operation(
        f"{_OF}.ListGrantedProjectRoles",
        Permission.PROJECT_ROLE_READ,
        received_grant,
        project_grants.list_granted_project_roles,
    ),
)
"""Granting is decided in the organization of the project, using what was granted in the other one."""
