"""Which applications of an organization may use which APIs."""

from __future__ import annotations

from typing import Final

import msgspec
from portico_contracts.generated.portico.management.v1 import app_service_pb2 as pb

from portico_users.accounts.word_index import WordIndex
from portico_users.applications.api.applications import CONDITIONS, app_message
from portico_users.applications.app_record import API_APP, App
from portico_users.applications.rules import MOST_APIS, TOO_MANY_APIS
from portico_users.applications.store import REGISTERED, MongoApps
from portico_users.management_api.protobuf.listing import details_of_list, page_of, questions_of, require_words
from portico_users.management_api.protobuf.messages import message_of
from portico_users.management_api.transport.call import Call
from portico_users.organizations.org import Org
from portico_users.projects.api_queries import ApiQueries
from portico_users.projects.store import MongoProjects
from portico_users.storage.entry import NOT_DELETED

_MOST_SHOWN: Final = 200


async def list_org_apps(
    call: Call[Org], request: pb.ListOrgAppsRequest, *, apps: MongoApps, projects: MongoProjects, word_index: WordIndex
) -> pb.ListOrgAppsResponse:
    """Without the applications that documents describe: these have no settings."""
    await require_words(request.queries, word_index)
    of_org = {"orgId": call.target.subject.id, **REGISTERED}
    question = {"$and": [of_org, NOT_DELETED, *questions_of(request.queries, CONDITIONS)]}
    found = await apps.list_page(question, page_of(request.query, "nameKey"))
    ids = {app.project_id for app in found.records}
    known = {one.id: one.name for one in await projects.list_where({"_id": {"$in": sorted(ids)}, **NOT_DELETED}, None)}
    return pb.ListOrgAppsResponse(
        details=details_of_list(found.total),
        result=[
            pb.OrgApp(
                app=app_message(app, call.language), project_id=app.project_id, project_name=known[app.project_id]
            )
            for app in found.records
            if app.project_id in known
        ],
    )


async def list_app_apis(
    call: Call[App], _request: pb.ListAppAPIsRequest, *, apis: ApiQueries
) -> pb.ListAppAPIsResponse:
    found = await apis.list_usable(call.target.subject)
    return pb.ListAppAPIsResponse(
        details=details_of_list(len(found)),
        result=[
            pb.UsableAPI(
                client_id=api.client_id,
                app_id=api.id,
                name=api.name,
                project_id=project.id,
                project_name=project.name,
                org_id=org.id,
                org_name=org.name,
                resources=api.resources,
                scopes=message_of(pb.APIConfig, API_APP, api).scopes,
            )
            for api, project, org in found[:_MOST_SHOWN]
        ],
    )


def with_api(app: App, request: pb.AddAppAPIRequest) -> App:
    """Raises USER-855."""
    if request.client_id not in app.apis and len(app.apis) >= MOST_APIS:
        raise TOO_MANY_APIS.error()
    return msgspec.structs.replace(app, apis=tuple(dict.fromkeys((*app.apis, request.client_id))))


def without_api(app: App, request: pb.RemoveAppAPIRequest) -> App:
    return msgspec.structs.replace(app, apis=tuple(one for one in app.apis if one != request.client_id))
