from __future__ import annotations

from typing import Final

from portico_contracts.events import WEBHOOK_CHANGED
from portico_oauth.errors import ErrorCode, Kind
from portico_runtime.mongo.client import guarded
from pymongo import ASCENDING, IndexModel

from portico_users.storage.entry import Document, Table
from portico_users.storage.reader import Reader
from portico_users.storage.schema import listing_indexes
from portico_users.values.names import INSTANCE, MAX_LENGTH, canonical
from portico_users.values.records import State, name_key
from portico_users.webhooks.rules import MIGRATION
from portico_users.webhooks.webhook import Webhook

WEBHOOK_NOT_FOUND = ErrorCode("USER-800", Kind.NOT_FOUND, "Webhook not found.", "Check the id of the webhook.")


SECOND_HOOK = ErrorCode(
    "USER-155",
    Kind.ALREADY_EXISTS,
    "The project, or the instance, already has a token hook.",
    "Change that webhook, or remove it before you add another one.",
)


def _keys(webhook: Webhook) -> Document:
    keys: Document = {"nameKey": name_key(webhook, webhook.name)}
    # Absent from other webhooks, so that the index has the few token hooks only.
    if webhook.is_token_hook and webhook.state is not State.DELETED:
        keys["tokenHookKey"] = webhook.project_id or INSTANCE
    return keys


WEBHOOK_TABLE: Final[Table[Webhook]] = Table(
    "webhooks",
    Webhook,
    WEBHOOK_CHANGED,
    _keys,
    private=frozenset({"secrets"}),
    indexes=(
        IndexModel([("orgId", ASCENDING), ("nameKey", ASCENDING)], unique=True),
        *listing_indexes("nameKey", owners=("orgId",)),
        IndexModel([("tokenHookKey", ASCENDING)], unique=True, sparse=True),
    ),
    duplicates={"tokenHookKey": SECOND_HOOK},
)


class MongoWebhooks(Reader[Webhook]):
    """Finds webhooks, without removed ones."""

    table = WEBHOOK_TABLE

    async def find_owned(self, id: str, owner_id: str) -> Webhook | None:
        webhook = await self.find(id[: MAX_LENGTH + 1])
        if webhook is None or webhook.state is State.DELETED or webhook.org_id != owner_id:
            return None
        return webhook

    async def find_by_name(self, owner_id: str, name: str) -> Webhook | None:
        return await self.find_where({"orgId": owner_id, "nameKey": canonical(name)})

    async def list_receiving(self, org_id: str, limit: int) -> list[Webhook]:
        """Returns the active webhooks of an organization and of the instance."""
        owners = list(dict.fromkeys((org_id, INSTANCE)))
        return await self.list_where({"orgId": {"$in": owners}, "state": State.ACTIVE.value}, limit)

    async def find_migrating(self, org_id: str) -> Webhook | None:
        return await self.find_where({"orgId": org_id, "state": State.ACTIVE.value, "eventTypes": MIGRATION})

    async def find_token_hook(self, project_id: str) -> Webhook | None:
        """Returns the active hook of the project, else of the instance."""
        question = {"tokenHookKey": {"$in": [project_id, INSTANCE]}, "state": State.ACTIVE.value}
        found = await self.list_where(question, 2)
        return max(found, key=lambda one: bool(one.project_id), default=None)

    async def find_hook_of(self, project_id: str) -> Webhook | None:
        """Returns the hook of the project in any state, and without a project that of the instance."""
        return await self.find_where({"tokenHookKey": project_id or INSTANCE})

    async def count(self, owner_id: str) -> int:
        async with guarded():
            return await self._rows.count_documents({"orgId": owner_id, "state": {"$ne": State.DELETED.value}})
