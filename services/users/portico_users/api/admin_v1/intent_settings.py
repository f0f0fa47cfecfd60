"""Where intents may lead."""

from __future__ import annotations

from portico_contracts.generated.portico.admin.v1 import settings_service_pb2 as pb

from portico_users.api.shared.details import details_of
from portico_users.api.transport.call import Call
from portico_users.directory.instance.instance import Instance


async def get_intent_settings(
    call: Call[Instance], _request: pb.GetIDPIntentSettingsRequest
) -> pb.GetIDPIntentSettingsResponse:
    """The registered addresses."""
    instance = call.target.subject
    return pb.GetIDPIntentSettingsResponse(details=details_of(instance), urls=instance.intent_urls)
