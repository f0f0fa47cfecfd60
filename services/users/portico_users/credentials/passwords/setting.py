from __future__ import annotations

from dataclasses import dataclass

from portico_oauth.errors import ErrorCode, Kind, ServiceError
from portico_oauth.opaque import equal_in_constant_time

from portico_users.accounts.account import Account, AnyUser
from portico_users.credentials.attempts.attempts import Attempts, Lockout, of_entry, of_user
from portico_users.credentials.passwords.hash_counts import password_attachment
from portico_users.credentials.passwords.hashing import HashingPool
from portico_users.credentials.passwords.imported_hashes import stored_hash
from portico_users.credentials.passwords.new_password import NewPasswordCheck
from portico_users.credentials.passwords.verification import FACTOR, MongoPasswords
from portico_users.credentials.revocations import Revocations
from portico_users.end_users.end_user import EndUser
from portico_users.organizations.org import MongoOrgs
from portico_users.policies.first_factors import NO_PASSWORDS, FirstFactors
from portico_users.policies.password_policy import require_length
from portico_users.storage.entry import Attachment
from portico_users.values.names import opaque_string
from portico_users.values.problems import at, below

WRONG_PASSWORD = ErrorCode(
    "USER-403", Kind.INVALID_REQUEST, "The current password is wrong.", "Enter the user's current password."
)
NOT_NEW = ErrorCode(
    "USER-036",
    Kind.FAILED_PRECONDITION,
    "The new password is the same as the current one.",
    "Choose a password you have not used before.",
)


def refuse_same(current: str, new: str) -> None:
    """Raises USER-036 for an unchanged password: a required change must change it."""
    if equal_in_constant_time(opaque_string(current), opaque_string(new)):
        raise NOT_NEW.error()


@dataclass(frozen=True, slots=True)
class PasswordSetting:
    passwords: MongoPasswords
    attempts: Attempts
    pool: HashingPool
    revocations: Revocations
    lockout: Lockout
    check: NewPasswordCheck
    first_factors: FirstFactors
    orgs: MongoOrgs

    async def hashed(self, human: EndUser, password: str, place: str) -> Attachment:
        await self.require_allowed(human, password, place)
        async with self.pool.place() as hashing:
            return password_attachment(human.id, await hashing.hash(password))

    async def require_allowed(self, human: EndUser, password: str, place: str) -> None:
        """Raises USER-183 where the organization has no passwords, and the problems of the password itself."""
        with below(place):
            await self.require_usable(human)
        rules = (await self.lockout.policies.of(human.org_id)).password
        if problem := await self.check.find_problem_of(human, password, rules):
            raise at(place, problem.error())

    def imported(self, human: EndUser, hash: str, place: str) -> Attachment:
        try:
            return password_attachment(human.id, stored_hash(hash))
        except ServiceError as error:
            raise at(place, error) from None

    async def require_current(self, human: EndUser, typed: str) -> None:
        """Raises USER-403 for a wrong password, USER-031, USER-033 when the caller must wait, USER-034, USER-183."""
        require_length(typed)
        await self.require_usable(human)
        if not await self.is_set(human, typed):
            raise WRONG_PASSWORD.error()
        await self.reset_attempts(human.id)

    async def require_usable(self, human: EndUser) -> None:
        """Raises USER-183 for a user who may not sign in with a password."""
        if not await self.is_usable(human):
            raise NO_PASSWORDS.error()

    async def is_usable(self, human: EndUser) -> bool:
        org = await self.orgs.find(human.org_id)
        return org is None or await self.first_factors.allows_password(Account(human, org))

    async def is_set(self, human: EndUser, password: str) -> bool:
        """Compares with the user's password; counts as an attempt and may lock the user (LG-05)."""
        hash = await self.passwords.find_hash(human.id)
        counter = of_user(human.id, FACTOR)
        async with self.pool.place(hash, counter) as hashing:
            failures = await self.attempts.reserve(counter)
            if await hashing.verify(hash, password):
                return True
            await self.lockout.failed(human, counter, failures)
            return False

    async def reset_attempts(self, user_id: str) -> None:
        await self.attempts.reset(of_user(user_id, FACTOR))

    async def reset_lockout(self, user: AnyUser) -> None:
        """Resets every counter that can lock the user: of the password, and of the linked LDAP entries."""
        await self.reset_attempts(user.id)
        for link in user.idp_links if isinstance(user, EndUser) else ():
            await self.attempts.reset(of_entry(link.idp_id, link.user_id))
