"""Changes a password at sign-in. The order of the numbered steps matters."""

from __future__ import annotations

from dataclasses import dataclass, replace

import msgspec
from portico_contracts.users import ChangePassword, PasswordChanged

from portico_users.accounts.account import Account, as_user
from portico_users.accounts.store import MongoAccounts
from portico_users.credentials.attempts.attempts import Attempts, Lockout, of_user
from portico_users.credentials.passwords.hash_counts import password_attachment
from portico_users.credentials.passwords.hashing import HashingPlace, HashingPool
from portico_users.credentials.passwords.new_password import NewPasswordCheck
from portico_users.credentials.passwords.setting import refuse_same
from portico_users.credentials.passwords.verification import FACTOR, MongoPasswords
from portico_users.credentials.revocations import Revocations
from portico_users.end_users.changes import put_end_user
from portico_users.end_users.end_user import EndUser
from portico_users.journal.command import Command, Commit
from portico_users.policies.first_factors import FirstFactors
from portico_users.policies.password_policy import require_length
from portico_users.values.problems import CHANGED_MEANWHILE


@dataclass(frozen=True, slots=True)
class PasswordChange(Command):
    accounts: MongoAccounts
    passwords: MongoPasswords
    attempts: Attempts
    pool: HashingPool
    commit: Commit
    revocations: Revocations
    lockout: Lockout
    check: NewPasswordCheck
    first_factors: FirstFactors

    async def change_password(self, ask: ChangePassword) -> PasswordChanged:
        """Sets the new password and revokes all grants; returns nothing if the current password is wrong.

        authz ends the sessions, because it knows in which one the password is changed. Raises `unavailable`
        also if only the revocation at token is incomplete: repeating the request completes it.
        """
        # 1. Cheap checks first (LG-15, LG-24).
        require_length(ask.current_password)
        account = await self._find(ask.user_id)
        if account is None:
            return PasswordChanged()
        await self.first_factors.require_password(account)
        rules = (await self.lockout.policies.of(account.org.id)).password
        if problem := await self.check.find_problem_of(account.user, ask.new_password, rules):
            raise problem.error()
        hash = await self.passwords.find_hash(account.user.id)
        # 2. Reserve a place in the hashing queue, count the attempt, then compare, as for any attempt (LG-05).
        counter = of_user(account.user.id, FACTOR)
        async with self.pool.place(hash, counter) as place:
            failures = await self.attempts.reserve(counter)
            if await place.verify(hash, ask.current_password):
                account = await self._set(place, account, ask)
            elif not await self._is_repeated(place, account, hash, ask):
                await self.lockout.failed(account.user, counter, failures)
                return PasswordChanged()
        await self.attempts.reset(counter)
        # 3. Revoke all grants before the response (IR-14).
        await self.revocations.complete(account.user.id)
        return PasswordChanged(user=as_user(account))

    async def _find(self, user_id: str) -> Account | None:
        account = await self.accounts.find_active_whole(user_id)
        return account if account and isinstance(account.user, EndUser) else None

    async def _set(self, place: HashingPlace, account: Account, ask: ChangePassword) -> Account:
        """Writes the hash, the user, the event and the revocation request in one transaction."""
        refuse_same(ask.current_password, ask.new_password)
        before = account.user
        if not isinstance(before, EndUser):
            raise CHANGED_MEANWHILE.error(user=before.id)
        after = msgspec.structs.replace(before, has_password=True, password_change_required=False)
        attachments = (
            password_attachment(before.id, await place.hash(ask.new_password)),
            self.revocations.request_revocation(before.id),
        )
        entry = replace(put_end_user(before, after), attachments=attachments, attached=("password",))
        changed: EndUser = await self.commit(entry, actor=before.id)
        return Account(changed, account.org)

    async def _is_repeated(self, place: HashingPlace, account: Account, hash: str, ask: ChangePassword) -> bool:
        """Detects a repeated request whose first run failed only in revoking the grants (503)."""
        return await self.revocations.is_pending(account.user.id) and await place.verify(hash, ask.new_password)
