"""The migration that seals the secrets of authenticator apps under the newest master key."""

from __future__ import annotations

from dataclasses import dataclass

from portico_oauth.errors import ServiceError
from portico_runtime.migrations import Portion, carry_by_id
from portico_runtime.mongo import Database, guarded
from pymongo import UpdateOne

from portico_users.credentials.totp.authenticators import SECRETS, TotpAuthenticators
from portico_users.kernel.entry import Document


@dataclass(frozen=True, slots=True)
class AuthenticatorSecrets:
    """See `portico_runtime.migrations.Migration`."""

    database: Database
    authenticators: TotpAuthenticators
    name: str = "authenticator-secrets"
    text: str = "secrets of authenticator apps, sealed under the newest master key"

    async def count_left(self) -> int:
        """How many secrets an older master key sealed."""
        async with guarded():
            return await self.database[SECRETS].count_documents(self._due)

    async def carry(self, after: str) -> Portion:
        """Seals the next ones anew."""
        return await carry_by_id(self.database[SECRETS], self._due, after, self._change)

    @property
    def _due(self) -> Document:
        keys = self.authenticators.master_keys
        return {"sealed.master": {"$exists": True, "$ne": keys.sealing} if keys else {"$in": []}}

    def _change(self, row: Document) -> UpdateOne | None:
        try:
            anew = self.authenticators.resealed(row)
        except ServiceError:
            return None
        # The step of the last code stays: a code is used once, also while this runs.
        return UpdateOne({"_id": row["_id"], "sealed": row["sealed"]}, {"$set": anew})
