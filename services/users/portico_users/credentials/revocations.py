"""What must end when a credential changes: every grant of the user, at token, before the change is answered (IR-14).

The wish is written in the transaction of the change, so that it outlives whatever breaks; whoever changes asks token
at once, and where that fails the background work goes on asking.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, Final

import structlog
from portico_contracts.token import REVOKE_USER, RevokeUser
from portico_oauth.errors import Refusal
from portico_oauth.opaque import RandomBytes
from portico_runtime.bus import Bus
from portico_runtime.clock import Clock
from portico_runtime.mongo import Database, guarded
from pymongo import ASCENDING, IndexModel

from portico_users.domain.names import new_id
from portico_users.journal.entry import Attachment
from portico_users.journal.schema import Indexes

log = structlog.get_logger("portico.revocations")

REVOCATIONS: Final = "revocations"
REVOCATION_INDEXES: Final[Indexes] = {REVOCATIONS: (IndexModel([("notBefore", ASCENDING)]),)}

ASKED_SECONDS: Final = 1.0
"""How long token may take: whoever waits for the change has a deadline of its own."""

TAKEOVER_SECONDS: Final = 5.0
"""When the background work takes over from whoever made the change, and its pause between attempts."""

PAUSE: Final = 1.0
BATCH: Final = 100


@dataclass(frozen=True, slots=True)
class Revocations:
    """The wishes in MongoDB, by user."""

    database: Database
    bus: Bus
    clock: Clock
    random: RandomBytes

    def wish(self, user_id: str) -> Attachment:
        """The wish, to be written in the transaction of the change."""
        due = self.clock.now() + TAKEOVER_SECONDS
        return Attachment(REVOCATIONS, user_id, {"ticket": new_id(self.random), "notBefore": due})

    async def is_pending(self, user_id: str) -> bool:
        """A change was made and its revocation is not known to be done."""
        return await self._find(user_id) is not None

    async def fulfil(self, user_id: str) -> None:
        """Asks token, and forgets the wish once it answered; does nothing without a wish.

        Raises:
            Refusal: `unavailable`, while it is not known that all grants are ended.
        """
        wish = await self._find(user_id)
        if wish is None:
            return
        await self.bus.call(REVOKE_USER, RevokeUser(user_id=user_id), seconds=ASKED_SECONDS)
        async with guarded():
            await self.database[REVOCATIONS].delete_one({"_id": user_id, "ticket": wish["ticket"]})

    async def carry(self) -> None:
        """One round of the background work: what is due, then a pause."""
        await self.carry_due()
        await asyncio.sleep(PAUSE)

    async def carry_due(self) -> None:
        """Fulfils what whoever made the change did not."""
        now = self.clock.now()
        rows = self.database[REVOCATIONS]
        async with guarded():
            due = await rows.find({"notBefore": {"$lte": now}}).to_list(BATCH)
        for wish in due:
            async with guarded():
                await rows.update_one(
                    {"_id": wish["_id"], "ticket": wish["ticket"]}, {"$set": {"notBefore": now + TAKEOVER_SECONDS}}
                )
            try:
                await self.fulfil(wish["_id"])
            except Refusal as refusal:
                log.warning("grants not ended yet", user_id=wish["_id"], fact=refusal.id)

    async def _find(self, user_id: str) -> dict[str, Any] | None:
        async with guarded():
            return await self.database[REVOCATIONS].find_one({"_id": user_id})
