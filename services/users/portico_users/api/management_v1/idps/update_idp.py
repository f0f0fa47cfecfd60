"""Identity providers as an update leaves them: each replaces all that its message names."""

from __future__ import annotations

import msgspec
from portico_contracts.generated.portico.management.v1.idp_messages_pb2 import (
    UpdateGenericJWTProviderRequest,
    UpdateIDPJWTConfigRequest,
    UpdateIDPOIDCConfigRequest,
    UpdateIDPRequest,
)
from portico_contracts.generated.portico.management.v1.idp_templates_pb2 import UpdateGenericOIDCProviderRequest

from portico_users.api.management_v1.idps.idp_messages import generic_oidc_config, jwt_config, oidc_config, styling_of
from portico_users.api.management_v1.idps.idp_options import options_of
from portico_users.commands.identity_providers.idps import OTHER_KIND
from portico_users.directory.identity_providers.idp import Idp, OidcConfig
from portico_users.directory.identity_providers.presets.names import PresetName


def with_name(before: Idp, request: UpdateIDPRequest) -> Idp:
    """With name, styling and autoRegister."""
    options = msgspec.structs.replace(before.options, auto_creation=request.auto_register)
    return msgspec.structs.replace(before, name=request.name, styling=styling_of(request.styling_type), options=options)


def with_jwt_config(before: Idp, request: UpdateIDPJWTConfigRequest) -> Idp:
    """The specification's "update JWT identity provider": all four fields are replaced (MG-18)."""
    return msgspec.structs.replace(before, config=jwt_config(request))


def with_oidc_config(before: Idp, request: UpdateIDPOIDCConfigRequest) -> Idp:
    """With the configuration; without a secret the stored one stays, and so does how Portico authenticates there.

    Raises:
        ServiceError: USER-607 for a provider of a preset.
    """
    _refuse_preset(before)
    config = oidc_config(request)
    if isinstance(before.config, OidcConfig):
        method, key_id = before.config.auth_method, before.config.key_id
        config = msgspec.structs.replace(config, auth_method=method, key_id=key_id)
    return msgspec.structs.replace(before, config=config.trusted_like(before.config))


def with_generic_jwt(before: Idp, request: UpdateGenericJWTProviderRequest) -> Idp:
    """With everything but the styling, which this message does not have."""
    options = options_of(request, before.options)
    return msgspec.structs.replace(before, name=request.name, config=jwt_config(request), options=options)


def with_generic_oidc(before: Idp, request: UpdateGenericOIDCProviderRequest) -> Idp:
    """With everything but what this message does not have: the styling, and the mapping of claims to names.

    Raises:
        ServiceError: USER-607 for a provider of a preset, whose own form knows what belongs to it.
    """
    _refuse_preset(before)
    config = generic_oidc_config(request)
    if isinstance(before.config, OidcConfig):
        config = msgspec.structs.replace(
            before.config, issuer=config.issuer, client_id=config.client_id, scopes=config.scopes
        ).trusted_like(before.config)
    if request.HasField("trusted_email"):
        config = msgspec.structs.replace(config, trusted_email=request.trusted_email)
    options = options_of(request, before.options)
    return msgspec.structs.replace(before, name=request.name, config=config, options=options)


def _refuse_preset(before: Idp) -> None:
    if isinstance(before.config, OidcConfig) and before.config.preset is not PresetName.OIDC:
        raise OTHER_KIND.error()
