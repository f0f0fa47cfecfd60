"""Tokens of an implicit response (OIDC Core section 3.2.2.5), requested by authz, because the signing keys are here.

No token is issued that was not requested (AZ-13): an id_token alone stores no grant, and has the claims of
its scope. There is never a refresh token.
"""

from __future__ import annotations

from typing import Final

import msgspec
from portico_contracts.token import ImplicitTokens, IssueImplicitTokens
from portico_oauth.errors import ErrorCode, Kind, ServiceError

from portico_token.grants.permitted_scope import grant_of_sign_in, permitted_scope, without_offline_access
from portico_token.grants.protocol import GrantDependencies, IdTokenPolicy
from portico_token.grants.results import GrantResult, IdTokenSpec, NewGrant
from portico_token.issuing.issuer import Issuer

CLIENT_INACTIVE = ErrorCode(
    "TOKEN-220", Kind.UNAUTHORIZED_CLIENT, "The client is no longer active.", "Activate the application."
)
SIGN_IN_ENDED = ErrorCode(
    "TOKEN-221", Kind.LOGIN_REQUIRED, "The user or the session is no longer active.", "Have the user sign in again."
)

_ENDED: Final = Kind.INVALID_GRANT
"""The error kind for an inactive user or session; the authorization endpoint replaces it."""


class ImplicitIssuance:
    def __init__(self, issuer: Issuer, dependencies: GrantDependencies) -> None:
        self._issuer = issuer
        self._dependencies = dependencies

    async def issue(self, request: IssueImplicitTokens) -> ImplicitTokens:
        """Raises TOKEN-220, TOKEN-221, `unavailable` when a dependency cannot be reached, or no key can sign."""
        client = await self._dependencies.users_client.find_client_of(request.grant)
        if client is None:
            raise CLIENT_INACTIVE.error(client=request.grant.client_id)
        now = self._dependencies.clock.now()
        signed_in = msgspec.structs.replace(request.grant, scope=without_offline_access(request.grant.scope))
        permitted = await permitted_scope(
            self._dependencies, signed_in.scope, client, signed_in.user_id, resources=signed_in.resources
        )
        grant = grant_of_sign_in(signed_in, client, permitted, now)
        granted: GrantResult = NewGrant(
            grant=grant,
            client=client,
            access_token=permitted.access_token(client, grant.scope),
            id_token=IdTokenSpec(scope=grant.scope, nonce=request.grant.nonce),
        )
        try:
            if client.token_hook is not None:
                granted = await self._issuer.token_hooks.ask(granted)
            return await self._tokens(granted, with_access_token=request.with_access_token)
        except ServiceError as error:
            if error.kind is not _ENDED:
                raise
            raise SIGN_IN_ENDED.error(cause=error.id) from error

    async def _tokens(self, granted: GrantResult, *, with_access_token: bool) -> ImplicitTokens:
        if not with_access_token:
            return ImplicitTokens(id_token=await self._issuer.issue_id_token(granted))
        tokens = await self._issuer.issue(granted, IdTokenPolicy.ALWAYS)
        return ImplicitTokens(
            id_token=tokens.id_token or "",
            access_token=tokens.access_token,
            expires_in=tokens.expires_in,
            scope=tokens.scope,
        )
