"""JWT identity providers with all their options: what replaces the deprecated update of a configuration."""

from __future__ import annotations

from typing import Any

import msgspec
from portico_contracts.generated.portico.management.v1.idp_messages_pb2 import (
    AddGenericJWTProviderRequest,
    AddGenericJWTProviderResponse,
    UpdateGenericJWTProviderRequest,
    UpdateIDPResponse,
)

from portico_users.api.management_v1.idps.idp_options import options_of
from portico_users.api.shared.committing import commit
from portico_users.api.shared.details import details_of
from portico_users.api.transport.call import Call
from portico_users.directory.identity_providers.changes import put_idp, with_jwt_config
from portico_users.directory.identity_providers.idp import Idp, JwtConfig, Options
from portico_users.kernel.states import refuse_unchanged

AnyRequest = AddGenericJWTProviderRequest | UpdateGenericJWTProviderRequest


async def add_generic_jwt_provider(
    call: Call[str], request: AddGenericJWTProviderRequest
) -> AddGenericJWTProviderResponse:
    """A new one.

    Raises:
        ServiceError: USER-60x for what it may not be, USER-011 for a name that is taken.
    """
    config, options = _config(request), options_of(request, Options())
    id, owner = call.needs.new_id(), call.target.subject
    idp = Idp(id=id, org_id=owner, name=request.name, config=config, options=options)
    record = await _commit(call, None, idp)
    return AddGenericJWTProviderResponse(details=details_of(record), id=record.id)


async def update_generic_jwt_provider(call: Call[Idp], request: UpdateGenericJWTProviderRequest) -> UpdateIDPResponse:
    """Replaces everything but what only its styling says.

    Raises:
        ServiceError: as `add_generic_jwt_provider`; USER-607 for one of another kind, USER-702 when nothing changes.
    """
    before = call.target.subject
    configured = with_jwt_config(before, _config(request))
    after = msgspec.structs.replace(configured, name=request.name, options=options_of(request, before.options))
    refuse_unchanged(before, after)
    return UpdateIDPResponse(details=details_of(await _commit(call, before, after)))


def _config(request: AnyRequest) -> JwtConfig:
    return JwtConfig(
        jwt_endpoint=request.jwt_endpoint,
        issuer=request.issuer,
        keys_endpoint=request.keys_endpoint,
        header_name=request.header_name,
    )


async def _commit(call: Call[Any], before: Idp | None, after: Idp) -> Idp:
    return await commit(call, put_idp(before, after, call.needs.outbound_allowed))
