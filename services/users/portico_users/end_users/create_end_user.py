from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

import msgspec
from portico_contracts.apply import HashedPassword, Password
from portico_oauth.errors import ServiceError
from portico_oauth.opaque import RandomBytes

from portico_users.accounts.edit_accounts import ALONE, FOREIGN_DOMAIN, Beside, UserNames
from portico_users.credentials.passwords.hash_counts import password_attachment
from portico_users.credentials.passwords.imported_hashes import stored_hash
from portico_users.credentials.passwords.setting import PasswordSetting
from portico_users.credentials.totp.authenticators import TotpAuthenticators
from portico_users.end_users.changes import put_valid_end_user
from portico_users.end_users.codes.challenge import Subject
from portico_users.end_users.codes.user_codes import UserCodes
from portico_users.end_users.end_user import EndUser, ProofKind
from portico_users.end_users.inviters import Inviters
from portico_users.end_users.new_end_user import (
    CommittedEndUser,
    ComputedHash,
    NewEndUser,
    PlannedEndUser,
    refuse_repeated_keys,
    with_codes,
)
from portico_users.end_users.rules import problems_of
from portico_users.end_users.usable_links import UsableLinks
from portico_users.journal.command import Command, Commit
from portico_users.organizations.org import Org
from portico_users.policies.first_factors import NO_PASSWORDS
from portico_users.storage.entry import Attachment, Entry
from portico_users.values.names import INVALID_ID, is_id, new_id
from portico_users.values.problems import at


@dataclass(frozen=True, slots=True)
class CreateEndUser(Command):
    """Creates user, password and codes in one transaction."""

    user_names: UserNames
    links: UsableLinks
    passwords: PasswordSetting
    authenticators: TotpAuthenticators
    codes: UserCodes
    inviters: Inviters
    random: RandomBytes
    commit: Commit

    async def __call__(self, org: Org, new: NewEndUser, *, actor: str) -> CommittedEndUser:
        new = replace(new, codes=await self.inviters.naming(new.codes, org.id, actor))
        return await self.commit_planned(await self.plan(org, new), actor=actor)

    async def commit_planned(self, planned: PlannedEndUser, *, actor: str) -> CommittedEndUser:
        human = await self.commit(await self.hash_password(planned), actor=actor)
        return CommittedEndUser(human, planned.codes)

    def new_id(self) -> str:
        return new_id(self.random)

    async def plan(self, org: Org, new: NewEndUser, beside: Beside = ALONE) -> PlannedEndUser:
        async for problem in self.problems(org, new, beside):
            raise problem
        planned = self.plan_valid(org, new)
        for one in filter(None, new.codes):
            if one.subject is Subject.PHONE and not one.returned:
                await self.codes.reserve(planned.entry.after, one)
        return planned

    def plan_valid(self, org: Org, new: NewEndUser) -> PlannedEndUser:
        """Like `plan`, for a user that `problems` has just validated. Raises as `UserCodes.plan`."""
        human = new.as_end_user(new.id or self.new_id(), org.id)
        attachments: list[Attachment] = []
        if isinstance(new.password, HashedPassword):
            attachments.append(password_attachment(human.id, stored_hash(new.password.hash)))
        if isinstance(new.password, ComputedHash):
            attachments.append(password_attachment(human.id, new.password.hash))
        attached = ["password"] if new.password is not None else []
        if new.totp_secret:
            attachments.append(self.authenticators.imported(human.id, new.totp_secret))
            attached.append("totpSecret")
        entry = replace(
            put_valid_end_user(human),
            attachments=tuple(attachments),
            attached=tuple(attached),
            side_writes=new.side_writes,
        )
        planned = with_codes(self.codes, entry, org, filter(None, new.codes))
        return replace(planned, password=new.password.password) if isinstance(new.password, Password) else planned

    async def hash_password(self, planned: PlannedEndUser) -> Entry[EndUser]:
        """Adds the password hash, if a password is to be hashed. Raises USER-034 when the hashing queue is full."""
        if not planned.password:
            return planned.entry
        async with self.passwords.pool.place() as hashing:
            stored = password_attachment(planned.entry.after.id, await hashing.hash(planned.password))
        return replace(planned.entry, attachments=(stored, *planned.entry.attachments))

    async def problems(
        self, org: Org, new: NewEndUser, beside: Beside = ALONE, *, imported: bool = False
    ) -> AsyncIterator[ServiceError]:
        """Yields all errors of a new user with their paths; neither writes nor hashes.

        `imported`: the password was chosen elsewhere, so it may be known from data breaches (decision 0101).
        """
        if new.id is not None and not is_id(new.id):
            yield at("userId", INVALID_ID.error())
        try:
            refuse_repeated_keys(key for key, _ in new.metadata)
        except ServiceError as error:
            yield error
        human = new.as_end_user(new.id or "", org.id)
        for found in problems_of(human):
            yield at(found.path, found.error_code.error())
        is_proven = new.email_proof is ProofKind.PROVEN and human.user_name == human.email
        if not is_proven and await self.user_names.is_foreign(human.user_name, org.id, beside):
            yield at("username" if new.user_name else "email.email", FOREIGN_DOMAIN.error())
        async for problem in self.links.problems(org.id, new.idp_links, beside):
            yield problem
        if wrong := await self._problem_of_password(org, human, new, imported=imported):
            yield wrong
        if new.totp_secret:
            try:
                self.authenticators.imported(human.id, new.totp_secret)
            except ServiceError as error:
                yield at("totpSecret", error)

    async def _problem_of_password(
        self, org: Org, human: EndUser, new: NewEndUser, *, imported: bool
    ) -> ServiceError | None:
        match new.password:
            case HashedPassword(hash=hash):
                try:
                    stored_hash(hash)
                except ServiceError as error:
                    return at("hashedPassword.hash", error)
            case Password(password=text):
                rules = (await self.passwords.lockout.policies.within(org)).password
                chosen_here = not (imported or new.owns_instance)
                if chosen_here and not await self.passwords.first_factors.policies.allows_passwords(org):
                    return at("password.password", NO_PASSWORDS.error())
                if imported and rules:
                    rules = msgspec.structs.replace(rules, refuse_breached=False)
                if wrong := await self.passwords.check.find_problem(text, human.user_name, rules):
                    return at("password.password", wrong.error())
            case _:
                pass
        return None
