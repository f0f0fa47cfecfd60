"""The migration that seals the secrets of webhooks under the newest master key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

import msgspec
from portico_oauth.master_keys import UnsealingFailed
from portico_runtime.migrations import ById, Collection
from portico_runtime.mongo import Database
from pymongo import UpdateOne

from portico_users.directory.identity_providers.secrets import SecretSealer
from portico_users.kernel.entry import Document
from portico_users.notifications.webhooks.changes import resealed
from portico_users.notifications.webhooks.store import WEBHOOK_TABLE

_SECRETS: Final = "secrets"


@dataclass(frozen=True, slots=True)
class WebhookSecrets(ById):
    """See `portico_runtime.migrations.Migration`."""

    database: Database
    sealer: SecretSealer
    name: ClassVar[str] = "webhook-secrets"
    text: ClassVar[str] = "secrets of webhooks, sealed under the newest master key"

    @property
    def rows(self) -> Collection:
        """See `ById.rows`."""
        return self.database[WEBHOOK_TABLE.name]

    @property
    def due(self) -> Document:
        """See `ById.due`."""
        return {_SECRETS: {"$elemMatch": {"sealed": self.sealer.due}}}

    def change(self, document: Document) -> UpdateOne | None:
        """See `ById.change`."""
        try:
            secrets = resealed(WEBHOOK_TABLE.record(document), self.sealer)
        except UnsealingFailed:
            return None
        same = {"_id": document["_id"], _SECRETS: document[_SECRETS]}
        return UpdateOne(same, {"$set": {_SECRETS: msgspec.to_builtins(secrets)}})
