"""Adds identity providers."""

from __future__ import annotations

from portico_contracts.generated.portico.management.v1.idp_messages_pb2 import (
    AddIDPResponse,
    AddJWTIDPRequest,
    AddOIDCIDPRequest,
)

from portico_users.api.management_v1.idps.idp_messages import jwt_config, oidc_config, styling_of
from portico_users.api.shared.details import details_of
from portico_users.api.transport.call import Call
from portico_users.commands.identity_providers.idps import AddIdp
from portico_users.directory.identity_providers.idp import Idp, JwtConfig, OidcConfig, Options


async def add_jwt_idp(call: Call[str], request: AddJWTIDPRequest, *, add: AddIdp) -> AddIDPResponse:
    """Adds one that returns a JWT. Raises as `AddIdp`."""
    record = await add(_new(call, request, jwt_config(request)), actor=call.caller.user_id)
    return AddIDPResponse(details=details_of(record), idp_id=record.id)


async def add_oidc_idp(call: Call[str], request: AddOIDCIDPRequest, *, add: AddIdp) -> AddIDPResponse:
    """Adds an OpenID Connect provider. Raises as `AddIdp`."""
    idp = _new(call, request, oidc_config(request))
    record = await add(idp, secret=request.client_secret, actor=call.caller.user_id)
    return AddIDPResponse(details=details_of(record), idp_id=record.id)


def _new(call: Call[str], request: AddJWTIDPRequest | AddOIDCIDPRequest, config: JwtConfig | OidcConfig) -> Idp:
    return Idp(
        id="",
        org_id=call.target.subject,
        name=request.name,
        config=config,
        styling=styling_of(request.styling_type),
        options=Options(auto_creation=request.auto_register),
    )
