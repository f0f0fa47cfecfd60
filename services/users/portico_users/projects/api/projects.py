"""Projects and their roles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from portico_contracts.generated.portico.management.v1 import project_service_pb2 as pb
from portico_contracts.generated.portico.v1.object_pb2 import ListQuery
from portico_contracts.users import AuthMethod, ClientKind

from portico_users.accounts.word_index import WordIndex
from portico_users.administrators.permissions import Permission
from portico_users.applications.app_record import API_APP, OIDC_APP, App
from portico_users.management_api.protobuf.details import changed_details_of, details_of
from portico_users.management_api.protobuf.listing import (
    by_text,
    by_words,
    details_of_list,
    meets,
    page_of,
    page_out_of,
    questions_of,
    require_words,
    text_condition,
)
from portico_users.management_api.protobuf.messages import MessageValues, message_of
from portico_users.management_api.protobuf.places import at_places
from portico_users.management_api.transport.call import Call
from portico_users.organizations.org import Org
from portico_users.projects.commands import AddProject, SetUpProject
from portico_users.projects.project import PROJECT_FIELDS, ROLE_FIELDS, Project, ProjectRole
from portico_users.projects.store import MongoProjects
from portico_users.storage.entry import NOT_DELETED

_CONDITIONS: Final = {"name_query": by_text("name", "name"), "words_query": by_words}


async def add_project(call: Call[Org], request: pb.AddProjectRequest, *, add: AddProject) -> pb.AddProjectResponse:
    org_id, caller = call.target.org_id, call.caller
    project = with_settings(Project(id="", org_id=org_id, name=request.name), request)
    record = await add(project, owner_id=_owner_of(call), actor=caller.user_id)
    return pb.AddProjectResponse(id=record.id, details=changed_details_of(record))


async def set_up_project(
    call: Call[Org], request: pb.SetUpProjectRequest, *, set_up: SetUpProject
) -> pb.SetUpProjectResponse:
    org_id, caller = call.target.org_id, call.caller
    wanted = request.oidc_app if request.HasField("oidc_app") else request.api_app
    is_api = isinstance(wanted, pb.SetUpProjectRequest.APIApp)
    app = App(
        id="",
        org_id=org_id,
        project_id="",
        name=wanted.name,
        client_id="",
        kind=ClientKind.API if is_api else ClientKind.OIDC,
        auth_method=AuthMethod.CLIENT_SECRET_BASIC,
    )
    app = (API_APP if is_api else OIDC_APP).changed(app, MessageValues(wanted))
    with at_places(((r"app\.(.+)", rf"{'apiApp' if is_api else 'oidcApp'}.\1"),)):
        project, created, secret = await set_up(
            Project(id="", org_id=org_id, name=request.name), app, owner_id=_owner_of(call), actor=caller.user_id
        )
    return pb.SetUpProjectResponse(
        id=project.id,
        details=changed_details_of(project),
        app_id=created.id,
        client_id=created.client_id,
        client_secret=secret,
    )


def _owner_of(call: Call[Org]) -> str:
    """Callers who may only create projects become their owners."""
    return "" if call.caller.may(Permission.PROJECT_WRITE, call.target.org_id) else call.caller.user_id


async def get_project_by_id(call: Call[Project], _request: pb.GetProjectByIDRequest) -> pb.GetProjectByIDResponse:
    return pb.GetProjectByIDResponse(project=_project_message(call.target.subject))


async def list_projects(
    call: Call[Org], request: pb.ListProjectsRequest, *, projects: MongoProjects, word_index: WordIndex
) -> pb.ListProjectsResponse:
    await require_words(request.queries, word_index)
    question = {"$and": [{"orgId": call.target.org_id}, NOT_DELETED, *questions_of(request.queries, _CONDITIONS)]}
    found = await projects.list_page(question, page_of(request.query, "nameKey"))
    return pb.ListProjectsResponse(
        details=details_of_list(found.total), result=[_project_message(project) for project in found.records]
    )


Settings = pb.AddProjectRequest | pb.UpdateProjectRequest | pb.SetProjectClaimRulesRequest


def with_settings(project: Project, request: Settings) -> Project:
    return PROJECT_FIELDS.changed(project, MessageValues(request))


def _project_message(project: Project) -> pb.Project:
    return message_of(pb.Project, PROJECT_FIELDS, project, id=project.id, details=details_of(project))


async def list_project_roles(call: Call[Project], request: pb.ListProjectRolesRequest) -> pb.ListProjectRolesResponse:
    return listed_roles(call.target.subject, request.query, request.queries)


def listed_roles(
    project: Project, query: ListQuery, queries: Sequence[pb.ProjectRoleQuery]
) -> pb.ListProjectRolesResponse:
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
    return ROLE_FIELDS.new(MessageValues(named))


def roles_of(request: pb.BulkAddProjectRolesRequest) -> list[ProjectRole]:
    return [role_of(named) for named in request.roles]


def _meets(query: pb.ProjectRoleQuery, role: ProjectRole) -> bool:
    return _ROLE_CONDITIONS[query.WhichOneof("query") or ""](query, role)


def _key(query: pb.ProjectRoleQuery, role: ProjectRole) -> bool:
    return meets(text_condition("key", query.key_query.key, query.key_query.method), role.key)


def _display_name(query: pb.ProjectRoleQuery, role: ProjectRole) -> bool:
    wanted = query.display_name_query
    return meets(text_condition("displayName", wanted.display_name, wanted.method), role.display_name)


_ROLE_CONDITIONS: Final[dict[str, Callable[[pb.ProjectRoleQuery, ProjectRole], bool]]] = {
    "key_query": _key,
    "display_name_query": _display_name,
}
