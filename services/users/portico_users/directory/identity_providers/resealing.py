"""The migration that seals the client secrets at identity providers under the newest master key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from portico_oauth.master_keys import UnsealingFailed
from portico_runtime.migrations import ById, Collection
from portico_runtime.mongo import Database
from pymongo import UpdateOne

from portico_users.directory.identity_providers.secrets import SecretSealer
from portico_users.directory.identity_providers.store import IDPS
from portico_users.kernel.entry import Document

_SECRET: Final = "sealedSecret"


@dataclass(frozen=True, slots=True)
class ProviderSecrets(ById):
    """See `portico_runtime.migrations.Migration`."""

    database: Database
    sealer: SecretSealer
    name: ClassVar[str] = "provider-secrets"
    text: ClassVar[str] = "secrets at identity providers, sealed under the newest master key"

    @property
    def rows(self) -> Collection:
        """See `ById.rows`."""
        return self.database[IDPS.name]

    @property
    def due(self) -> Document:
        """See `ById.due`."""
        return {_SECRET: self.sealer.due}

    def change(self, document: Document) -> UpdateOne | None:
        """See `ById.change`."""
        idp = IDPS.record(document)
        try:
            secret = self.sealer.unseal(idp.sealed_secret, idp.id, idp.config.sealed_for)
        except UnsealingFailed:
            return None
        sealed = self.sealer.seal(secret, idp.id, idp.config.sealed_for)
        return UpdateOne({"_id": idp.id, _SECRET: idp.sealed_secret}, {"$set": {_SECRET: sealed}})
