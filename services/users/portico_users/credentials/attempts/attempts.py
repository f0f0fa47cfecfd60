"""Counts attempts: each is reserved in one atomic step before hashing (LG-03, LG-05).

A failure is durable before the response. A success needs no durable write: if the primary fails, a lost reset
leaves one failure too many, and at most five attempts in progress are forgotten (decision 0042).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from portico_oauth.errors import ServiceError
from portico_oauth.opaque import RandomBytes, fingerprint
from portico_runtime.mongo.client import Database, guarded
from portico_runtime.process.clock import Clock
from pymongo import ASCENDING, IndexModel, ReturnDocument, WriteConcern

from portico_users.accounts.account import AnyUser
from portico_users.accounts.states import LOCK, put_state
from portico_users.accounts.store import MongoAccounts
from portico_users.credentials.attempts.backoff import FORGET_AFTER, MAX_DOUBLINGS, PASSWORD_BACKOFF, BackoffPolicy
from portico_users.credentials.revocations import Revocations
from portico_users.journal.journal import Journal
from portico_users.policies.login_policies import PoliciesInForce
from portico_users.storage.entry import Document
from portico_users.storage.schema import Indexes
from portico_users.values.names import new_id
from portico_users.values.problems import CHANGED_MEANWHILE
from portico_users.values.records import State

ATTEMPTS: Final = "attempts"

LDAP_FACTOR: Final = "ldap"

ATTEMPT_INDEXES: Final[Indexes] = {ATTEMPTS: (IndexModel([("forgetAt", ASCENDING)], expireAfterSeconds=0),)}


def of_user(user_id: str, factor: str) -> str:
    """Returns the counter of a factor of an account, shared by all its login names."""
    return f"{factor}:user:{fingerprint(user_id)}"


def of_entry(idp_id: str, subject: str) -> str:
    """Returns the counter of an LDAP entry, shared by all its login names."""
    return of_user(f"{idp_id}\n{subject}", LDAP_FACTOR)


def of_unknown(login_key: str, factor: str) -> str:
    """Returns the counter of an unknown login name, with the same policy as an account's."""
    return f"{factor}:name:{fingerprint(login_key)}"


def of_address(email_key: str) -> str:
    """Returns the counter of emails to an address, with or without an account (LG-01)."""
    return f"mails:address:{fingerprint(email_key)}"


def of_sender(sender: str) -> str:
    """Returns the counter of emails to any address that a client or user requests."""
    return f"mails:sender:{fingerprint(sender)}"


class Attempts:
    """Counters in MongoDB, shared by all replicas."""

    def __init__(self, database: Database, clock: Clock, random: RandomBytes) -> None:
        self._counters = database[ATTEMPTS]
        self._unconfirmed = self._counters.with_options(write_concern=WriteConcern(1, j=False))
        self._clock = clock
        self._random = random

    async def reserve(self, counter: str, policy: BackoffPolicy = PASSWORD_BACKOFF, *, durable: bool = True) -> int:
        """Counts an attempt as failed in advance, and returns the number of failures.

        During the delay of an earlier attempt it raises the policy's error: the attempt is not counted and
        must not be performed. With ``durable=False`` a failure may be answered only after `confirm`.
        """
        now = self._clock.now()
        ticket = new_id(self._random)
        async with guarded():
            counters = self._counters if durable else self._unconfirmed
            row = await counters.find_one_and_update(
                {"_id": counter}, _reservation(now, ticket, policy), upsert=True, return_document=ReturnDocument.AFTER
            )
        if row["ticket"] != ticket:
            raise policy.error.error(retry_after=max(1, math.ceil(row["notBefore"] - now)))
        failures: int = row["failures"]
        return failures

    async def confirm(self, counter: str) -> None:
        """Makes a failure durable; if it raises `unavailable`, the failure must not be reported."""
        async with guarded():
            # Majority acknowledgement of this write covers everything the primary wrote before it.
            await self._counters.update_one({"_id": counter}, {"$inc": {"confirmed": 1}})

    async def reset(self, counter: str) -> None:
        async with guarded():
            await self._unconfirmed.delete_one({"_id": counter})

    async def give_back(self, counter: str, failures: int = 0) -> None:
        """Takes back one reservation; with the ``failures`` that `reserve` returned, the delay after it too."""
        delay = {"$cond": [{"$eq": ["$failures", failures]}, 0.0, "$notBefore"]}
        change = [{"$set": {"failures": {"$subtract": ["$failures", 1]}, "notBefore": delay}}]
        async with guarded():
            await self._unconfirmed.update_one({"_id": counter, "failures": {"$gt": 0}}, change)


def _reservation(now: float, ticket: str, policy: BackoffPolicy) -> list[Document]:
    """Returns an update that counts and sets the next delay (`backoff.delay_after`) only if the last is over."""
    step = {"$min": [{"$subtract": ["$failures", policy.free_attempts + 1]}, MAX_DOUBLINGS]}
    grown = {"$min": [policy.max_delay, {"$multiply": [policy.initial_delay, {"$pow": [2.0, step]}]}]}
    delay = {"$cond": [{"$lte": ["$failures", policy.free_attempts]}, 0, grown]}
    forget = datetime.fromtimestamp(now + FORGET_AFTER, UTC)
    # Without a delay do not compare clocks: concurrent attempts may arrive out of order.
    free = {"$lte": [{"$ifNull": ["$failures", 0]}, policy.free_attempts]}
    over = {"$lte": [{"$ifNull": ["$notBefore", 0.0]}, now]}
    return [
        {"$set": {"open": {"$or": [free, over]}}},
        {"$set": {"failures": {"$cond": ["$open", {"$add": [{"$ifNull": ["$failures", 0]}, 1]}, "$failures"]}}},
        {
            "$set": {
                "ticket": {"$cond": ["$open", ticket, "$ticket"]},
                "notBefore": {"$cond": ["$open", {"$add": [now, delay]}, "$notBefore"]},
                "forgetAt": {"$cond": ["$open", forget, "$forgetAt"]},
            }
        },
        {"$unset": "open"},
    ]


NO_USER = ""


@dataclass(frozen=True, slots=True)
class Lockout:
    policies: PoliciesInForce
    accounts: MongoAccounts
    attempts: Attempts
    revocations: Revocations
    journal: Journal

    async def failed(self, user: AnyUser | None, counter: str, failures: int) -> None:
        """Locks the user above the limit. For an unknown user it reads the same data (LG-01)."""
        rules = (await self.policies.of(user.org_id if user else NO_USER)).lockout
        most = rules.max_password_attempts if rules else 0
        if user and 0 < most <= failures and await self._lock(user.id):
            # Reset, so that an unlocked user starts from zero.
            await self.attempts.reset(counter)

    async def _lock(self, user_id: str) -> bool:
        user = await self.accounts.find(user_id)
        if user is None or user.state is not State.ACTIVE:
            return False
        entry = put_state(user, LOCK, self.revocations.request_revocation(user_id, sessions=True))
        try:
            await self.journal.commit((entry,))
        except ServiceError as error:
            if error.id != CHANGED_MEANWHILE.id:
                raise
            return False  # the next wrong password locks
        return True
