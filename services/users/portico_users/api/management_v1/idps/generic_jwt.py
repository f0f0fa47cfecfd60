"""JWT identity providers with all their options: what replaces the deprecated update of a configuration."""

from __future__ import annotations

import msgspec
from portico_contracts.generated.portico.management.v1.idp_messages_pb2 import (
    AddGenericJWTProviderRequest,
    AddGenericJWTProviderResponse,
    UpdateGenericJWTProviderRequest,
    UpdateIDPResponse,
)

from portico_users.api.management_v1.idps.idp_messages import jwt_config
from portico_users.api.management_v1.idps.idp_options import options_of
from portico_users.api.shared.details import details_of
from portico_users.api.transport.call import Call
from portico_users.commands.identity_providers.idps import AddIdp, UpdateIdp
from portico_users.directory.identity_providers.idp import Idp, Options


async def add_generic_jwt_provider(
    call: Call[str], request: AddGenericJWTProviderRequest, *, add: AddIdp
) -> AddGenericJWTProviderResponse:
    """Adds one. Raises as `AddIdp`."""
    config, options = jwt_config(request), options_of(request, Options())
    idp = Idp(id="", org_id=call.target.subject, name=request.name, config=config, options=options)
    record = await add(idp, actor=call.caller.user_id)
    return AddGenericJWTProviderResponse(details=details_of(record), id=record.id)


async def update_generic_jwt_provider(
    call: Call[Idp], request: UpdateGenericJWTProviderRequest, *, update: UpdateIdp
) -> UpdateIDPResponse:
    """Replaces everything but the styling, which this message does not have. Raises as `UpdateIdp`."""
    before = call.target.subject
    config, options = jwt_config(request), options_of(request, before.options)
    after = msgspec.structs.replace(before, name=request.name, config=config, options=options)
    return UpdateIDPResponse(details=details_of(await update(before, after, actor=call.caller.user_id)))
