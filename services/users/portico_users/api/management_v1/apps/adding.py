"""Creates applications of both kinds."""

from __future__ import annotations

from portico_contracts.generated.portico.management.v1 import app_service_pb2 as pb
from portico_contracts.users import AuthMethod, ClientKind

from portico_users.api.management_v1.apps.app_messages import compliance_of, with_api_settings, with_oidc_settings
from portico_users.api.shared.details import changed_details_of
from portico_users.api.transport.call import Call
from portico_users.commands.apps import AddApp
from portico_users.directory.apps.app_record import App
from portico_users.directory.projects.project import Project


async def add_oidc_app(call: Call[Project], request: pb.AddOIDCAppRequest, *, add_app: AddApp) -> pb.AddOIDCAppResponse:
    """Creates an OIDC application.

    Raises:
        ServiceError: of the rules for applications; USER-011 for a name the project has given already.
    """
    app = _new(call, request.name, ClientKind.OIDC)
    record, secret = await add_app(with_oidc_settings(app, request), actor=call.caller.user_id)
    problems = compliance_of(record, call.language)
    return pb.AddOIDCAppResponse(
        app_id=record.id,
        details=changed_details_of(record),
        client_id=record.client_id,
        client_secret=secret,
        none_compliant=bool(problems),
        compliance_problems=problems,
    )


async def add_api_app(call: Call[Project], request: pb.AddAPIAppRequest, *, add_app: AddApp) -> pb.AddAPIAppResponse:
    """Creates an API application.

    Raises:
        ServiceError: as `add_oidc_app`.
    """
    app = _new(call, request.name, ClientKind.API)
    record, secret = await add_app(with_api_settings(app, request), actor=call.caller.user_id)
    return pb.AddAPIAppResponse(
        app_id=record.id, details=changed_details_of(record), client_id=record.client_id, client_secret=secret
    )


def _new(call: Call[Project], name: str, kind: ClientKind) -> App:
    project = call.target.subject
    return App(
        id="",
        org_id=project.org_id,
        project_id=project.id,
        name=name,
        client_id="",
        kind=kind,
        auth_method=AuthMethod.CLIENT_SECRET_BASIC,
    )
