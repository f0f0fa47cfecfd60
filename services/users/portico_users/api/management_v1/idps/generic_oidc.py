"""OpenID Connect providers with all their options."""

from __future__ import annotations

import msgspec
from portico_contracts.generated.portico.management.v1.idp_messages_pb2 import UpdateIDPResponse
from portico_contracts.generated.portico.management.v1.idp_templates_pb2 import (
    AddGenericOIDCProviderRequest,
    AddGenericOIDCProviderResponse,
    UpdateGenericOIDCProviderRequest,
)

from portico_users.api.management_v1.idps.idp_options import options_of
from portico_users.api.shared.details import details_of
from portico_users.api.transport.call import Call
from portico_users.commands.identity_providers.idps import AddIdp, UpdateIdp
from portico_users.directory.identity_providers.idp import Idp, OidcConfig, Options


async def add_generic_oidc_provider(
    call: Call[str], request: AddGenericOIDCProviderRequest, *, add: AddIdp
) -> AddGenericOIDCProviderResponse:
    """Adds one. Raises as `AddIdp`."""
    config, options = _config(request), options_of(request, Options())
    idp = Idp(id="", org_id=call.target.subject, name=request.name, config=config, options=options)
    record = await add(idp, secret=request.client_secret, actor=call.caller.user_id)
    return AddGenericOIDCProviderResponse(details=details_of(record), id=record.id)


async def update_generic_oidc_provider(
    call: Call[Idp], request: UpdateGenericOIDCProviderRequest, *, update: UpdateIdp
) -> UpdateIDPResponse:
    """Replaces everything but what this message does not have: the styling, and the mapping of claims to names.

    Raises:
        ServiceError: as `UpdateIdp`.
    """
    before, config = call.target.subject, _config(request)
    if isinstance(before.config, OidcConfig):
        config = msgspec.structs.replace(
            before.config, issuer=config.issuer, client_id=config.client_id, scopes=config.scopes
        )
    options = options_of(request, before.options)
    after = msgspec.structs.replace(before, name=request.name, config=config, options=options)
    record = await update(before, after, secret=request.client_secret, actor=call.caller.user_id)
    return UpdateIDPResponse(details=details_of(record))


def _config(request: AddGenericOIDCProviderRequest | UpdateGenericOIDCProviderRequest) -> OidcConfig:
    return OidcConfig(issuer=request.issuer, client_id=request.client_id, scopes=tuple(request.scopes))
