"""The applications that requests name."""

from __future__ import annotations

from typing import Protocol

from portico_contracts.users import ClientKind
from portico_oauth.errors import ErrorCode, Kind

from portico_users.applications.app_record import App, has_management_access
from portico_users.applications.store import MongoApps
from portico_users.management_api.transport.call import RequestContext, Target
from portico_users.management_api.transport.targets import header_org_id
from portico_users.projects.store import MongoProjects
from portico_users.values.names import MAX_LENGTH
from portico_users.values.records import State

APP_NOT_FOUND = ErrorCode(
    "USER-709", Kind.NOT_FOUND, "Application not found.", "Check the ids of the project and the application."
)


class NamesApp(Protocol):
    @property
    def project_id(self) -> str: ...

    @property
    def app_id(self) -> str: ...


async def named_app(
    context: RequestContext, request: NamesApp, *, apps: MongoApps, projects: MongoProjects
) -> Target[App]:
    header_org_id(context)
    app = await apps.find(request.app_id[: MAX_LENGTH + 1])
    if app is None or app.state is State.DELETED or app.project_id != request.project_id:
        raise APP_NOT_FOUND.error()
    project = await projects.find(app.project_id)
    if project is None or project.state is State.DELETED:
        raise APP_NOT_FOUND.error()
    return Target(app.org_id, app, APP_NOT_FOUND, project_id=app.project_id, of_owners=has_management_access(app))


async def named_oidc_app(
    context: RequestContext, request: NamesApp, *, apps: MongoApps, projects: MongoProjects
) -> Target[App]:
    return _of_kind(await named_app(context, request, apps=apps, projects=projects), ClientKind.OIDC)


async def named_api_app(
    context: RequestContext, request: NamesApp, *, apps: MongoApps, projects: MongoProjects
) -> Target[App]:
    return _of_kind(await named_app(context, request, apps=apps, projects=projects), ClientKind.API)


def _of_kind(target: Target[App], kind: ClientKind) -> Target[App]:
    if target.subject.kind is not kind:
        raise APP_NOT_FOUND.error()
    return target
