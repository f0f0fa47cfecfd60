from __future__ import annotations

from portico_contracts.authz import CodeGrant
from portico_contracts.users import Client
from portico_oauth.scopes import OFFLINE_ACCESS

from portico_token.domain.claims import requested_claims
from portico_token.grants.consent import require_consent
from portico_token.grants.permitted_scope import grant_of_sign_in, permitted_scope
from portico_token.grants.protocol import GrantDependencies
from portico_token.grants.results import IdTokenSpec, NewGrant


async def result_of_sign_in(
    dependencies: GrantDependencies,
    signed_in: CodeGrant,
    client: Client,
    resources: tuple[str, ...],
    version: str | None = None,
    *,
    now: float,
) -> NewGrant:
    """The result of `client` for a code or a device, with an access token for the requested resources.

    `now` is from before anything was checked: what ends meanwhile ends this, too. Raises TOKEN-290 and 292.
    """
    wanted = (*signed_in.scope, *requested_claims(signed_in.claims).scopes)
    await require_consent(dependencies, client, signed_in.user_id, wanted, signed_in.resources, version)
    permitted = await permitted_scope(
        dependencies, signed_in.scope, client, signed_in.user_id, version, resources=signed_in.resources
    )
    grant = grant_of_sign_in(signed_in, client, permitted, now)
    return NewGrant(
        grant=grant,
        client=client,
        access_token=permitted.narrowed_to(resources).access_token(client, grant.scope),
        id_token=IdTokenSpec(scope=grant.scope, nonce=signed_in.nonce),
        version=version,
        left_out=permitted.left_out,
        refreshable=OFFLINE_ACCESS in grant.scope,
    )
