"""What token answers on the bus."""

from __future__ import annotations

from portico_contracts.token import REVOKE_SESSION, Revoked, RevokeSession
from portico_runtime.bus import Bus

from portico_token.domain.grants import GrantStore


class Messages:
    """The questions of `portico_contracts.token`."""

    def __init__(self, grants: GrantStore) -> None:
        self._grants = grants

    def answer_on(self, bus: Bus) -> None:
        """Registers the answers. Call before the bus starts."""
        bus.answer(REVOKE_SESSION, self.revoke_session)

    async def revoke_session(self, message: RevokeSession) -> Revoked:
        """Ends every grant of a session; answered once that is durable."""
        return Revoked(grants=await self._grants.end_session(message.user_id, message.session_id))
