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
from portico_users.api.shared.committing import commit
from portico_users.api.shared.details import details_of
from portico_users.api.transport.call import Call
from portico_users.directory.identity_providers.changes import OTHER_KIND, put_idp, with_oidc_config, with_secret
from portico_users.directory.identity_providers.idp import Idp, OidcConfig, Options
from portico_users.kernel.states import refuse_unchanged


async def add_generic_oidc_provider(
    call: Call[str], request: AddGenericOIDCProviderRequest
) -> AddGenericOIDCProviderResponse:
    """A new one; its secret is sealed before it is stored (MG-18).

    Raises:
        ServiceError: USER-60x for what it may not be, USER-606 where secrets cannot be kept, USER-011 for a name that
            is taken.
    """
    config = OidcConfig(issuer=request.issuer, client_id=request.client_id, scopes=tuple(request.scopes))
    id, owner = call.needs.new_id(), call.target.subject
    idp = Idp(id=id, org_id=owner, name=request.name, config=config, options=options_of(request, Options()))
    sealed = with_secret(idp, request.client_secret, call.needs.secrets)
    record = await commit(call, put_idp(None, sealed, call.needs.outbound_allowed))
    return AddGenericOIDCProviderResponse(details=details_of(record), id=record.id)


async def update_generic_oidc_provider(call: Call[Idp], request: UpdateGenericOIDCProviderRequest) -> UpdateIDPResponse:
    """Replaces everything but what only the older paths say: its styling, and which claims become names.

    Raises:
        ServiceError: as `add_generic_oidc_provider`; USER-607 for one of another kind, USER-608 when the stored secret
            would go to another issuer (MG-18), USER-702 when nothing changes.
    """
    before = call.target.subject
    if not isinstance(before.config, OidcConfig):
        raise OTHER_KIND.error()
    config = msgspec.structs.replace(
        before.config, issuer=request.issuer, client_id=request.client_id, scopes=tuple(request.scopes)
    )
    configured = with_oidc_config(before, config, request.client_secret, call.needs.secrets)
    after = msgspec.structs.replace(configured, name=request.name, options=options_of(request, before.options))
    refuse_unchanged(before, after)
    record = await commit(call, put_idp(before, after, call.needs.outbound_allowed))
    return UpdateIDPResponse(details=details_of(record))
