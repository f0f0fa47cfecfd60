"""Locks users after too many wrong passwords, where the lockout policy of their organization demands it."""

from __future__ import annotations

from dataclasses import dataclass

from portico_oauth.errors import ServiceError

from portico_users.credentials.attempts.attempts import Attempts, of_user
from portico_users.credentials.revocations import Revocations
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.accounts.states import LOCK, put_state
from portico_users.directory.accounts.store import MongoAccounts
from portico_users.directory.organizations.policies_in_force import PoliciesInForce
from portico_users.kernel.journal import Journal
from portico_users.kernel.problems import CHANGED_MEANWHILE
from portico_users.kernel.records import State

NO_USER = ""


@dataclass(frozen=True, slots=True)
class Lockout:
    """Compares the number of failures, which `Attempts` counts, with the policy."""

    policies: PoliciesInForce
    accounts: MongoAccounts
    attempts: Attempts
    revocations: Revocations
    journal: Journal

    async def failed(self, user: AnyUser | None, factor: str, failures: int) -> None:
        """Locks the user after one failure too many. For an unknown user the same is read (LG-01)."""
        rules = (await self.policies.of(user.org_id if user else NO_USER)).lockout
        most = rules.max_password_attempts if rules else 0
        if user and 0 < most <= failures and await self._lock(user.id):
            # An unlocked user begins anew.
            await self.attempts.reset(of_user(user.id, factor))

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
