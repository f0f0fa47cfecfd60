"""What the links in mails lead to: an address is proven, a password is set; and the mail with such a link.

Whoever has a link need not be signed in, and nothing is done before they say so: programs that look at mails follow
every link in them, and must not use its code up.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import Final

import structlog
from portico_contracts.users import (
    EmailLinkVerified,
    PasswordLinkSent,
    PasswordSet,
    SendPasswordLink,
    SetPasswordByCode,
    SetPasswordByLink,
    VerifyEmailLink,
)
from portico_oauth.errors import UNAVAILABLE, ServiceError

from portico_users.codes.challenge import Subject
from portico_users.codes.challenges import claim_of
from portico_users.codes.user_codes import WRONG_CODE, CodeRequest
from portico_users.commands.people.new_password import NewPasswords, Proof, proof_of
from portico_users.credentials.attempts.attempts import Attempts, of_unknown
from portico_users.credentials.attempts.backoff import EMAIL_BACKOFF
from portico_users.directory.accounts.account import Account
from portico_users.directory.accounts.queries import AccountQueries
from portico_users.directory.organizations.login_policies import LoginPolicies
from portico_users.directory.organizations.org import Org
from portico_users.directory.people.changes import put_human
from portico_users.directory.people.email_address import with_proof
from portico_users.directory.people.human import Human
from portico_users.kernel.entry import Attachment
from portico_users.kernel.journal import Journal
from portico_users.kernel.names import MAX_LENGTH, login_key

log = structlog.get_logger("portico.links")

AT_ONCE: Final = 200
"""Links that are written at the same time."""

LAST_SECONDS: Final = 3.0
"""How long a stop waits for those."""

_COUNTER: Final = "password-link"


@dataclass(frozen=True, slots=True)
class MailedLinks:
    """Answers `VERIFY_EMAIL_LINK`, `SET_PASSWORD_BY_LINK`, `SET_PASSWORD_BY_CODE` and `SEND_PASSWORD_LINK`."""

    accounts: AccountQueries
    attempts: Attempts
    policies: LoginPolicies
    new_passwords: NewPasswords
    journal: Journal
    writing: set[asyncio.Task[None]] = field(default_factory=set)

    async def start(self) -> None:
        """Nothing to begin."""

    async def close(self) -> None:
        """Waits a moment for the links that are just being written."""
        if self.writing:
            await asyncio.wait(self.writing, timeout=LAST_SECONDS)

    async def verify_mail(self, ask: VerifyEmailLink) -> EmailLinkVerified:
        """Proves the address.

        Raises:
            ServiceError: USER-402 for every other code and for whoever is not active, USER-012 when the user was changed
                meanwhile, `unavailable`.
        """
        human = await self._load(ask.user_id)
        challenge = await self.new_passwords.codes.guess(human, Subject.MAIL, ask.code)
        entry = put_human(human, with_proof(human, mailed=bool(challenge.purpose.to)))
        await self.journal.commit([replace(entry, claims=(claim_of(challenge),))], actor=human.id)
        return EmailLinkVerified(has_password=human.has_password)

    async def set_password(self, ask: SetPasswordByLink) -> PasswordSet:
        """Sets the password; whoever has the link reads the address, which is proven by that.

        Raises:
            ServiceError: as `verify_mail`; USER-03x for a password that may not be so; `unavailable` also when it is set
                and the grants live on: the same question again is then answered.
        """
        human, new = await self._load(ask.user_id), self.new_passwords
        try:
            # The code first: a stranger makes nobody hash, and hears nothing of the rules for somebody else.
            proof = await new.guess(human, ask.code)
            stored = await new.passwords.hashed(human, ask.new_password, "newPassword")
        except ServiceError as error:
            if not await new.is_repeated(human, ask.new_password, error):
                raise
        else:
            await self._put(human, proof, stored)
        await new.passwords.reset_attempts(human.id)
        await new.revocations.complete(human.id)
        return PasswordSet()

    async def set_password_by_code(self, ask: SetPasswordByCode) -> PasswordSet:
        """Sets the password where the code was requested; a name without an account has a code nobody knows (P9).

        Raises:
            ServiceError: as `set_password`; once `unavailable` was answered the code may be used up, and another is needed.
        """
        new = self.new_passwords
        challenge = await new.codes.guess_named(ask.challenge[: MAX_LENGTH + 1], ask.code)
        human = await self._load(challenge.purpose.user_id)
        if human.email != challenge.purpose.mail:
            raise WRONG_CODE.error(cause="another address")
        stored = await new.passwords.hashed(human, ask.new_password, "newPassword")
        await self._put(human, proof_of(challenge), stored)
        await new.passwords.reset_attempts(human.id)
        await new.revocations.complete(human.id)
        return PasswordSet()

    async def _put(self, human: Human, proof: Proof, stored: Attachment) -> None:
        entry = self.new_passwords.put(put_human(human, human), proof, stored, change_required=False)
        await self.journal.commit([entry], actor=human.id)

    async def send_password(self, ask: SendPasswordLink) -> PasswordLinkSent:
        """Has a link mailed. Who it is for is looked up after the answer, so that the answer tells nothing (LG-01).

        Raises:
            ServiceError: USER-064 where no mails can be sent, USER-062 for a name that was asked for too often, whether
                or not anybody has it; `unavailable`.
        """
        self.new_passwords.codes.challenges.require_email_queue()
        await self.attempts.reserve(of_unknown(login_key(ask.login_name), _COUNTER), EMAIL_BACKOFF)
        if len(self.writing) >= AT_ONCE:
            raise UNAVAILABLE.error(retry_after=1, part="links")
        name = self.new_passwords.codes.challenges.new_name()
        task = asyncio.create_task(self._write(ask, name))
        self.writing.add(task)
        task.add_done_callback(self.writing.discard)
        return PasswordLinkSent(challenge=name)

    async def _write(self, ask: SendPasswordLink, name: str) -> None:
        try:
            account = await self.accounts.find_account(ask.login_name, "")
            if account and isinstance(account.user, Human) and await self._may_get_link(account.org, account.user):
                code_request = CodeRequest(Subject.PASSWORD, languages=ask.languages, name=name)
                await self._mail(account, account.user, code_request)
            else:
                await self.new_passwords.codes.challenges.open_decoy(name)
        except ServiceError as error:  # nobody waits for it: who gets no mail asks again
            log.warning("no link was mailed", error_code=error.id)

    async def _mail(self, account: Account, human: Human, code_request: CodeRequest) -> None:
        codes = self.new_passwords.codes
        await codes.reserve_mail(human.email)
        planned = codes.plan(human, account.org, code_request)
        entry = replace(put_human(human, human), side_writes=planned.side_writes, attached=("passwordCode",))
        await self.journal.commit([entry], actor=human.id)

    async def _may_get_link(self, org: Org, human: Human) -> bool:
        """Somebody without a password forgot none, and is never kept from the first one.

        An address nobody proved may be a stranger's: it opens no account that has a password already.
        """
        return not human.has_password or (human.email_verified and await self.policies.lets_reset(org))

    async def _load(self, user_id: str) -> Human:
        found = await self.accounts.find_person(user_id)
        if found is None:
            raise WRONG_CODE.error(cause="no such user")
        return found[0]
