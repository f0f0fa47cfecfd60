"""Reads and changes applications."""

from __future__ import annotations

from typing import Final

from portico_contracts.generated.portico.management.v1 import app_service_pb2 as pb

from portico_users.api.management_v1.apps.app_messages import app_message
from portico_users.api.shared.details import changed_details_of
from portico_users.api.shared.key_messages import until_of
from portico_users.api.shared.listing import LISTED, by_text, details_of_list, page_of, questions_of
from portico_users.api.transport.call import Call
from portico_users.commands.apps import RegenerateAppSecret
from portico_users.directory.apps.app_record import App
from portico_users.directory.apps.store import MongoApps
from portico_users.directory.projects.project import Project

_CONDITIONS: Final = {"name_query": by_text("name", "name")}


async def get_app_by_id(call: Call[App], _request: pb.GetAppByIDRequest) -> pb.GetAppByIDResponse:
    """The application."""
    return pb.GetAppByIDResponse(app=app_message(call.target.subject, call.language))


async def list_apps(call: Call[Project], request: pb.ListAppsRequest, *, apps: MongoApps) -> pb.ListAppsResponse:
    """A page of the project's applications, by name."""
    question = {"$and": [{"projectId": call.target.subject.id}, LISTED, *questions_of(request.queries, _CONDITIONS)]}
    found = await apps.list_page(question, page_of(request.query, "nameKey"))
    return pb.ListAppsResponse(
        details=details_of_list(found.total), result=[app_message(app, call.language) for app in found.records]
    )


async def regenerate_oidc_client_secret(
    call: Call[App], request: pb.RegenerateOIDCClientSecretRequest, *, regenerate: RegenerateAppSecret
) -> pb.RegenerateOIDCClientSecretResponse:
    """Replaces the secret, and keeps the one before as long as requested; USER-707 where the method uses none."""
    record, secret = await regenerate(call.target.subject, request.keep_seconds, actor=call.caller.user_id)
    return pb.RegenerateOIDCClientSecretResponse(
        client_secret=secret, details=changed_details_of(record), previous_secret_until=until_of(record.previous_secret)
    )


async def regenerate_api_client_secret(
    call: Call[App], request: pb.RegenerateAPIClientSecretRequest, *, regenerate: RegenerateAppSecret
) -> pb.RegenerateAPIClientSecretResponse:
    """Replaces the secret, and keeps the one before as long as requested; USER-707 where the method uses none."""
    record, secret = await regenerate(call.target.subject, request.keep_seconds, actor=call.caller.user_id)
    return pb.RegenerateAPIClientSecretResponse(
        client_secret=secret, details=changed_details_of(record), previous_secret_until=until_of(record.previous_secret)
    )
