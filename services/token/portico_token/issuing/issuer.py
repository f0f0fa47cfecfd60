"""Issue: from a grantable to a token set, kept before it is handed out."""

from __future__ import annotations

from portico_contracts.users import Client, UserClaims
from portico_oauth.errors import Fact, Kind
from portico_oauth.scopes import OPENID
from portico_runtime.clock import Clock

from portico_token.directory import Directory
from portico_token.domain.grants import Grant, GrantStore, Kept
from portico_token.domain.token_set import BEARER, TokenSet
from portico_token.grants.protocol import Grantable
from portico_token.issuing.access_tokens import AccessTokens
from portico_token.issuing.id_tokens import IdTokens, needs_person

USER_GONE = Fact(
    "TOKEN-040", Kind.GRANT_SPENT, "The user of this grant is not active.", "The user must be able to sign in."
)
SESSION_OVER = Fact(
    "TOKEN-041", Kind.GRANT_SPENT, "The session of this grant has ended.", "The user must sign in again."
)


class Issuer:
    """Makes and keeps tokens."""

    def __init__(
        self, access_tokens: AccessTokens, id_tokens: IdTokens, grants: GrantStore, directory: Directory, clock: Clock
    ) -> None:
        self._access_tokens = access_tokens
        self._id_tokens = id_tokens
        self._grants = grants
        self._directory = directory
        self._clock = clock

    async def issue(self, granted: Grantable, client: Client) -> TokenSet:
        """The tokens of a grant that was just claimed.

        Raises:
            Refusal: TOKEN-040 when the user is gone, TOKEN-041 when the session has ended meanwhile,
                `unavailable` when nobody can tell, or nothing can be signed or kept.
        """
        grant = granted.grant
        person = await self._load_person(grant, client)
        now = int(self._clock.now())
        access = self._access_tokens.make(grant, client, now)
        kept = await self._grants.keep(grant, access.fingerprint, access.kept)
        if kept is Kept.SESSION_OVER:
            raise SESSION_OVER.refusal(grant=grant.id)
        # With Kept.REVOKED_BEFORE the winner of a race is answered all the same; its tokens are inactive.
        return TokenSet(
            access_token=access.text,
            token_type=BEARER,
            expires_in=access.kept.expires - now,
            scope=" ".join(access.kept.scope),
            id_token=self._id_tokens.make(granted, client, person, access.text, now) if OPENID in grant.scope else None,
        )

    async def _load_person(self, grant: Grant, client: Client) -> UserClaims:
        """The person, still active; with claims only where the id_token says them."""
        if needs_person(grant, client):
            person = await self._directory.claims_of(grant.user_id)
        else:
            person = UserClaims(user=await self._directory.find_user(grant.user_id))
        if person.user is None:
            raise USER_GONE.refusal(grant=grant.id)
        return person
