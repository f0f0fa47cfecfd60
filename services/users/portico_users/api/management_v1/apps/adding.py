"""Creates applications of both kinds."""

from __future__ import annotations

from portico_contracts.generated.portico.management.v1 import app_service_pb2 as pb
from portico_contracts.users import AuthMethod, ClientKind

from portico_users.api.management_v1.apps.app_messages import compliance_of
from portico_users.api.management_v1.apps.oidc_settings import (
    api_method,
    oidc_method,
    with_api_settings,
    with_oidc_settings,
)
from portico_users.api.shared.committing import commit
from portico_users.api.shared.details import changed_details_of
from portico_users.api.transport.call import Call
from portico_users.directory.apps.app_record import NEEDS_SECRET, App
from portico_users.directory.apps.changes import put_app
from portico_users.directory.apps.secret_changes import with_new_secret
from portico_users.directory.projects.project import Project


async def add_oidc_app(call: Call[Project], request: pb.AddOIDCAppRequest) -> pb.AddOIDCAppResponse:
    """Creates an OIDC application.

    Raises:
        ServiceError: of the rules for applications; USER-011 for a name the project has given already.
    """
    app = _new(call, request.name, ClientKind.OIDC, oidc_method(request.auth_method_type))
    record, secret = await _commit(call, with_oidc_settings(app, request))
    problems = compliance_of(record, call.language)
    return pb.AddOIDCAppResponse(
        app_id=record.id,
        details=changed_details_of(record),
        client_id=record.client_id,
        client_secret=secret,
        none_compliant=bool(problems),
        compliance_problems=problems,
    )


async def add_api_app(call: Call[Project], request: pb.AddAPIAppRequest) -> pb.AddAPIAppResponse:
    """Creates an API application.

    Raises:
        ServiceError: as `add_oidc_app`.
    """
    app = _new(call, request.name, ClientKind.API, api_method(request.auth_method_type))
    record, secret = await _commit(call, with_api_settings(app, request))
    return pb.AddAPIAppResponse(
        app_id=record.id, details=changed_details_of(record), client_id=record.client_id, client_secret=secret
    )


def _new(call: Call[Project], name: str, kind: ClientKind, method: AuthMethod) -> App:
    project = call.target.subject
    # One id for both: whoever remembers a client by its client id can use the event's object id.
    id = call.needs.new_id()
    return App(
        id=id, org_id=project.org_id, project_id=project.id, name=name, client_id=id, kind=kind, auth_method=method
    )


async def _commit(call: Call[Project], app: App) -> tuple[App, str]:
    """The application as it is stored, and its secret if it needs one."""
    secret = ""
    if app.auth_method in NEEDS_SECRET:
        app, secret = with_new_secret(app, call.needs.random)
    return await commit(call, put_app(None, app)), secret
