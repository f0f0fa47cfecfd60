"""Codes that are sent to a user, by email or text message: 8 digits, valid once and for a number of guesses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, NamedTuple

from portico_contracts.users import FactorVerified, VerifyFactorEmail, VerifyFactorText
from portico_oauth.opaque import RandomBytes, b64url, equal_in_constant_time, fingerprint
from portico_oauth.typed_text import code_letters
from portico_runtime.mongo.client import Database, Rows, guarded
from portico_runtime.process.clock import Clock
from pymongo import ASCENDING, IndexModel

from portico_users.accounts.account import as_user
from portico_users.accounts.store import MongoAccounts
from portico_users.credentials.attempts.attempts import Attempts, of_user
from portico_users.end_users.end_user import EndUser
from portico_users.storage.entry import Document
from portico_users.values.code_forms import new_digits
from portico_users.values.names import MAX_LENGTH
from portico_users.values.timestamps import within

SENT_CODE_INDEXES: Final = (
    IndexModel([("forgetAt", ASCENDING)], expireAfterSeconds=0),
    IndexModel([("userId", ASCENDING)]),
)
_MAX_TYPED: Final = 40


class NewCode(NamedTuple):
    """`name` identifies the code for its requester; `row` is to be stored, `ends` is in unix seconds."""

    name: str
    code: str
    row: Document
    ends: float

    @property
    def id(self) -> str:
        return fingerprint(self.name)


class Tries(NamedTuple):
    """Counts the tries of a user with one factor."""

    accounts: MongoAccounts
    attempts: Attempts
    factor: str


@dataclass(frozen=True, slots=True)
class SentCodes:
    database: Database
    collection: str
    seconds: float
    guesses: int
    clock: Clock
    random: RandomBytes

    def new_name(self) -> str:
        return b64url(self.random(32))

    def new(self, name: str, /, **values: object) -> NewCode:
        code = new_digits(self.random)
        ends = self.clock.now() + self.seconds
        row = {"_id": fingerprint(name), **values, "hash": _hash(name, code), "guesses": 0}
        row |= {"expiresAt": ends, "forgetAt": datetime.fromtimestamp(ends, UTC)}
        return NewCode(name, code, row, ends)

    async def guess(self, name: str, /, **question: object) -> Document | None:
        """Counts a guess before the comparison (LG-07); None for a code that cannot be guessed at."""
        wanted = {
            "_id": fingerprint(name),
            **question,
            "expiresAt": within(self.seconds, self.clock.now()),
            "guesses": {"$lt": self.guesses},
        }
        async with guarded():
            row: Document | None = await self.rows.find_one_and_update(wanted, {"$inc": {"guesses": 1}})
        return row

    async def take(self, row: Document, name: str, typed: str) -> bool:
        """Reports whether the code is right, and was not used before."""
        if not equal_in_constant_time(row["hash"], _hash(name, typed)):
            return False
        async with guarded():
            taken = await self.rows.delete_one({"_id": row["_id"]})
        return bool(taken.deleted_count == 1)

    async def verify(
        self, ask: VerifyFactorEmail | VerifyFactorText, tries: Tries, is_for: Callable[[Document, EndUser], bool]
    ) -> FactorVerified:
        """Verifies a code as a second factor; the user must still be the one that it was sent to (HH-08)."""
        # Count the guess for the code and the account before comparing (LG-07).
        user_id = ask.user_id[: MAX_LENGTH + 1]
        counter = of_user(user_id, tries.factor)
        await tries.attempts.reserve(counter)
        row = await self.guess(ask.challenge, userId=user_id)
        if row is None or not await self.take(row, ask.challenge, ask.code):
            return FactorVerified()
        account = await tries.accounts.find_active(user_id)
        if account is None or not isinstance(account.user, EndUser) or not is_for(row, account.user):
            return FactorVerified()
        await tries.attempts.reset(counter)
        return FactorVerified(user=as_user(account))

    @property
    def rows(self) -> Rows:
        return self.database[self.collection]


def _hash(name: str, typed: str) -> str:
    return fingerprint(f"{name}\n{code_letters(typed[:_MAX_TYPED])}")
