"""Verifies a password. The order of the numbered steps matters."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import structlog
from portico_contracts.sign_in_failures import SignInFailure
from portico_contracts.users import PasswordVerified, VerifyPassword
from portico_oauth.errors import ServiceError
from portico_runtime.mongo.client import MongoClient, Session, guarded

from portico_users.accounts.account import Account, AnyUser, active_account, as_user
from portico_users.accounts.login_names import Held
from portico_users.accounts.queries import AccountQueries
from portico_users.credentials.attempts.attempts import Attempts, Lockout, of_unknown, of_user
from portico_users.credentials.passwords.hash_counts import count_change
from portico_users.credentials.passwords.hash_kinds import kind_of
from portico_users.credentials.passwords.hash_mix import HashMix
from portico_users.credentials.passwords.hashing import HashingPlace, HashingPool
from portico_users.end_users.store import PASSWORDS
from portico_users.organizations.org import MongoOrgs
from portico_users.policies.first_factors import FirstFactors, Verdict
from portico_users.policies.password_policy import require_length
from portico_users.storage.transactions import run_transaction
from portico_users.values.names import canonical, login_key, split_address
from portico_users.values.records import State


class MongoPasswords:
    def __init__(self, mongo: MongoClient) -> None:
        self._mongo = mongo
        self._rows = mongo.database[PASSWORDS]

    async def find_hash(self, user_id: str) -> str:
        async with guarded():
            row = await self._rows.find_one({"_id": user_id})
        return row["hash"] if row else ""

    async def strengthen(self, user_id: str, old: str, new: str) -> None:
        """Replaces the hash by a stronger one of the same password, unless the password changed concurrently."""
        kind = kind_of(new)

        async def write(session: Session) -> None:
            before = await self._rows.find_one_and_update(
                {"_id": user_id, "hash": old}, {"$set": {"hash": new, "kind": kind}}, session=session
            )
            if before:
                await count_change(self._mongo.database, session, user_id, before, kind)

        async with guarded():
            await run_transaction(self._mongo, write)


log = structlog.get_logger("portico.passwords")

FACTOR = "password"


@dataclass(frozen=True, slots=True)
class Compared:
    """`hashed`: whether there was a hash to compare with. No page may depend on it.

    `user`, `counter` and `failures` are those of a wrong password, for `PasswordVerification.lock`.
    """

    verified: PasswordVerified
    hashed: bool
    user: AnyUser | None = None
    counter: str = ""
    failures: int = 0


@dataclass(frozen=True, slots=True)
class PasswordVerification:
    accounts: AccountQueries
    orgs: MongoOrgs
    passwords: MongoPasswords
    attempts: Attempts
    pool: HashingPool
    mix: HashMix
    lockout: Lockout
    first_factors: FirstFactors

    async def compare(self, ask: VerifyPassword) -> Compared:
        """Finds the user for the right password, otherwise nothing; the work is the same (LG-01).

        A wrong password is counted, but `lock` is left to the caller: an old system may know a user without a hash.
        """
        # 1. Refuse impossible passwords first (LG-15).
        require_length(ask.password)
        # 2. Find the user. For unknown or inactive users, and those without a password or who may not use it, continue
        # without a user.
        held = await self.accounts.find_holder(ask.login_name, ask.org_id)
        account = active_account(*held) if held else None
        (hash, kind), verdict = await asyncio.gather(
            self._find_compared(ask, account), self.first_factors.verdict_on(account)
        )
        hash = hash if verdict is not Verdict.REFUSED else ""
        counter = of_user(account.user.id, FACTOR) if account else of_unknown(login_key(ask.login_name), FACTOR)
        # 3. Take a place before counting: an overloaded queue must not use up attempts (RX-08).
        async with self.pool.place(hash or kind, counter) as place:
            # 4. Count the attempt before the result is known (LG-05).
            failures = await self.attempts.reserve(counter, durable=False)
            # 5. Compare. Without a hash, compare with the kind drawn for the name, which takes as long as a hash of
            # an account.
            if not (await place.verify(hash or kind, ask.password) and hash and account):
                await self.attempts.confirm(counter)
                user = account.user if account else None
                refused = _refused(held, hashed=bool(hash), allowed=verdict is not Verdict.REFUSED)
                return Compared(refused, bool(hash), user, counter, failures)
            await self._strengthen(place, account.user.id, hash, ask.password)
        # 6. The right password ends the back-off.
        await self.attempts.reset(counter)
        if verdict is Verdict.EXEMPT:
            await self.first_factors.record_exemption(account)
        return Compared(PasswordVerified(user=as_user(account)), hashed=True)

    async def lock(self, compared: Compared) -> None:
        """Locks the user above the limit of the lockout policy; does the same work for an unknown user (LG-01)."""
        await self.lockout.failed(compared.user, compared.counter, compared.failures)

    async def _find_compared(self, ask: VerifyPassword, account: Account | None) -> tuple[str, str]:
        """Makes the same queries with or without a hash (LG-01); all spellings of a name share a kind."""
        key = login_key(ask.login_name)
        name, domain = split_address(ask.login_name)
        found = self.passwords.find_hash(account.user.id if account else "-")
        # A name without a domain belongs to no organization, even if an account has it.
        if domain:
            hash, org = await asyncio.gather(found, self.orgs.find_by_domain(domain))
        else:
            hash, org = await found, None
        drawn = canonical(account.user.user_name) if account else canonical(name) if org else key
        return hash, await self.mix.kind_for(drawn)

    async def _strengthen(self, place: HashingPlace, user_id: str, hash: str, password: str) -> None:
        if not place.needs_rehash(hash, password):
            return
        try:
            await self.passwords.strengthen(user_id, hash, await place.hash(password))
        except ServiceError as error:  # the next sign-in tries again; this one is right in any case
            log.warning("password hash not upgraded", error_code=error.id)


def _refused(held: Held | None, *, hashed: bool, allowed: bool) -> PasswordVerified:
    """Only the event of the failed sign-in has the reason (LG-01)."""
    if held is None:
        return PasswordVerified(failure=SignInFailure.UNKNOWN_USER)
    user, org = held
    failure = SignInFailure.WRONG_PASSWORD if hashed else SignInFailure.NO_PASSWORD
    if not allowed:
        failure = SignInFailure.NOT_ALLOWED
    if active_account(user, org) is None:
        failure = SignInFailure.LOCKED if user.state is State.LOCKED else SignInFailure.DEACTIVATED
    return PasswordVerified(attempted=user.id, failure=failure)
