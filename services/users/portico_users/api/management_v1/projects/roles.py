"""The roles of a project: add, list, change, remove."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from portico_contracts.generated.portico.management.v1 import project_service_pb2 as pb
from portico_contracts.generated.portico.v1.object_pb2 import ListQuery

from portico_users.api.shared.committing import commit, finish
from portico_users.api.shared.details import changed_details_of, details_of
from portico_users.api.shared.listing import details_of_list, meets, page_out_of, text_condition
from portico_users.api.transport.call import Call
from portico_users.directory.accounts.role_constraints import given_in_project
from portico_users.directory.projects.changes import put_project
from portico_users.directory.projects.project import Project, ProjectRole
from portico_users.directory.projects.role_changes import with_changed_role, with_new_roles, without_role
from portico_users.kernel.states import refuse_unchanged


async def add_project_role(call: Call[Project], request: pb.AddProjectRoleRequest) -> pb.AddProjectRoleResponse:
    """Adds a role; USER-703 for a key the project has."""
    record = await _add(call, [_role(request.role_key, request)], "")
    return pb.AddProjectRoleResponse(details=changed_details_of(record))


async def bulk_add_project_roles(
    call: Call[Project], request: pb.BulkAddProjectRolesRequest
) -> pb.BulkAddProjectRolesResponse:
    """Adds all roles or none; USER-703 for a key the project has, or that stands there twice."""
    record = await _add(call, [_role(role.role_key, role) for role in request.roles], "roles[{number}]")
    return pb.BulkAddProjectRolesResponse(details=changed_details_of(record))


async def update_project_role(
    call: Call[Project], request: pb.UpdateProjectRoleRequest
) -> pb.UpdateProjectRoleResponse:
    """Replaces what a role is called; USER-704 for an unknown one, USER-702 when nothing would change."""
    before = call.target.subject
    after = with_changed_role(before, _role(request.role_key, request))
    refuse_unchanged(before, after)
    record = await commit(call, put_project(before, after))
    return pb.UpdateProjectRoleResponse(details=changed_details_of(record))


async def remove_project_role(
    call: Call[Project], request: pb.RemoveProjectRoleRequest
) -> pb.RemoveProjectRoleResponse:
    """Removes a role, and takes it from all who have it.

    Raises:
        ServiceError: USER-704 for an unknown one. USER-910 when it is removed, but stands with more users than one call can
            write: another one goes on.
    """
    before = call.target.subject
    known = any(role.key == request.role_key for role in before.roles)
    if not known and await finish(call, given_in_project(before.id, (request.role_key,))):
        return pb.RemoveProjectRoleResponse(details=changed_details_of(before))
    record = await commit(call, put_project(before, without_role(before, request.role_key)))
    return pb.RemoveProjectRoleResponse(details=changed_details_of(record))


async def list_project_roles(call: Call[Project], request: pb.ListProjectRolesRequest) -> pb.ListProjectRolesResponse:
    """A page of the roles, by key."""
    return listed_roles(call.target.subject, request.query, request.queries)


def listed_roles(
    project: Project, query: ListQuery, queries: Sequence[pb.ProjectRoleQuery]
) -> pb.ListProjectRolesResponse:
    """A page of the roles of a project that meet all conditions."""
    found = [role for role in project.roles if all(_meets(condition, role) for condition in queries)]
    details = details_of(project)
    return pb.ListProjectRolesResponse(
        details=details_of_list(len(found)),
        result=[
            pb.ProjectRole(key=role.key, details=details, display_name=role.display_name, group=role.group)
            for role in page_out_of(found, query)
        ],
    )


async def _add(call: Call[Project], roles: list[ProjectRole], path: str) -> Project:
    before = call.target.subject
    return await commit(call, put_project(before, with_new_roles(before, roles, path)))


def _role(key: str, named: pb.NewProjectRole | pb.AddProjectRoleRequest | pb.UpdateProjectRoleRequest) -> ProjectRole:
    return ProjectRole(key=key, display_name=named.display_name, group=named.group)


def _meets(query: pb.ProjectRoleQuery, role: ProjectRole) -> bool:
    return _CONDITIONS[query.WhichOneof("query") or ""](query, role)


def _key(query: pb.ProjectRoleQuery, role: ProjectRole) -> bool:
    return meets(text_condition("key", query.key_query.key, query.key_query.method), role.key)


def _display_name(query: pb.ProjectRoleQuery, role: ProjectRole) -> bool:
    wanted = query.display_name_query
    return meets(text_condition("displayName", wanted.display_name, wanted.method), role.display_name)


_CONDITIONS: Final[dict[str, Callable[[pb.ProjectRoleQuery, ProjectRole], bool]]] = {
    "key_query": _key,
    "display_name_query": _display_name,
}
