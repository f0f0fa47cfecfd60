"""Enrolments in MongoDB: each belongs to one sign-in, is opened by an emailed code, and registers one factor.

The name of an enrolment is known to authz alone and stored as a fingerprint. Its recovery codes are derived
from the name, so that they can be shown again during that sign-in and are stored nowhere but as hashes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from portico_oauth.opaque import RandomBytes, b64url, equal_in_constant_time, fingerprint
from portico_oauth.typed_text import code_letters
from portico_runtime.mongo.client import MongoClient, Rows, Session, guarded
from portico_runtime.process.clock import Clock
from pymongo import ASCENDING, IndexModel
from pymongo.read_concern import ReadConcern

from portico_users.end_users.end_user import EndUser
from portico_users.notifications.email.message import EmailMessage
from portico_users.notifications.email.queue import EmailQueue, commit_waking
from portico_users.storage.entry import Document, Work
from portico_users.storage.schema import Indexes
from portico_users.values.code_forms import new_digits
from portico_users.values.names import MAX_LENGTH
from portico_users.values.problems import ALREADY_USED
from portico_users.values.timestamps import within

ENROLMENTS: Final = "enrolments"
ENROLMENT_INDEXES: Final[Indexes] = {
    ENROLMENTS: (IndexModel([("forgetAt", ASCENDING)], expireAfterSeconds=0), IndexModel([("userId", ASCENDING)]))
}
FACTOR: Final = "enrolment"
"""Counter of guesses at emailed codes, shared by all enrolments of an account."""

SECONDS: Final = 1_800.0
"""Lifetime in seconds, from the start and again from the registration of the factor: that of a sign-in in progress."""

GUESSES: Final = 10
_MAX_TYPED: Final = 40
_MAX_NAME: Final = 64


@dataclass(frozen=True, slots=True)
class Begun:
    name: str = field(repr=False)
    code: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class EnrolmentRow:
    """A pending enrolment; ``done`` is the hash of the response that registered the factor, empty before."""

    id: str
    user_id: str
    mail: str
    is_open: bool
    done: str
    resets: int


@dataclass(frozen=True, slots=True)
class Enrolments:
    mongo: MongoClient
    email_queue: EmailQueue | None
    clock: Clock
    random: RandomBytes

    def new(self) -> Begun:
        return Begun(b64url(self.random(32)), new_digits(self.random))

    async def store(self, human: EndUser, begun: Begun, address: str, message: EmailMessage | None) -> None:
        """`address` is the one whose code opens the enrolment, or was entered before (`message` is None)."""
        id, until = fingerprint(begun.name), self.clock.now() + SECONDS
        row = {"_id": id, "userId": human.id, "resets": human.resets}
        row |= {"hash": _hash(begun.name, begun.code), "guesses": 0}
        row |= {"mail": address, "open": message is None, "done": ""}
        row |= _lasts(until)

        async def write(session: Session) -> None:
            await self._rows.insert_one(row, session=session)
            if message and self.email_queue:
                await self.email_queue.put(session, message, id=id, until=until)

        await commit_waking(self.email_queue if message else None, self.mongo, write)

    async def find(self, user_id: str, name: str, *, settled: bool = False) -> EnrolmentRow | None:
        """Finds an unexpired enrolment; ``settled`` reads linearizably, to see a concurrent request's commit."""
        rows = self._rows.with_options(read_concern=ReadConcern("linearizable")) if settled else self._rows
        async with guarded():
            row = await rows.find_one(self._question(user_id, name))
        return _read(row) if row else None

    async def guess(self, user_id: str, name: str, code: str) -> EnrolmentRow | None:
        """Counts a guess, then verifies it (LG-07); None for a wrong code."""
        question = self._question(user_id, name) | {"mail": {"$gt": ""}, "guesses": {"$lt": GUESSES}}
        async with guarded():
            row = await self._rows.find_one_and_update(question, {"$inc": {"guesses": 1}})
        if row is None or not equal_in_constant_time(row["hash"], _hash(name, code)):
            return None
        return _read(row)

    async def open(self, id: str) -> None:
        async with guarded():
            await self._rows.update_one({"_id": id}, {"$set": {"open": True}})

    def completion(self, id: str, response: str) -> Work:
        """Uses up an enrolment; the hash of the response recognizes repeated submissions."""
        question = {"_id": id, "open": True, "done": ""}
        change = {"$set": {"done": response, **_lasts(self.clock.now() + SECONDS)}}

        async def write(session: Session) -> None:
            completed = await self._rows.update_one(question, change, session=session)
            if completed.matched_count != 1:
                raise ALREADY_USED.error(collection=ENROLMENTS)

        return write

    def _question(self, user_id: str, name: str) -> Document:
        return {
            "_id": fingerprint(name[: _MAX_NAME + 1]),
            "userId": user_id[: MAX_LENGTH + 1],
            "expiresAt": within(SECONDS, self.clock.now()),
        }

    @property
    def _rows(self) -> Rows:
        return self.mongo.database[ENROLMENTS]


def _lasts(until: float) -> Document:
    return {"expiresAt": until, "forgetAt": datetime.fromtimestamp(until, UTC)}


def _read(row: Document) -> EnrolmentRow:
    return EnrolmentRow(row["_id"], row["userId"], row["mail"], row["open"], row["done"], row.get("resets", 0))


def _hash(name: str, typed: str) -> str:
    return fingerprint(f"{name}\n{code_letters(typed[:_MAX_TYPED])}")
