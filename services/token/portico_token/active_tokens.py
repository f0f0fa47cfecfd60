"""From the text of an access token to what it stands for right now, or nothing.

Userinfo, introspection and every API of our own ask here, so all of them mean the same by "active": a form
that is ours, a signature of a published key, a live grant that knows exactly this text, not expired, a client
and a user that are still there (P3, TK-11, JW-14, IR-04).
"""

from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.users import Client, UserClaims
from portico_oauth.jose import MAX_TOKEN, NotAToken, unverified_header
from portico_oauth.opaque import fingerprint
from portico_runtime.clock import Clock

from portico_token.directory import Directory
from portico_token.domain.grants import AccessToken, Grant, GrantStore
from portico_token.domain.token_text import grant_id_in
from portico_token.signing.key_ring import KeyRing
from portico_token.signing.signer import ACCESS_TOKEN_TYPE


@dataclass(frozen=True, slots=True)
class ActiveToken:
    """An access token that may be used now."""

    grant: Grant
    token: AccessToken
    client: Client
    person: UserClaims


class ActiveTokens:
    """Finds active access tokens."""

    def __init__(self, grants: GrantStore, directory: Directory, ring: KeyRing, clock: Clock) -> None:
        self._grants = grants
        self._directory = directory
        self._ring = ring
        self._clock = clock

    async def find(self, text: str) -> ActiveToken | None:
        """What the token stands for; None for unknown, malformed, expired, revoked and disabled alike.

        Raises:
            Refusal: `unavailable` when it cannot be known.
        """
        grant_id = self._grant_id(text)
        found = await self._grants.find(grant_id, fingerprint(text)) if grant_id else None
        if found is None or found[1].expires <= self._clock.now():
            return None
        grant, token = found
        client = await self._directory.find_client(grant.client_id)
        person = await self._directory.claims_of(grant.user_id)
        if client is None or person.user is None:
            return None
        return ActiveToken(grant, token, client, person)

    def _grant_id(self, text: str) -> str | None:
        if len(text) > MAX_TOKEN or not text.isascii():
            return None
        if text.count(".") != 2:
            return grant_id_in(text)
        try:
            token_id = self._verified(text).get("jti")
        except NotAToken:
            return None
        return grant_id_in(token_id) if isinstance(token_id, str) else None

    def _verified(self, text: str) -> dict[str, object]:
        """The claims of a JWT access token; its key must still be published (IR-16)."""
        header = unverified_header(text)
        kid = header.get("kid")
        key = self._ring.find_verification_key(kid) if isinstance(kid, str) else None
        if key is None or header.get("typ") != ACCESS_TOKEN_TYPE:
            raise NotAToken
        return key.verify(text)
