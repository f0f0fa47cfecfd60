"""Revokes all grants of a user at token before a change of credentials or state is answered (IR-14).

The request is stored in the transaction of the change, so that no failure loses it. The call that made the
change sends it to token at once; on failure a background task retries. After a 503 the caller may repeat the
call: the stored request remains for a while and shows that the change was made.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import structlog
from portico_contracts.authz import END_SESSIONS, EndSessions
from portico_contracts.token import REVOKE_USER, RevokeUser
from portico_oauth.errors import ServiceError
from portico_oauth.opaque import RandomBytes
from portico_runtime.mongo.client import Database, guarded
from portico_runtime.process.clock import Clock
from portico_runtime.process.wakeup import together
from pymongo import ASCENDING, IndexModel

from portico_users.bus import Bus
from portico_users.storage.entry import Attachment, Document
from portico_users.storage.schema import Indexes
from portico_users.values.names import new_id
from portico_users.values.records import SYSTEM

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
"""Timeout of the call to token, shorter than the deadline of the change."""

TAKEOVER_SECONDS: Final = 5.0
"""Delay before the background task takes over, and its retry interval."""

REPEAT_SECONDS: Final = 3_600.0
"""How long a caller that got 503 may repeat the call after the revocation."""

SWEEP_SECONDS: Final = 5.0
"""Seconds between looks for requests of a replica that stopped before it sent them."""

BATCH: Final = 100


@dataclass(frozen=True, slots=True)
class Revocations:
    database: Database
    bus: Bus
    clock: Clock
    random: RandomBytes

    def request_revocation(
        self, user_id: str, cause: str = "", *, sessions: bool = False, challenge: str = ""
    ) -> Attachment:
        """Returns the request, to be stored in the transaction of the change.

        Args:
            cause: identifies the change for a repeated call after a 503; empty if callers do not repeat it.
            sessions: also end all sessions, as who made the change; otherwise authz ends them.
            challenge: id of the challenge that the change used up, for callers that do not know the user.
        """
        due = self.clock.now() + TAKEOVER_SECONDS
        row = {"ticket": new_id(self.random), "notBefore": due, "cause": cause, "sessions": sessions}
        values = row | ({"challenge": challenge} if challenge else {})
        return Attachment(REVOCATIONS, user_id, values, actor_in="actor")

    async def is_pending(self, user_id: str, cause: str = "") -> bool:
        """Reports whether a change was made whose caller has no confirmation of the revocation."""
        revocation = await self._find(user_id)
        return revocation is not None and revocation.get("cause", "") == cause

    async def find_user(self, challenge: str) -> str:
        """Returns the user whose change used up a challenge, while the caller may repeat it; empty for none."""
        async with guarded():
            row = await self.database[REVOCATIONS].find_one({"challenge": challenge}, {"_id": 1})
        return row["_id"] if row else ""

    async def complete(self, user_id: str) -> None:
        """Sends the stored request, if any, and deletes it once the revocation is confirmed."""
        revocation = await self._find(user_id)
        if revocation is None:
            return
        await self._ask(revocation)
        await self._forget(revocation)

    async def run_once(self) -> None:
        pause = await self.complete_due()
        await asyncio.sleep(together(pause) if pause == SWEEP_SECONDS else pause)

    async def complete_due(self) -> float:
        """Sends what is due; returns the seconds until something may be due again."""
        now = self.clock.now()
        rows = self.database[REVOCATIONS]
        async with guarded():
            found = await rows.find({"notBefore": {"$gt": 0}}).sort("notBefore", 1).limit(BATCH).to_list(BATCH)
        due = [revocation for revocation in found if revocation["notBefore"] <= now]
        for revocation in due:
            async with guarded():
                await rows.update_one(
                    {"_id": revocation["_id"], "ticket": revocation["ticket"]},
                    {"$set": {"notBefore": now + TAKEOVER_SECONDS}},
                )
            try:
                await self._ask(revocation)
            except ServiceError as error:
                log.warning("grants not revoked yet", user_id=revocation["_id"], error_code=error.id)
            else:
                await self._note_done(revocation)
        later = found[len(due)]["notBefore"] - now if len(due) < len(found) else SWEEP_SECONDS
        return min(later, SWEEP_SECONDS) if len(due) < BATCH else 0.0

    async def _ask(self, revocation: Document) -> None:
        if revocation.get("done"):
            return
        user_id = revocation["_id"]
        if revocation.get("sessions"):
            # A request that a replica of an earlier release stored has no actor.
            ask = EndSessions(user_id=user_id, actor=revocation.get("actor", SYSTEM))
            await self.bus.call(END_SESSIONS, ask, seconds=ASKED_SECONDS)
        await self.bus.call(REVOKE_USER, RevokeUser(user_id=user_id), seconds=ASKED_SECONDS)

    async def _note_done(self, revocation: Document) -> None:
        if not revocation.get("cause"):
            await self._forget(revocation)
            return
        forget = datetime.fromtimestamp(self.clock.now() + REPEAT_SECONDS, UTC)
        async with guarded():
            await self.database[REVOCATIONS].update_one(
                {"_id": revocation["_id"], "ticket": revocation["ticket"]},
                {"$set": {"done": True, "forgetAt": forget}, "$unset": {"notBefore": ""}},
            )

    async def _forget(self, revocation: Document) -> None:
        async with guarded():
            await self.database[REVOCATIONS].delete_one({"_id": revocation["_id"], "ticket": revocation["ticket"]})

    async def _find(self, user_id: str) -> Document | None:
        async with guarded():
            return await self.database[REVOCATIONS].find_one({"_id": user_id})
