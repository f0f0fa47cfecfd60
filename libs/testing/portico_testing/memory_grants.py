"""token's grant store in memory, held to the same conformance suite as the one on Redis."""

from __future__ import annotations

from portico_oauth.errors import UNAVAILABLE
from portico_token.domain.grants import AccessToken, Grant, Kept


class MemoryGrants:
    """`GrantStore` in memory."""

    def __init__(self) -> None:
        self._grants: dict[str, tuple[Grant, dict[str, AccessToken]]] = {}
        self._revoked: set[str] = set()
        self._over: set[tuple[str, str]] = set()
        self.down = False
        """When true, everything is `unavailable`."""

    async def keep(self, grant: Grant, fingerprint: str, token: AccessToken) -> Kept:
        """See `GrantStore.keep`."""
        self._refuse_when_down()
        if (grant.user_id, grant.session_id) in self._over:
            return Kept.SESSION_OVER
        if grant.id in self._revoked or grant.id in self._grants:
            return Kept.REVOKED_BEFORE
        self._grants[grant.id] = (grant, {fingerprint: token})
        return Kept.LIVE

    async def find(self, grant_id: str, fingerprint: str) -> tuple[Grant, AccessToken] | None:
        """See `GrantStore.find`."""
        self._refuse_when_down()
        grant, tokens = self._grants.get(grant_id, (None, {}))
        return (grant, tokens[fingerprint]) if grant and fingerprint in tokens else None

    async def revoke(self, grant_id: str) -> bool:
        """See `GrantStore.revoke`."""
        self._refuse_when_down()
        self._grants.pop(grant_id, None)
        first = grant_id not in self._revoked
        self._revoked.add(grant_id)
        return first

    async def end_session(self, user_id: str, session_id: str) -> int:
        """See `GrantStore.end_session`."""
        self._refuse_when_down()
        self._over.add((user_id, session_id))
        ended = [
            grant.id
            for grant, _tokens in self._grants.values()
            if (grant.user_id, grant.session_id) == (user_id, session_id)
        ]
        for grant_id in ended:
            del self._grants[grant_id]
        return len(ended)

    def _refuse_when_down(self) -> None:
        if self.down:
            raise UNAVAILABLE.refusal(retry_after=1, part="memory")
