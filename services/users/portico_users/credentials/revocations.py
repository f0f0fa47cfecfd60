"""What must end when a user may not go on as before: every grant at token, before the change is answered (IR-14).

The wish is written in the transaction of the change, so that it outlives whatever breaks; whoever changes asks token
at once, and where that fails the background work goes on asking. Who was answered 503 meanwhile may ask again: the
wish stays until then, for a while, and says that the change is theirs.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

import structlog
from portico_contracts.authz import END_SESSIONS, EndSessions
from portico_contracts.token import REVOKE_USER, RevokeUser
from portico_oauth.errors import ServiceError
from portico_oauth.opaque import RandomBytes
from portico_runtime.clock import Clock
from portico_runtime.mongo import Database, guarded
from pymongo import ASCENDING, IndexModel

from portico_users.kernel.bus import Bus
from portico_users.kernel.entry import Attachment
from portico_users.kernel.names import new_id
from portico_users.kernel.schema import Indexes

log = structlog.get_logger("portico.revocations")

REVOCATIONS: Final = "revocations"
REVOCATION_INDEXES: Final[Indexes] = {
    REVOCATIONS: (
        IndexModel([("notBefore", ASCENDING)]),
        IndexModel([("challenge", ASCENDING)], sparse=True),
        IndexModel([("forgetAt", ASCENDING)], expireAfterSeconds=0),
    )
}

ASKED_SECONDS: Final = 1.0
"""How long token may take: whoever waits for the change has a deadline of its own."""

TAKEOVER_SECONDS: Final = 5.0
"""When the background work takes over from whoever made the change, and its pause between attempts."""

REPEAT_SECONDS: Final = 3_600.0
"""How long whoever was answered 503 may repeat the question once the grants are ended."""

PAUSE: Final = 1.0
BATCH: Final = 100


@dataclass(frozen=True, slots=True)
class Revocations:
    """The wishes in MongoDB, by user."""

    database: Database
    bus: Bus
    clock: Clock
    random: RandomBytes

    def request_revocation(
        self, user_id: str, cause: str = "", *, sessions: bool = False, challenge: str = ""
    ) -> Attachment:
        """The wish, to be written in the transaction of the change.

        Args:
            cause: what the change is, for whoever repeats it after a 503; empty where nobody will.
            challenge: id of the challenge that was used up by the change, for a caller who knows nothing else of the user.
            sessions: all sessions of the user end as well; otherwise authz sees to them.
        """
        due = self.clock.now() + TAKEOVER_SECONDS
        row = {"ticket": new_id(self.random), "notBefore": due, "cause": cause, "sessions": sessions}
        return Attachment(REVOCATIONS, user_id, row | ({"challenge": challenge} if challenge else {}))

    async def is_pending(self, user_id: str, cause: str = "") -> bool:
        """A change was made, and whoever made it was not told that all grants are ended."""
        revocation = await self._find(user_id)
        return revocation is not None and revocation.get("cause", "") == cause

    async def find_user(self, challenge: str) -> str:
        """The user whose change used up a challenge, while the caller may repeat it; empty for none."""
        async with guarded():
            row = await self.database[REVOCATIONS].find_one({"challenge": challenge}, {"_id": 1})
        return row["_id"] if row else ""

    async def complete(self, user_id: str) -> None:
        """Asks token (and authz), and forgets the wish once they answered; does nothing without a wish.

        Raises:
            ServiceError: `unavailable`, while it is not known that all grants are ended.
        """
        revocation = await self._find(user_id)
        if revocation is None:
            return
        await self._ask(revocation)
        await self._forget(revocation)

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
        for revocation in due:
            async with guarded():
                await rows.update_one(
                    {"_id": revocation["_id"], "ticket": revocation["ticket"]},
                    {"$set": {"notBefore": now + TAKEOVER_SECONDS}},
                )
            try:
                await self._ask(revocation)
            except ServiceError as error:
                log.warning("grants not ended yet", user_id=revocation["_id"], error_code=error.id)
            else:
                await self._note_done(revocation)

    async def _ask(self, revocation: dict[str, Any]) -> None:
        if revocation.get("done"):
            return
        user_id = revocation["_id"]
        if revocation.get("sessions"):
            await self.bus.call(END_SESSIONS, EndSessions(user_id=user_id), seconds=ASKED_SECONDS)
        await self.bus.call(REVOKE_USER, RevokeUser(user_id=user_id), seconds=ASKED_SECONDS)

    async def _note_done(self, revocation: dict[str, Any]) -> None:
        if not revocation.get("cause"):
            await self._forget(revocation)
            return
        forget = datetime.fromtimestamp(self.clock.now() + REPEAT_SECONDS, UTC)
        async with guarded():
            await self.database[REVOCATIONS].update_one(
                {"_id": revocation["_id"], "ticket": revocation["ticket"]},
                {"$set": {"done": True, "forgetAt": forget}, "$unset": {"notBefore": ""}},
            )

    async def _forget(self, revocation: dict[str, Any]) -> None:
        async with guarded():
            await self.database[REVOCATIONS].delete_one({"_id": revocation["_id"], "ticket": revocation["ticket"]})

    async def _find(self, user_id: str) -> dict[str, Any] | None:
        async with guarded():
            return await self.database[REVOCATIONS].find_one({"_id": user_id})
