"""Changes identity providers; every update replaces all it names, and one that changes nothing is refused."""

from __future__ import annotations

import msgspec
from portico_contracts.generated.portico.management.v1.idp_messages_pb2 import (
    UpdateIDPJWTConfigRequest,
    UpdateIDPOIDCConfigRequest,
    UpdateIDPRequest,
    UpdateIDPResponse,
)

from portico_users.api.management_v1.idps.idp_messages import mapping_of, styling_of
from portico_users.api.shared.committing import commit
from portico_users.api.shared.details import details_of
from portico_users.api.transport.call import Call
from portico_users.directory.identity_providers.changes import put_idp, with_jwt_config, with_oidc_config
from portico_users.directory.identity_providers.idp import Idp, JwtConfig, OidcConfig
from portico_users.kernel.states import refuse_unchanged


async def update_idp(call: Call[Idp], request: UpdateIDPRequest) -> UpdateIDPResponse:
    """Replaces name, styling and autoRegister.

    Raises:
        ServiceError: USER-002 for the name, USER-011 when it is taken, USER-702 when nothing changes.
    """
    before = call.target.subject
    options = msgspec.structs.replace(before.options, auto_creation=request.auto_register)
    styling = styling_of(request.styling_type)
    return await _put(call, msgspec.structs.replace(before, name=request.name, styling=styling, options=options))


async def update_jwt_config(call: Call[Idp], request: UpdateIDPJWTConfigRequest) -> UpdateIDPResponse:
    """The specification's "update JWT identity provider": all four fields are replaced (MG-18).

    Raises:
        ServiceError: USER-60x for a field that may not be so, USER-607 for one of another kind, USER-702 when
            nothing changes.
    """
    config = JwtConfig(
        jwt_endpoint=request.jwt_endpoint,
        issuer=request.issuer,
        keys_endpoint=request.keys_endpoint,
        header_name=request.header_name,
    )
    return await _put(call, with_jwt_config(call.target.subject, config))


async def update_oidc_config(call: Call[Idp], request: UpdateIDPOIDCConfigRequest) -> UpdateIDPResponse:
    """Replaces the configuration; without a secret the stored one stays.

    Raises:
        ServiceError: as `update_jwt_config`; USER-606, USER-608 about the secret.
    """
    config = OidcConfig(
        issuer=request.issuer,
        client_id=request.client_id,
        scopes=tuple(request.scopes),
        display_name_mapping=mapping_of(request.display_name_mapping),
        username_mapping=mapping_of(request.username_mapping),
    )
    after = with_oidc_config(call.target.subject, config, request.client_secret, call.needs.secrets)
    return await _put(call, after)


async def _put(call: Call[Idp], after: Idp) -> UpdateIDPResponse:
    before = call.target.subject
    entry = put_idp(before, after, call.needs.outbound_allowed)
    refuse_unchanged(before, after)
    record = await commit(call, entry)
    return UpdateIDPResponse(details=details_of(record))
