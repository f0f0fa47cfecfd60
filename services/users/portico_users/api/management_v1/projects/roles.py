"""The roles of a project: add, list, change, remove."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from portico_contracts.generated.portico.management.v1 import project_service_pb2 as pb
from portico_contracts.generated.portico.v1.object_pb2 import ListQuery

from portico_users.api.shared.details import details_of
from portico_users.api.shared.listing import details_of_list, meets, page_out_of, text_condition
from portico_users.api.shared.messages import MessageValues, message_of
from portico_users.api.transport.call import Call
from portico_users.directory.projects.project import ROLE_FIELDS, Project, ProjectRole


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
            message_of(pb.ProjectRole, ROLE_FIELDS, role, key=role.key, details=details)
            for role in page_out_of(found, query)
        ],
    )


AnyRole = pb.NewProjectRole | pb.AddProjectRoleRequest | pb.UpdateProjectRoleRequest


def role_of(named: AnyRole) -> ProjectRole:
    """The role a message describes."""
    return ROLE_FIELDS.new(MessageValues(named))


def roles_of(request: pb.BulkAddProjectRolesRequest) -> list[ProjectRole]:
    """The roles of a request."""
    return [role_of(named) for named in request.roles]


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
