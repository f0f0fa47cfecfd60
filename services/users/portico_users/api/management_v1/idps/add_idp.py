"""Adds identity providers. Each raises as `AddIdp`."""

from __future__ import annotations

import msgspec
from portico_contracts.generated.portico.management.v1.idp_messages_pb2 import (
    AddGenericJWTProviderRequest,
    AddGenericJWTProviderResponse,
    AddIDPResponse,
    AddJWTIDPRequest,
    AddOIDCIDPRequest,
)
from portico_contracts.generated.portico.management.v1.idp_templates_pb2 import (
    AddGenericOIDCProviderRequest,
    AddGenericOIDCProviderResponse,
)

from portico_users.api.management_v1.idps.idp_messages import generic_oidc_config, jwt_config, oidc_config, styling_of
from portico_users.api.management_v1.idps.idp_options import options_of
from portico_users.api.shared.details import details_of
from portico_users.api.transport.call import Call
from portico_users.commands.identity_providers.idps import AddIdp
from portico_users.directory.identity_providers.idp import Idp, JwtConfig, OidcConfig, Options


async def add_jwt_idp(call: Call[str], request: AddJWTIDPRequest, *, add: AddIdp) -> AddIDPResponse:
    """Adds one that returns a JWT."""
    record = await add(_new(call, request, jwt_config(request)), actor=call.caller.user_id)
    return AddIDPResponse(details=details_of(record), idp_id=record.id)


async def add_oidc_idp(call: Call[str], request: AddOIDCIDPRequest, *, add: AddIdp) -> AddIDPResponse:
    """Adds an OpenID Connect provider."""
    record = await add(_new(call, request, oidc_config(request)), request.client_secret, actor=call.caller.user_id)
    return AddIDPResponse(details=details_of(record), idp_id=record.id)


async def add_generic_jwt_provider(
    call: Call[str], request: AddGenericJWTProviderRequest, *, add: AddIdp
) -> AddGenericJWTProviderResponse:
    """Adds one that returns a JWT, with all options: what replaces the deprecated update of a configuration."""
    record = await add(_new_generic(call, request, jwt_config(request)), actor=call.caller.user_id)
    return AddGenericJWTProviderResponse(details=details_of(record), id=record.id)


async def add_generic_oidc_provider(
    call: Call[str], request: AddGenericOIDCProviderRequest, *, add: AddIdp
) -> AddGenericOIDCProviderResponse:
    """Adds an OpenID Connect provider with all options."""
    config = msgspec.structs.replace(generic_oidc_config(request), trusted_email=request.trusted_email)
    idp = _new_generic(call, request, config)
    record = await add(idp, request.client_secret, actor=call.caller.user_id)
    return AddGenericOIDCProviderResponse(details=details_of(record), id=record.id)


def _new(call: Call[str], request: AddJWTIDPRequest | AddOIDCIDPRequest, config: JwtConfig | OidcConfig) -> Idp:
    return Idp(
        id="",
        org_id=call.target.subject,
        name=request.name,
        config=config,
        styling=styling_of(request.styling_type),
        options=Options(auto_creation=request.auto_register),
    )


def _new_generic(
    call: Call[str],
    request: AddGenericJWTProviderRequest | AddGenericOIDCProviderRequest,
    config: JwtConfig | OidcConfig,
) -> Idp:
    options = options_of(request, Options())
    return Idp(id="", org_id=call.target.subject, name=request.name, config=config, options=options)
