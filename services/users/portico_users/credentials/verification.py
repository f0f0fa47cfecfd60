"""Verifies a typed password. The order of the steps is the point; see the numbers."""

from __future__ import annotations

from dataclasses import dataclass

import structlog
from portico_contracts.users import PasswordVerified, VerifyPassword
from portico_oauth.errors import Refusal

from portico_users.accounts.account import as_user
from portico_users.accounts.queries import AccountQueries
from portico_users.credentials.attempts import Attempts, of_unknown, of_user
from portico_users.credentials.hashing import Argon2, HashingPool
from portico_users.credentials.lockout import Lockout
from portico_users.credentials.passwords import MongoPasswords
from portico_users.domain.names import login_key
from portico_users.domain.password_policy import require_length

log = structlog.get_logger("portico.passwords")

FACTOR = "password"


@dataclass(frozen=True, slots=True)
class PasswordVerification:
    """Answers `VERIFY_PASSWORD`."""

    accounts: AccountQueries
    passwords: MongoPasswords
    attempts: Attempts
    pool: HashingPool
    lockout: Lockout

    async def verify_password(self, ask: VerifyPassword) -> PasswordVerified:
        """The user whose password it was, or nothing, after the same work either way (LG-01).

        Raises:
            Refusal: USER-031 for what cannot be a password, USER-033 when the caller must wait, USER-034 when
                the pool is full, `unavailable` when the attempt cannot be counted.
        """
        # 1. Refuse what cannot be a password before it costs anything (LG-15).
        require_length(ask.password)
        # 2. Whose is it? Unknown, inactive and human-without-password go on as nobody.
        account = await self.accounts.find_account(ask.login_name, ask.org_id)
        hash = await self.passwords.find_hash(account.user.id if account else "-")
        counter = of_user(account.user.id, FACTOR) if account else of_unknown(login_key(ask.login_name), FACTOR)
        # 3. Take a place before counting: an overloaded pool must not use up anybody's attempts (RX-08).
        async with self.pool.place() as argon2:
            # 4. Count the attempt before the result can be known (LG-05).
            failures = await self.attempts.reserve(counter)
            # 5. Compare. Without a hash this takes as long and fails.
            if not await argon2.verify(hash, ask.password) or account is None:
                await self.lockout.failed(account.user if account else None, FACTOR, failures)
                return PasswordVerified()
            await self._strengthen(argon2, account.user.id, hash, ask.password)
        # 6. The right password ends the delay.
        await self.attempts.reset(counter)
        return PasswordVerified(user=as_user(account))

    async def _strengthen(self, argon2: Argon2, user_id: str, hash: str, password: str) -> None:
        if not argon2.needs_rehash(hash):
            return
        try:
            await self.passwords.strengthen(user_id, hash, await argon2.hash(password))
        except Refusal as refusal:  # the next sign-in tries again; this one is right in any case
            log.warning("hash not strengthened", fact=refusal.id)
