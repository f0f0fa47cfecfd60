"""Whether a mail server or hook accepts messages: a record of the instance, and of each sender, in MongoDB."""

from __future__ import annotations

from typing import Final

import msgspec
import structlog
from portico_oauth.errors import ServiceError
from portico_runtime.mongo.client import Database, guarded
from portico_runtime.process.clock import Clock

from portico_users.storage.entry import Document
from portico_users.values.names import INSTANCE

log = structlog.get_logger("portico.mail")

DELIVERY: Final = "mailDelivery"

WRITE_SECONDS: Final = 60.0
"""How long a replica does not write a result that repeats its last one, so that many emails cost few writes."""


_MOST_REMEMBERED: Final = 1_000


class EmailDelivery(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Times are in unix seconds, 0 for never."""

    delivered_at: float = 0.0
    failed_at: float = 0.0
    failure: str = ""

    @property
    def never_delivered(self) -> bool:
        return bool(self.failed_at) and not self.delivered_at

    @property
    def current_failure(self) -> str:
        """The response to the last attempt; empty if it was delivered."""
        return self.failure if self.failed_at > self.delivered_at else ""


class DeliveryRecord:
    """``of`` is the id of a sender, or by default the mail server of the instance."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._rows = database[DELIVERY]
        self._clock = clock
        self._written: dict[str, tuple[str, float]] = {}

    async def find(self, of: str = INSTANCE) -> EmailDelivery:
        async with guarded():
            row = await self._rows.find_one({"_id": of})
        return msgspec.convert(row, EmailDelivery) if row else EmailDelivery()

    async def delivered(self, of: str = INSTANCE, *, always: bool = False) -> None:
        await self._write(of, "", {"deliveredAt": self._clock.now()}, always=always)

    async def failed(self, failure: str, of: str = INSTANCE, *, always: bool = False) -> None:
        await self._write(of, failure, {"failedAt": self._clock.now(), "failure": failure}, always=always)

    async def _write(self, of: str, result: str, values: Document, *, always: bool) -> None:
        """Messages do not depend on the record: an error is only logged."""
        now = self._clock.now()
        last, at = self._written.get(of, ("", float("-inf")))
        if not always and result == last and now < at + WRITE_SECONDS:
            return
        try:
            async with guarded():
                await self._rows.update_one({"_id": of}, {"$set": values}, upsert=True)
        except ServiceError:
            log.warning("result of an email not recorded")
        else:
            if len(self._written) > _MOST_REMEMBERED:
                self._written.clear()
            self._written[of] = result, now
