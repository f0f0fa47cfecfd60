"""Emails to users that could not be delivered, by user and address, for a week."""

from __future__ import annotations

from dataclasses import dataclass

from portico_oauth.opaque import fingerprint
from portico_runtime.mongo.client import Database, guarded

from portico_users.notifications.email.queue import EMAILS, GIVEN_UP


@dataclass(frozen=True, slots=True)
class DeliveryFailures:
    database: Database

    async def find(self, user_id: str, address: str) -> str:
        """Returns why the last email to a user could not be delivered to this address; empty if it could."""
        question = {"userId": user_id, "to": fingerprint(address), "state": GIVEN_UP}
        async with guarded():
            row = await self.database[EMAILS].find_one(question, {"cause": 1}, sort=[("forgetAt", -1)])
        return str(row["cause"]) if row else ""
