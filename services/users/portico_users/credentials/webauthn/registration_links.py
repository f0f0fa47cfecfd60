from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, NamedTuple

from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.opaque import RandomBytes, equal_in_constant_time, fingerprint
from portico_runtime.mongo.client import MongoClient, Rows, Session, guarded
from portico_runtime.process.clock import Clock
from pymongo import ASCENDING, IndexModel

from portico_users.end_users.end_user import EndUser
from portico_users.notifications.email.message import EmailMessage
from portico_users.notifications.email.queue import EmailQueue, commit_waking
from portico_users.storage.entry import Claim, Document, Work
from portico_users.storage.schema import Indexes
from portico_users.values.names import MAX_LENGTH, new_id
from portico_users.values.timestamps import within

LINKS: Final = "passkeyLinks"
LINK_INDEXES: Final[Indexes] = {
    LINKS: (IndexModel([("forgetAt", ASCENDING)], expireAfterSeconds=0), IndexModel([("userId", ASCENDING)]))
}
SECONDS: Final = 3_600.0
GUESSES: Final = 10
LOOKS: Final = 5
"""Guesses that links may use up by being opened."""

INVALID_LINK = ErrorCode(
    "USER-541",
    Kind.INVALID_REQUEST,
    "This registration link is not valid.",
    "Request a new link. Each link works once, within an hour.",
)

_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_LENGTH: Final = 12


class Link(NamedTuple):
    id: str
    code: str

    def __repr__(self) -> str:
        return f"Link({self.id})"


def link_claim(id: str) -> Claim:
    return Claim(LINKS, id)


@dataclass(frozen=True, slots=True)
class PasskeyLinks:
    mongo: MongoClient
    email_queue: EmailQueue | None
    clock: Clock
    random: RandomBytes

    def new_link(self) -> Link:
        return Link(new_id(self.random), "".join(_LETTERS[byte % len(_LETTERS)] for byte in self.random(_LENGTH)))

    async def commit(self, work: Work) -> None:
        await commit_waking(self.email_queue, self.mongo, work)

    def write(self, human: EndUser, link: Link, message: EmailMessage | None) -> Work:
        ends = self.clock.now() + SECONDS
        row: Document = {"_id": link.id, "userId": human.id, "resets": human.resets}
        row |= {"hash": _hash(link), "guesses": 0, "expiresAt": ends}
        row["forgetAt"] = datetime.fromtimestamp(ends, UTC)

        async def write(session: Session) -> None:
            await self._rows.insert_one(row, session=session)
            if message and self.email_queue:
                await self.email_queue.put(session, message, id=link.id, until=ends)

        return write

    async def is_usable(self, human: EndUser, link: Link) -> bool:
        """Like `is_right`, but a right code counts as no guess: the link was opened only.

        Once wrong codes have used up the looks, any code is usable while guesses remain: the page decides then.
        """
        row = await self._guess(human, link, LOOKS)
        if row is None:
            return await self._has_guesses(human, link)
        if not _is_right(row, human, link):
            return False
        async with guarded():
            await self._rows.update_one({"_id": link.id}, {"$inc": {"guesses": -1}})
        return True

    async def is_right(self, human: EndUser, link: Link) -> bool:
        """Reports whether the user's link is unused and no reset followed it; counts the guess first (LG-07)."""
        row = await self._guess(human, link, GUESSES)
        return row is not None and _is_right(row, human, link)

    async def _guess(self, human: EndUser, link: Link, most: int) -> Document | None:
        async with guarded():
            return await self._rows.find_one_and_update(self._question(human, link, most), {"$inc": {"guesses": 1}})

    async def _has_guesses(self, human: EndUser, link: Link) -> bool:
        async with guarded():
            row = await self._rows.find_one(self._question(human, link, GUESSES))
        return row is not None and row.get("resets", 0) == human.resets

    def _question(self, human: EndUser, link: Link, most: int) -> Document:
        return {
            "_id": link.id[: MAX_LENGTH + 1],
            "userId": human.id,
            "expiresAt": within(SECONDS, self.clock.now()),
            "guesses": {"$lt": most},
        }

    @property
    def _rows(self) -> Rows:
        return self.mongo.database[LINKS]


def _is_right(row: Document, human: EndUser, link: Link) -> bool:
    is_current: bool = row.get("resets", 0) == human.resets
    return is_current and equal_in_constant_time(row["hash"], _hash(link))


def _hash(link: Link) -> str:
    return fingerprint(f"{link.id}\n{link.code}")
