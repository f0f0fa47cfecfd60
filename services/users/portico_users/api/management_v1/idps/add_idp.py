"""Adds identity providers."""

from __future__ import annotations

from portico_contracts.generated.portico.management.v1.idp_messages_pb2 import (
    AddIDPResponse,
    AddJWTIDPRequest,
    AddOIDCIDPRequest,
)

from portico_users.api.management_v1.idps.idp_messages import mapping_of, styling_of
from portico_users.api.shared.committing import commit
from portico_users.api.shared.details import details_of
from portico_users.api.transport.call import Call
from portico_users.directory.identity_providers.changes import put_idp, with_secret
from portico_users.directory.identity_providers.idp import Idp, JwtConfig, OidcConfig, Options


async def add_jwt_idp(call: Call[str], request: AddJWTIDPRequest) -> AddIDPResponse:
    """A new one that hands over a JWT.

    Raises:
        ServiceError: USER-60x for what it may not be, USER-011 for a name that is taken.
    """
    config = JwtConfig(
        jwt_endpoint=request.jwt_endpoint,
        issuer=request.issuer,
        keys_endpoint=request.keys_endpoint,
        header_name=request.header_name,
    )
    return await _add(call, _new(call, request, config))


async def add_oidc_idp(call: Call[str], request: AddOIDCIDPRequest) -> AddIDPResponse:
    """A new OpenID Connect provider; its secret is sealed before it is stored.

    Raises:
        ServiceError: as `add_jwt_idp`; USER-606 where secrets cannot be kept.
    """
    config = OidcConfig(
        issuer=request.issuer,
        client_id=request.client_id,
        scopes=tuple(request.scopes),
        display_name_mapping=mapping_of(request.display_name_mapping),
        username_mapping=mapping_of(request.username_mapping),
    )
    return await _add(call, with_secret(_new(call, request, config), request.client_secret, call.needs.secrets))


def _new(call: Call[str], request: AddJWTIDPRequest | AddOIDCIDPRequest, config: JwtConfig | OidcConfig) -> Idp:
    return Idp(
        id=call.needs.new_id(),
        org_id=call.target.subject,
        name=request.name,
        config=config,
        styling=styling_of(request.styling_type),
        options=Options(auto_creation=request.auto_register),
    )


async def _add(call: Call[str], idp: Idp) -> AddIDPResponse:
    record = await commit(call, put_idp(None, idp, call.needs.outbound_allowed))
    return AddIDPResponse(details=details_of(record), idp_id=record.id)
