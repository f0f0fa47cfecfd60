"""The one-time link of the first run in MongoDB: there is one at most, stored as a hash, valid for an hour and once."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, NamedTuple

from portico_oauth.opaque import RandomBytes, b64url, equal_in_constant_time, fingerprint
from portico_runtime.mongo.client import Database, Rows, Session, guarded
from portico_runtime.process.clock import Clock
from pymongo import ASCENDING, IndexModel
from pymongo.read_concern import ReadConcern

from portico_users.storage.entry import Document, Work
from portico_users.storage.schema import Indexes
from portico_users.values.names import derived_id
from portico_users.values.problems import ALREADY_USED
from portico_users.values.timestamps import within

FIRST_RUN_LINKS: Final = "firstRunLinks"
FIRST_RUN_INDEXES: Final[Indexes] = {FIRST_RUN_LINKS: (IndexModel([("forgetAt", ASCENDING)], expireAfterSeconds=0),)}
SECONDS: Final = 3_600.0
CODE_BYTES: Final = 32
ATTEMPT: Final = len(b64url(bytes(CODE_BYTES)))

_ID: Final = "first-run"
"""Id of the only link; a new one replaces it."""

_MAX_CODE: Final = 64


class NewLink(NamedTuple):
    code: str
    expires_at: float

    def __repr__(self) -> str:
        return "NewLink(...)"


@dataclass(frozen=True, slots=True)
class FirstRunLink:
    """The stored link; ``hash`` of the code names its registrations, ``response`` hashes the final submission."""

    hash: str = field(repr=False)
    recover: bool
    response: str
    user_id: str


@dataclass(frozen=True, slots=True)
class FirstRunLinks:
    database: Database
    clock: Clock
    random: RandomBytes

    async def create(self, *, recover: bool) -> NewLink:
        link = NewLink(b64url(self.random(CODE_BYTES)), self.clock.now() + SECONDS)
        row = {
            "hash": fingerprint(link.code),
            "recover": recover,
            "response": "",
            "userId": "",
            "expiresAt": link.expires_at,
            "forgetAt": datetime.fromtimestamp(link.expires_at, UTC),
        }
        async with guarded():
            await self._rows.replace_one({"_id": _ID}, row, upsert=True)
        return link

    async def find(self, code: str, *, settled: bool = False) -> FirstRunLink | None:
        """Finds the unexpired link of a code, even if used up; ``settled`` reads linearizably."""
        question = {"_id": _ID, "expiresAt": within(SECONDS, self.clock.now())}
        rows = self._rows.with_options(read_concern=ReadConcern("linearizable")) if settled else self._rows
        async with guarded():
            row = await rows.find_one(question)
        if row is None or not equal_in_constant_time(row["hash"], fingerprint(code[: _MAX_CODE + 1])):
            return None
        return FirstRunLink(row["hash"], row["recover"], row["response"], row["userId"])

    def completion(self, link: FirstRunLink, user_id: str, response: str) -> Work:
        """Uses up the link; the hash of the response recognizes repeated submissions."""
        question: Document = {"_id": _ID, "hash": link.hash, "response": ""}
        question |= {"expiresAt": within(SECONDS, self.clock.now())}

        async def write(session: Session) -> None:
            used = await self._rows.update_one(
                question, {"$set": {"response": response, "userId": user_id}}, session=session
            )
            if used.matched_count != 1:
                raise ALREADY_USED.error(collection=FIRST_RUN_LINKS)

        return write

    @property
    def _rows(self) -> Rows:
        return self.database[FIRST_RUN_LINKS]


def user_id_of(attempt: str) -> str:
    """Returns the id of the administrator that an attempt creates, the same for repetitions."""
    return derived_id(attempt, FIRST_RUN_LINKS, 0)
