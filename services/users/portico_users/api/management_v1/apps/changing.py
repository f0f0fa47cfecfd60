"""Reads and changes applications."""

from __future__ import annotations

from typing import Final

import msgspec
from portico_contracts.generated.portico.management.v1 import app_service_pb2 as pb

from portico_users.api.management_v1.apps.app_messages import app_message
from portico_users.api.management_v1.apps.oidc_settings import with_api_settings, with_oidc_settings
from portico_users.api.shared.committing import commit
from portico_users.api.shared.details import changed_details_of
from portico_users.api.shared.listing import LISTED, by_text, details_of_list, page_of, questions_of
from portico_users.api.transport.call import Call
from portico_users.directory.apps.app_record import App
from portico_users.directory.apps.changes import put_app, without_use
from portico_users.directory.apps.secret_changes import with_new_secret, without_needless_secret
from portico_users.directory.projects.project import Project
from portico_users.kernel.states import deactivated, reactivated, refuse_unchanged

_CONDITIONS: Final = {"name_query": by_text("name", "name")}


async def get_app_by_id(call: Call[App], _request: pb.GetAppByIDRequest) -> pb.GetAppByIDResponse:
    """The application."""
    return pb.GetAppByIDResponse(app=app_message(call.target.subject, call.language))


async def list_apps(call: Call[Project], request: pb.ListAppsRequest) -> pb.ListAppsResponse:
    """A page of the project's applications, by name."""
    question = {"$and": [{"projectId": call.target.subject.id}, LISTED, *questions_of(request.queries, _CONDITIONS)]}
    found = await call.needs.apps.list_page(question, page_of(request.query, "nameKey"))
    return pb.ListAppsResponse(
        details=details_of_list(found.total), result=[app_message(app, call.language) for app in found.records]
    )


async def update_app(call: Call[App], request: pb.UpdateAppRequest) -> pb.UpdateAppResponse:
    """Renames it; USER-702 when nothing would change."""
    record = await _replace(call, msgspec.structs.replace(call.target.subject, name=request.name))
    return pb.UpdateAppResponse(details=changed_details_of(record))


async def deactivate_app(call: Call[App], _request: pb.DeactivateAppRequest) -> pb.DeactivateAppResponse:
    """Switches it off; USER-700 when it is not active."""
    record = await _replace(call, deactivated(call.target.subject))
    return pb.DeactivateAppResponse(details=changed_details_of(record))


async def reactivate_app(call: Call[App], _request: pb.ReactivateAppRequest) -> pb.ReactivateAppResponse:
    """Switches it on; USER-701 when it is not inactive."""
    record = await _replace(call, reactivated(call.target.subject))
    return pb.ReactivateAppResponse(details=changed_details_of(record))


async def remove_app(call: Call[App], _request: pb.RemoveAppRequest) -> pb.RemoveAppResponse:
    """Removes it for good; its client id is never given again."""
    record = await _replace(call, without_use(call.target.subject))
    return pb.RemoveAppResponse(details=changed_details_of(record))


async def update_oidc_app_config(
    call: Call[App], request: pb.UpdateOIDCAppConfigRequest
) -> pb.UpdateOIDCAppConfigResponse:
    """Replaces all settings; USER-702 when nothing would change."""
    record = await _replace(call, with_oidc_settings(call.target.subject, request))
    return pb.UpdateOIDCAppConfigResponse(details=changed_details_of(record))


async def update_api_app_config(
    call: Call[App], request: pb.UpdateAPIAppConfigRequest
) -> pb.UpdateAPIAppConfigResponse:
    """Replaces all settings; USER-702 when nothing would change."""
    record = await _replace(call, with_api_settings(call.target.subject, request))
    return pb.UpdateAPIAppConfigResponse(details=changed_details_of(record))


async def regenerate_oidc_client_secret(
    call: Call[App], _request: pb.RegenerateOIDCClientSecretRequest
) -> pb.RegenerateOIDCClientSecretResponse:
    """Replaces the secret; USER-707 where the method proves none."""
    record, secret = await _regenerate(call)
    return pb.RegenerateOIDCClientSecretResponse(client_secret=secret, details=changed_details_of(record))


async def regenerate_api_client_secret(
    call: Call[App], _request: pb.RegenerateAPIClientSecretRequest
) -> pb.RegenerateAPIClientSecretResponse:
    """Replaces the secret; USER-707 where the method proves none."""
    record, secret = await _regenerate(call)
    return pb.RegenerateAPIClientSecretResponse(client_secret=secret, details=changed_details_of(record))


async def _regenerate(call: Call[App]) -> tuple[App, str]:
    after, secret = with_new_secret(call.target.subject, call.needs.random)
    return await _replace(call, after), secret


async def _replace(call: Call[App], after: App) -> App:
    before, after = call.target.subject, without_needless_secret(after)
    refuse_unchanged(before, after)
    return await commit(call, put_app(before, after))
