from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final

import msgspec
from portico_runtime.mongo.client import Database, guarded, only_duplicates
from portico_runtime.process.clock import Clock
from pymongo import ASCENDING, IndexModel
from pymongo.errors import BulkWriteError

from portico_users.storage.entry import Document
from portico_users.storage.listing import Page, PagedRows
from portico_users.storage.schema import Indexes
from portico_users.webhooks.webhook import GIVE_UP_SECONDS, retry_after

DELIVERIES: Final = "webhookDeliveries"
KEPT_SECONDS: Final = 604_800.0
"""How long finished deliveries are logged."""

KEPT_ATTEMPTS: Final = 10
"""The last attempts are logged individually; all are counted."""

DELIVERY_INDEXES: Final[Indexes] = {
    DELIVERIES: (
        IndexModel([(name, ASCENDING) for name in ("webhookId", "state", "at", "sequence", "_id")]),
        IndexModel([("webhookId", ASCENDING), ("state", ASCENDING), ("notBefore", ASCENDING)]),
        IndexModel([("webhookId", ASCENDING), ("at", ASCENDING), ("sequence", ASCENDING), ("_id", ASCENDING)]),
        IndexModel([("forgetAt", ASCENDING)], expireAfterSeconds=0),
    )
}


class DeliveryState(StrEnum):
    """The state of a delivery; `WITHDRAWN` was not sent because the webhook was deactivated or removed."""

    WAITING = "waiting"
    DELIVERED = "delivered"
    GIVEN_UP = "given up"
    WITHDRAWN = "withdrawn"


class Attempt(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """An attempt; ``status`` is 0 without a response. Nothing else of a response is stored."""

    at: float
    status: int
    milliseconds: int
    cause: str = ""


class Delivery(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """An event for a webhook.

    Attributes:
        object, sequence, at: of the event.
        not_before: time of the next attempt.
        until: time of giving up.
        attempts: their number; `log` has the last ones.
        tried: unix seconds of the first attempt; 0 before it and after a manual resend.
    """

    webhook_id: str
    event_id: str
    type: str
    object: str
    sequence: int
    at: float
    body: str
    not_before: float
    until: float
    state: DeliveryState = DeliveryState.WAITING
    attempts: int = 0
    log: tuple[Attempt, ...] = ()
    tried: float = 0.0

    @property
    def id(self) -> str:
        """Unique for webhook and event. Event ids are generated here and contain no dot."""
        return f"{self.event_id}.{self.webhook_id}"


@dataclass(frozen=True, slots=True)
class Deliveries:
    """Finds and changes deliveries. All methods raise `unavailable` if the database does not respond."""

    database: Database
    clock: Clock

    async def put(self, deliveries: Iterable[Delivery]) -> None:
        """Stores pending deliveries; existing ones stay unchanged."""
        rows = [msgspec.to_builtins(one) | {"_id": one.id} for one in deliveries]
        async with guarded():
            try:
                await self.database[DELIVERIES].insert_many(rows, ordered=False)
            except BulkWriteError as error:
                if not only_duplicates(error):
                    raise

    async def put_failed(self, delivery: Delivery, attempt: Attempt) -> None:
        """Stores what failed and is not tried again, such as the call of a token hook."""
        ended = msgspec.structs.replace(delivery, state=DeliveryState.GIVEN_UP, attempts=1, log=(attempt,))
        row = msgspec.to_builtins(ended) | {"_id": ended.id, **self._ended(DeliveryState.GIVEN_UP)}
        async with guarded():
            await self.database[DELIVERIES].insert_one(row)

    async def find(self, webhook_id: str, event_id: str) -> Delivery | None:
        async with guarded():
            row = await self.database[DELIVERIES].find_one({"_id": f"{event_id}.{webhook_id}"})
        return _delivery(row) if row else None

    async def search(self, question: Document, page: Page) -> tuple[int, list[Delivery]]:
        pages = PagedRows(self.database[DELIVERIES], order=("sequence", "_id"))
        async with guarded():
            total, found = await pages.read(question, page)
        return total, [_delivery(row) for row in found]

    async def list_due(self, webhook_id: str, limit: int) -> list[list[Delivery]]:
        """Returns due deliveries by object, each in event order; the longest waiting object first."""
        waiting = _waiting(webhook_id)
        due = {**waiting, "notBefore": {"$lte": self.clock.now()}}
        async with guarded():
            rows = self.database[DELIVERIES].find(due).sort([("at", 1), ("sequence", 1)]).limit(limit)
            found = [_delivery(row) for row in await rows.to_list(limit)]
            ahead = await self._first_not_due([one.object for one in found], waiting) if found else {}
        by_object: dict[str, list[Delivery]] = {}
        for one in found:
            before = ahead.get(one.object)
            if before is not None and before["sequence"] < one.sequence:
                await self._wait_for(one, before["notBefore"])
            else:
                by_object.setdefault(one.object, []).append(one)
        return list(by_object.values())

    async def find_next_time(self, webhook_id: str) -> float | None:
        async with guarded():
            row = await self.database[DELIVERIES].find_one(
                _waiting(webhook_id), {"notBefore": 1}, sort=[("notBefore", 1)]
            )
        return float(row["notBefore"]) if row else None

    async def settle(self, delivery: Delivery, attempt: Attempt, asked: float = 0.0) -> DeliveryState:
        """Records an attempt and its result; ``asked`` is the pause in seconds requested by the receiver."""
        pause = max(retry_after(delivery.attempts + 1), asked)
        later, state = self.clock.now() + pause, DeliveryState.WAITING
        if not attempt.cause:
            state = DeliveryState.DELIVERED
        elif later >= delivery.until:
            state = DeliveryState.GIVEN_UP
        values = {"notBefore": later} if state is DeliveryState.WAITING else self._ended(state)
        values["tried"] = delivery.tried or attempt.at
        log = {"$each": [msgspec.to_builtins(attempt)], "$slice": -KEPT_ATTEMPTS}
        changes = {"$set": values, "$inc": {"attempts": 1}, "$push": {"log": log}}
        async with guarded():
            await self.database[DELIVERIES].update_one(_still(delivery), changes)
        return state

    async def withdraw(self, webhook_id: str) -> None:
        """Withdraws pending deliveries; they can still be resent manually."""
        async with guarded():
            await self.database[DELIVERIES].update_many(
                _waiting(webhook_id), {"$set": self._ended(DeliveryState.WITHDRAWN)}
            )

    async def hurry(self, webhook_id: str) -> None:
        later = {**_waiting(webhook_id), "notBefore": {"$gt": self.clock.now()}}
        async with guarded():
            await self.database[DELIVERIES].update_many(later, {"$set": {"notBefore": self.clock.now()}})

    async def send_again(self, delivery: Delivery) -> None:
        """Makes a delivery due at once in any state; its log continues."""
        now = self.clock.now()
        again = {"notBefore": now, "until": now + GIVE_UP_SECONDS, "tried": 0.0}
        values = {"state": DeliveryState.WAITING.value, **again}
        async with guarded():
            await self.database[DELIVERIES].update_one(
                {"_id": delivery.id}, {"$set": values, "$unset": {"forgetAt": ""}}
            )

    async def _first_not_due(self, objects: list[str], waiting: Document) -> dict[str, Document]:
        later = {**waiting, "notBefore": {"$gt": self.clock.now()}, "object": {"$in": objects}}
        first = {"_id": "$object", "sequence": {"$first": "$sequence"}, "notBefore": {"$first": "$notBefore"}}
        rows = self.database[DELIVERIES].aggregate([{"$match": later}, {"$sort": {"sequence": 1}}, {"$group": first}])
        return {row["_id"]: row for row in await rows.to_list(None)}

    async def _wait_for(self, delivery: Delivery, not_before: float) -> None:
        """Postpones a delivery until its predecessor is retried, to save useless polls."""
        async with guarded():
            await self.database[DELIVERIES].update_one(_still(delivery), {"$set": {"notBefore": not_before}})

    def _ended(self, state: DeliveryState) -> Document:
        forget = datetime.fromtimestamp(self.clock.now() + KEPT_SECONDS, UTC)
        return {"state": state.value, "forgetAt": forget}


def _waiting(webhook_id: str) -> Document:
    return {"webhookId": webhook_id, "state": DeliveryState.WAITING.value}


def _still(delivery: Delivery) -> Document:
    return {"_id": delivery.id, "state": DeliveryState.WAITING.value}


def _delivery(row: Document) -> Delivery:
    return msgspec.convert(row, Delivery)
