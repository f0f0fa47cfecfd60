"""The migration that seals the client secrets at identity providers under the newest master key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from portico_oauth.master_keys import UnsealingFailed
from portico_runtime.migrations import Portion, carry_by_id
from portico_runtime.mongo import Database, guarded
from pymongo import UpdateOne

from portico_users.directory.identity_providers.secrets import SecretSealer
from portico_users.directory.identity_providers.store import IDPS
from portico_users.kernel.entry import Document

_SECRET: Final = "sealedSecret"


@dataclass(frozen=True, slots=True)
class ProviderSecrets:
    """See `portico_runtime.migrations.Migration`."""

    database: Database
    sealer: SecretSealer
    name: str = "provider-secrets"
    text: str = "secrets at identity providers, sealed under the newest master key"

    async def count_left(self) -> int:
        """How many providers have a secret under an older master key."""
        async with guarded():
            return await self.database[IDPS.name].count_documents(self._due)

    async def carry(self, after: str) -> Portion:
        """Seals the next ones anew."""
        return await carry_by_id(self.database[IDPS.name], self._due, after, self._change)

    @property
    def _due(self) -> Document:
        return {_SECRET: self.sealer.due}

    def _change(self, document: Document) -> UpdateOne | None:
        idp = IDPS.record(document)
        try:
            secret = self.sealer.unseal(idp.sealed_secret, idp.id, idp.config.sealed_for)
        except UnsealingFailed:
            return None
        sealed = self.sealer.seal(secret, idp.id, idp.config.sealed_for)
        return UpdateOne({"_id": idp.id, _SECRET: idp.sealed_secret}, {"$set": {_SECRET: sealed}})
