"""The requests token answers on the bus."""

from __future__ import annotations

from portico_contracts.token import (
    AUTHENTICATE_BEARER,
    ISSUE_IMPLICIT_TOKENS,
    LIST_TOKEN_GRANTS,
    REVOKE_SESSION,
    REVOKE_USER,
    REVOKE_USER_CLIENT,
    SIGN_LOGOUT_TOKENS,
    ListTokenGrants,
    Revoked,
    RevokeSession,
    RevokeUser,
    RevokeUserClient,
    TokenGrant,
    TokenGrants,
)
from portico_runtime.bus import Bus

from portico_token.active_tokens import Stores
from portico_token.bearer_authentication import BearerAuthentication
from portico_token.implicit_issuance import ImplicitIssuance
from portico_token.logout_tokens import LogoutTokenSigner


class Messages:
    """The handlers of `portico_contracts.token`."""

    def __init__(
        self,
        stores: Stores,
        implicit_issuance: ImplicitIssuance,
        logout_tokens: LogoutTokenSigner,
        bearer_authentication: BearerAuthentication,
        access_token_seconds: int,
    ) -> None:
        self._grants = stores.grants
        self._revocations = stores.revocations
        self._implicit_issuance = implicit_issuance
        self._logout_tokens = logout_tokens
        self._bearer_authentication = bearer_authentication
        # A token issued under an older setting may have a longer lifetime than today's.
        self._refused_seconds = max(2 * access_token_seconds, 86_400)

    def answer_on(self, bus: Bus) -> None:
        """Registers the handlers. Call before the bus starts."""
        bus.respond(REVOKE_SESSION, self.revoke_session)
        bus.respond(REVOKE_USER, self.revoke_user)
        bus.respond(LIST_TOKEN_GRANTS, self.list_token_grants)
        bus.respond(REVOKE_USER_CLIENT, self.revoke_user_client)
        bus.respond(ISSUE_IMPLICIT_TOKENS, self._implicit_issuance.issue)
        bus.respond(SIGN_LOGOUT_TOKENS, self._logout_tokens.sign)
        bus.respond(AUTHENTICATE_BEARER, self._bearer_authentication.authenticate)

    async def revoke_session(self, message: RevokeSession) -> Revoked:
        """Revokes every grant of a session; returns once that is durable."""
        return Revoked(grants=await self._grants.revoke_session(message.user_id, message.session_id))

    async def revoke_user(self, message: RevokeUser) -> Revoked:
        """Revokes every grant of a user and every token issued without one; returns once that is durable."""
        return Revoked(grants=await self._revocations.revoke_user(message.user_id, self._refused_seconds))

    async def list_token_grants(self, message: ListTokenGrants) -> TokenGrants:
        """The live grants of a user."""
        found = await self._grants.list_of_user(message.user_id)
        return TokenGrants(
            grants=tuple(
                TokenGrant(
                    client_id=one.grant.client_id,
                    scope=one.grant.scope,
                    created=one.grant.created,
                    session_id=one.grant.session_id,
                    offline=one.refresh is not None,
                )
                for one in found
            )
        )

    async def revoke_user_client(self, message: RevokeUserClient) -> Revoked:
        """Revokes every grant of a user to a client; returns once that is durable."""
        return Revoked(grants=await self._grants.revoke_client(message.user_id, message.client_id))
