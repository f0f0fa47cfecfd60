from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.token import (
    AUTHENTICATE_BEARER,
    ISSUE_IMPLICIT_TOKENS,
    LIST_TOKEN_GRANTS,
    PREVIEW_TOKENS,
    REVOKE_SESSION,
    REVOKE_USER,
    REVOKE_USER_CLIENT,
    SIGN_LOGOUT_TOKENS,
    AuthenticateBearer,
    Bearer,
    BearerFound,
    ListTokenGrants,
    Revoked,
    RevokeSession,
    RevokeUser,
    RevokeUserClient,
    TokenGrant,
    TokenGrants,
)
from portico_runtime.bus.bus import Bus

from portico_token.active_tokens import ActiveToken, ActiveTokens
from portico_token.domain.grants import GrantStore
from portico_token.domain.origin import Origin
from portico_token.domain.revocations import RevocationStore
from portico_token.dpop.possession import PresentedToken, call_of, require_possession
from portico_token.dpop.proofs import Proofs
from portico_token.implicit_issuance import ImplicitIssuance
from portico_token.logout_tokens import LogoutTokenSigner
from portico_token.preview import TokenPreview


@dataclass(frozen=True, slots=True)
class Messages:
    grants: GrantStore
    revocations: RevocationStore
    implicit_issuance: ImplicitIssuance
    logout_tokens: LogoutTokenSigner
    active_tokens: ActiveTokens
    preview: TokenPreview
    access_token_seconds: int
    proofs: Proofs

    def answer_on(self, bus: Bus) -> None:
        bus.respond(REVOKE_SESSION, self.revoke_session)
        bus.respond(REVOKE_USER, self.revoke_user)
        bus.respond(LIST_TOKEN_GRANTS, self.list_token_grants)
        bus.respond(REVOKE_USER_CLIENT, self.revoke_user_client)
        bus.respond(ISSUE_IMPLICIT_TOKENS, self.implicit_issuance.issue)
        bus.respond(SIGN_LOGOUT_TOKENS, self.logout_tokens.sign)
        bus.respond(AUTHENTICATE_BEARER, self.authenticate_bearer)
        bus.respond(PREVIEW_TOKENS, self.preview.answer)

    async def revoke_session(self, message: RevokeSession) -> Revoked:
        return Revoked(grants=await self.grants.revoke_session(message.user_id, message.session_id))

    async def revoke_user(self, message: RevokeUser) -> Revoked:
        """Revokes every grant and every stateless token of a user; returns once that is durable."""
        # A token issued under an older setting may have a longer lifetime than the current one.
        seconds = max(2 * self.access_token_seconds, 86_400)
        return Revoked(grants=await self.revocations.revoke_user(message.user_id, seconds))

    async def list_token_grants(self, message: ListTokenGrants) -> TokenGrants:
        found = await self.grants.list_of_user(message.user_id)
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
        return Revoked(grants=await self.grants.revoke_client(message.user_id, message.client_id))

    async def authenticate_bearer(self, message: AuthenticateBearer) -> BearerFound:
        """The caller of one of our APIs; empty unless the token is active and the API is in its audience (IR-01, MG-06).

        Raises TOKEN-301..315 unless it has the key that the token is bound to.
        """
        active = await self.active_tokens.find(message.token)
        if active is None or active.person.user is None or message.audience not in active.audience:
            return BearerFound()
        # A service that received a token must not act for its user at our own API (decision 0096).
        if active.is_exchanged:
            return BearerFound()
        # Removing management access ends existing tokens too (decision 0085).
        if active.client is not None and not active.client.management_access:
            return BearerFound()
        if active.jkt or message.proofs is not None:
            await self._require_possession(message, active)
        grant = active.grant
        bearer = Bearer(
            user_id=active.user_id,
            org_id=active.person.user.org_id,
            client_id=active.client_id,
            scope=active.scope,
            expires=active.expires,
            auth_time=grant.auth_time if grant and grant.origin is Origin.SIGN_IN else 0,
            acr=grant.acr if grant else "",
            session_id=grant.session_id if grant else "",
            auth_time_proven=grant.auth_time_proven if grant else True,
            session_began=grant.session_began if grant else 0,
        )
        return BearerFound(bearer=bearer)

    async def _require_possession(self, message: AuthenticateBearer, active: ActiveToken) -> None:
        presented = PresentedToken(message.token, is_bound=message.proofs is not None)
        call = call_of(active.client, message.method, self.proofs.issuer + message.path, message.token)
        await require_possession(self.proofs, presented, active.jkt, message.proofs or (), call)
