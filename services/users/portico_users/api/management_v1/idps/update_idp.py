"""Changes identity providers; every update replaces all it names, and one that changes nothing is refused."""

from __future__ import annotations

import msgspec
from portico_contracts.generated.portico.management.v1.idp_messages_pb2 import (
    UpdateIDPJWTConfigRequest,
    UpdateIDPOIDCConfigRequest,
    UpdateIDPRequest,
    UpdateIDPResponse,
)

from portico_users.api.management_v1.idps.idp_messages import jwt_config, oidc_config, styling_of
from portico_users.api.shared.details import details_of
from portico_users.api.transport.call import Call
from portico_users.commands.identity_providers.idps import UpdateIdp
from portico_users.directory.identity_providers.idp import Idp


async def update_idp(call: Call[Idp], request: UpdateIDPRequest, *, update: UpdateIdp) -> UpdateIDPResponse:
    """Replaces name, styling and autoRegister. Raises as `UpdateIdp`."""
    before = call.target.subject
    options = msgspec.structs.replace(before.options, auto_creation=request.auto_register)
    styling = styling_of(request.styling_type)
    after = msgspec.structs.replace(before, name=request.name, styling=styling, options=options)
    return UpdateIDPResponse(details=details_of(await update(before, after, actor=call.caller.user_id)))


async def update_jwt_config(
    call: Call[Idp], request: UpdateIDPJWTConfigRequest, *, update: UpdateIdp
) -> UpdateIDPResponse:
    """The specification's "update JWT identity provider": all four fields are replaced (MG-18). Raises as `UpdateIdp`."""
    before = call.target.subject
    after = msgspec.structs.replace(before, config=jwt_config(request))
    return UpdateIDPResponse(details=details_of(await update(before, after, actor=call.caller.user_id)))


async def update_oidc_config(
    call: Call[Idp], request: UpdateIDPOIDCConfigRequest, *, update: UpdateIdp
) -> UpdateIDPResponse:
    """Replaces the configuration; without a secret the stored one stays. Raises as `UpdateIdp`."""
    before = call.target.subject
    after = msgspec.structs.replace(before, config=oidc_config(request))
    record = await update(before, after, secret=request.client_secret, actor=call.caller.user_id)
    return UpdateIDPResponse(details=details_of(record))
