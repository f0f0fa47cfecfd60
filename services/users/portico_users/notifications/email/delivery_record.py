"""Whether the mail server accepts emails: one record of the instance in MongoDB."""

from __future__ import annotations

from typing import Final

import msgspec
import structlog
from portico_oauth.errors import ServiceError
from portico_runtime.clock import Clock
from portico_runtime.mongo import Database, guarded

from portico_users.kernel.entry import Document
from portico_users.kernel.names import INSTANCE

log = structlog.get_logger("portico.mail")

DELIVERY: Final = "mailDelivery"

WRITE_SECONDS: Final = 60.0
"""How long a replica does not write a result that repeats its last one, so that many emails cost few writes."""


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
    def __init__(self, database: Database, clock: Clock) -> None:
        self._rows = database[DELIVERY]
        self._clock = clock
        self._written = ""
        self._written_at = float("-inf")

    async def find(self) -> EmailDelivery:
        async with guarded():
            row = await self._rows.find_one({"_id": INSTANCE})
        return msgspec.convert(row, EmailDelivery) if row else EmailDelivery()

    async def delivered(self, *, always: bool = False) -> None:
        await self._write("", {"deliveredAt": self._clock.now()}, always=always)

    async def failed(self, failure: str, *, always: bool = False) -> None:
        await self._write(failure, {"failedAt": self._clock.now(), "failure": failure}, always=always)

    async def _write(self, result: str, values: Document, *, always: bool) -> None:
        """Emails do not depend on the record: an error is only logged."""
        now = self._clock.now()
        if not always and result == self._written and now < self._written_at + WRITE_SECONDS:
            return
        try:
            async with guarded():
                await self._rows.update_one({"_id": INSTANCE}, {"$set": values}, upsert=True)
        except ServiceError:
            log.warning("result of an email not recorded")
        else:
            self._written, self._written_at = result, now
