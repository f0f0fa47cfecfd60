"""The migration that seals the secrets of authenticator apps under the newest master key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from portico_oauth.errors import ServiceError
from portico_runtime.migrations import ById, Collection
from portico_runtime.mongo import Database
from pymongo import UpdateOne

from portico_users.credentials.totp.authenticators import SECRETS, TotpAuthenticators
from portico_users.kernel.entry import Document


@dataclass(frozen=True, slots=True)
class AuthenticatorSecrets(ById):
    """See `portico_runtime.migrations.Migration`."""

    database: Database
    authenticators: TotpAuthenticators
    name: ClassVar[str] = "authenticator-secrets"
    text: ClassVar[str] = "secrets of authenticator apps, sealed under the newest master key"

    @property
    def rows(self) -> Collection:
        """See `ById.rows`."""
        return self.database[SECRETS]

    @property
    def due(self) -> Document:
        """See `ById.due`."""
        keys = self.authenticators.master_keys
        return {"sealed.master": {"$exists": True, "$ne": keys.sealing} if keys else {"$in": []}}

    def change(self, row: Document) -> UpdateOne | None:
        """See `ById.change`."""
        try:
            anew = self.authenticators.resealed(row)
        except ServiceError:
            return None
        # The step of the last code stays: a code is used once, also while this runs.
        return UpdateOne({"_id": row["_id"], "sealed": row["sealed"]}, {"$set": anew})
