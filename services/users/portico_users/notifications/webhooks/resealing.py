"""The migration that seals the secrets of webhooks under the newest master key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import msgspec
from portico_oauth.master_keys import UnsealingFailed
from portico_runtime.migrations import Portion, carry_by_id
from portico_runtime.mongo import Database, guarded
from pymongo import UpdateOne

from portico_users.directory.identity_providers.secrets import SecretSealer
from portico_users.kernel.entry import Document
from portico_users.notifications.webhooks.changes import resealed
from portico_users.notifications.webhooks.store import WEBHOOK_TABLE

_SECRETS: Final = "secrets"


@dataclass(frozen=True, slots=True)
class WebhookSecrets:
    """See `portico_runtime.migrations.Migration`."""

    database: Database
    sealer: SecretSealer
    name: str = "webhook-secrets"
    text: str = "secrets of webhooks, sealed under the newest master key"

    async def count_left(self) -> int:
        """How many webhooks have a secret under an older master key."""
        async with guarded():
            return await self.database[WEBHOOK_TABLE.name].count_documents(self._due)

    async def carry(self, after: str) -> Portion:
        """Seals the next ones anew."""
        return await carry_by_id(self.database[WEBHOOK_TABLE.name], self._due, after, self._change)

    @property
    def _due(self) -> Document:
        return {_SECRETS: {"$elemMatch": {"sealed": self.sealer.due}}}

    def _change(self, document: Document) -> UpdateOne | None:
        try:
            secrets = resealed(WEBHOOK_TABLE.record(document), self.sealer)
        except UnsealingFailed:
            return None
        same = {"_id": document["_id"], _SECRETS: document[_SECRETS]}
        return UpdateOne(same, {"$set": {_SECRETS: msgspec.to_builtins(secrets)}})
