"""What is known of users at targets: which of them are due, their accounts there, and what failed."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

import msgspec
from portico_runtime.mongo.client import Database, guarded
from portico_runtime.process.clock import Clock
from pymongo import ASCENDING, DESCENDING, IndexModel, UpdateOne

from portico_users.storage.entry import Document
from portico_users.storage.schema import Indexes
from portico_users.webhooks.webhook import GIVE_UP_SECONDS, retry_after

TARGET_USERS: Final = "scimTargetUsers"
SHOWN_FAILURES: Final = 20

_DUE: Final[Document] = {"due": {"$exists": True}}
_FAILED: Final[Document] = {"failedAt": {"$exists": True}}
TARGET_USERS_INDEXES: Final[Indexes] = {
    TARGET_USERS: (
        IndexModel([("targetId", ASCENDING), ("due", ASCENDING)], partialFilterExpression=_DUE),
        IndexModel([("targetId", ASCENDING), ("failedAt", DESCENDING)], partialFilterExpression=_FAILED),
        IndexModel([("targetId", ASCENDING), ("remoteId", ASCENDING)]),
    )
}


class TargetUser(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A user at a target.

    Attributes:
        marks: counts the changes, so that one during a request is not lost.
        due: unix seconds of the next attempt; None if nothing is due.
        until: time of giving up.
        remote_id: id of the account at the target; empty if none is known.
        begun: an account was requested, so it may exist although no response came.
        sent: hash of the values that the target accepted last.
        seen: number of the run that found the account.
        cause, status, failed_at: of the last attempt, if it failed.
    """

    target_id: str
    user_id: str
    marks: int = 0
    due: float | None = None
    attempts: int = 0
    until: float = 0.0
    remote_id: str = ""
    begun: bool = False
    sent: str = ""
    seen: str = ""
    cause: str = ""
    status: int = 0
    failed_at: float | None = None

    @property
    def id(self) -> str:
        return f"{self.target_id}.{self.user_id}"


_SETTLED: Final = dict.fromkeys(("failedAt", "cause", "status"), "")


@dataclass(frozen=True, slots=True)
class TargetUsers:
    """All methods raise `unavailable` if the database does not respond."""

    database: Database
    clock: Clock

    async def mark(self, target_ids: Iterable[str], user_ids: Iterable[str], *, resend: bool = False) -> None:
        """Makes users due; with ``resend`` also where the same values were sent before."""
        now, users = self.clock.now(), list(user_ids)
        values: Document = {"due": now, "attempts": 0, "until": now + GIVE_UP_SECONDS}
        if resend:
            values["sent"] = ""
        changes = [
            UpdateOne(
                {"_id": f"{target}.{user}"},
                {"$set": values, "$inc": {"marks": 1}, "$setOnInsert": {"targetId": target, "userId": user}},
                upsert=True,
            )
            for target in target_ids
            for user in users
        ]
        if changes:
            async with guarded():
                await self.database[TARGET_USERS].bulk_write(changes, ordered=False)

    async def list_due(self, target_id: str, limit: int) -> list[TargetUser]:
        question = {"targetId": target_id, "due": {"$lte": self.clock.now()}}
        return await self._list(question, limit, ("due", 1))

    async def find_next_time(self, target_id: str) -> float | None:
        async with guarded():
            row = await self.database[TARGET_USERS].find_one(
                {"targetId": target_id, **_DUE}, {"due": 1}, sort=[("due", 1)]
            )
        return float(row["due"]) if row else None

    async def list_failed(self, target_id: str) -> list[TargetUser]:
        return await self._list({"targetId": target_id, **_FAILED}, SHOWN_FAILURES, ("failedAt", -1))

    async def count_waiting(self, target_id: str) -> int:
        async with guarded():
            return await self.database[TARGET_USERS].count_documents({"targetId": target_id, **_DUE}, limit=10_000)

    async def find_users(self, target_id: str, user_ids: Collection[str]) -> dict[str, TargetUser]:
        ids = [f"{target_id}.{user}" for user in user_ids]
        return {one.user_id: one for one in await self._list({"_id": {"$in": ids}}, None)} if ids else {}

    async def find_remote(self, target_id: str, remote_ids: Collection[str]) -> dict[str, TargetUser]:
        question = {"targetId": target_id, "remoteId": {"$in": list(remote_ids)}}
        return {one.remote_id: one for one in await self._list(question, None)} if remote_ids else {}

    async def note_begun(self, person: TargetUser) -> None:
        """Written before an account is requested: only then can a leaver have one that no response named."""
        async with guarded():
            await self.database[TARGET_USERS].update_one({"_id": person.id}, {"$set": {"begun": True}})

    async def settle(self, person: TargetUser, remote_id: str, sent: str) -> None:
        """The target has what it has to; a change meanwhile stays due."""
        known = {"remoteId": remote_id, "begun": False}
        async with guarded():
            done = await self.database[TARGET_USERS].update_one(
                {"_id": person.id, "marks": person.marks},
                {"$set": known | {"sent": sent}, "$unset": {"due": "", **_SETTLED}},
            )
            if not done.matched_count:
                await self.database[TARGET_USERS].update_one({"_id": person.id}, {"$set": known, "$unset": _SETTLED})

    async def forget(self, person: TargetUser) -> None:
        """Deletes what is known of a user who has no account at the target any longer; a change meanwhile stays due."""
        async with guarded():
            gone = await self.database[TARGET_USERS].delete_one({"_id": person.id, "marks": person.marks})
            if not gone.deleted_count:
                await self.database[TARGET_USERS].update_one(
                    {"_id": person.id}, {"$set": {"remoteId": "", "begun": False, "sent": ""}, "$unset": _SETTLED}
                )

    async def postpone(self, person: TargetUser, cause: str, status: int) -> None:
        """Notes a failed attempt; given up after three days, until the next change or comparison."""
        now = self.clock.now()
        later = now + retry_after(person.attempts + 1)
        failed: Document = {"cause": cause, "status": status, "failedAt": now, "attempts": person.attempts + 1}
        change: Document = {"$set": failed | {"due": later}}
        if later >= person.until:
            change = {"$set": failed, "$unset": {"due": ""}}
        async with guarded():
            await self.database[TARGET_USERS].update_one({"_id": person.id, "marks": person.marks}, change)

    async def note_seen(self, target_id: str, found: Iterable[tuple[str, str]], run: str) -> None:
        """Notes the accounts that a run found, as pairs of user and id at the target."""
        changes = [
            UpdateOne(
                {"_id": f"{target_id}.{user}"},
                {"$set": {"seen": run, "remoteId": remote}, "$setOnInsert": {"targetId": target_id, "userId": user}},
                upsert=True,
            )
            for user, remote in found
        ]
        if changes:
            async with guarded():
                await self.database[TARGET_USERS].bulk_write(changes, ordered=False)

    async def withdraw(self, target_id: str) -> None:
        """Nothing is due any longer: the comparison after the activation finds it."""
        async with guarded():
            await self.database[TARGET_USERS].update_many({"targetId": target_id, **_DUE}, {"$unset": {"due": ""}})

    async def forget_all(self, target_id: str) -> None:
        async with guarded():
            await self.database[TARGET_USERS].delete_many({"targetId": target_id})

    async def _list(
        self, question: Document, limit: int | None, order: tuple[str, int] | None = None
    ) -> list[TargetUser]:
        async with guarded():
            rows = self.database[TARGET_USERS].find(question, sort=[order] if order else None)
            found = await rows.limit(limit or 0).to_list(limit)
        return [msgspec.convert(row, TargetUser) for row in found]
