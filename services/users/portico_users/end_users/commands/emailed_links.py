"""Emailed links that verify an address or set a password, without a sign-in.

Only submitting the form changes anything: email scanners open every link and must not use up its code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import structlog
from portico_contracts.apply import Password
from portico_contracts.users import (
    EmailLinkVerified,
    GetUser,
    PasswordLinkSent,
    PasswordSet,
    SendPasswordLink,
    SetPasswordByCode,
    SetPasswordByLink,
    User,
    VerifyEmailLink,
)
from portico_oauth.errors import ServiceError
from portico_oauth.opaque import fingerprint

from portico_users.accounts.queries import AccountQueries
from portico_users.after_response import AfterResponse
from portico_users.applications.start_pages import StartPages
from portico_users.credentials.attempts.attempts import Attempts, of_sender, of_unknown
from portico_users.credentials.attempts.backoff import EMAIL_BACKOFF, SENDER_BACKOFF
from portico_users.end_users.codes.challenge import Challenge, Subject
from portico_users.end_users.codes.user_codes import WRONG_CODE, CodeRequest, UserCodes
from portico_users.end_users.commands.change_end_user import ChangeEndUser, EndUserChange
from portico_users.end_users.commands.recover_account import RecoverAccount
from portico_users.end_users.commands.set_password import EnteredCode, NewPassword, SetPassword
from portico_users.end_users.commands.verify_email import VerifyContact
from portico_users.end_users.end_user import EndUser, can_authenticate
from portico_users.journal.command import Command
from portico_users.organizations.org import Org
from portico_users.policies.first_factors import FirstFactors
from portico_users.values.names import MAX_LENGTH, login_key

log = structlog.get_logger("portico.links")

_COUNTER: Final = "password-link"


@dataclass(frozen=True, slots=True)
class EmailedLinks(Command):
    accounts: AccountQueries
    attempts: Attempts
    first_factors: FirstFactors
    codes: UserCodes
    new_password: SetPassword
    verify_contact: VerifyContact
    change_human: ChangeEndUser
    recovery: RecoverAccount
    start_pages: StartPages
    after_response: AfterResponse

    async def verify_email(self, ask: VerifyEmailLink) -> EmailLinkVerified:
        human = await self._load(ask.user_id)
        await self.verify_contact(human, Subject.EMAIL, ask.code, actor=human.id)
        return EmailLinkVerified(has_password=human.has_password)

    async def set_password(self, ask: SetPasswordByLink) -> PasswordSet:
        """Sets the password and verifies the address to which the link was sent.

        The reply names the user after an invitation only: another link may be requested by a stranger's browser.
        """
        human = await self._load(ask.user_id)
        invitation = await self.codes.find_pending(human.id, Subject.INVITE)
        start = await self.start_pages.find_address(invitation.app_id, human.org_id) if invitation else ""
        is_invited = invitation is not None and not await self.codes.is_pending(human.id, Subject.PASSWORD)
        await self.new_password(human, _new(ask.new_password, EnteredCode(ask.code)), actor=human.id)
        return PasswordSet(start=start, user=await self._active(human) if is_invited else None)

    async def set_password_by_code(self, ask: SetPasswordByCode) -> PasswordSet:
        """Sets the password in the browser that requested the code; codes for unknown names are never sent (P9)."""
        try:
            challenge = await self.codes.guess_named(ask.challenge[: MAX_LENGTH + 1], ask.code)
        except ServiceError as error:
            await self._repeat(ask, error)
            return PasswordSet()
        human = await self._load(challenge.purpose.user_id)
        if challenge.purpose.subject is Subject.RECOVERY:
            await self.recovery.finish(human, challenge, ask.new_password)
            return PasswordSet()
        if human.email != challenge.purpose.mail or challenge.purpose.resets != human.resets:
            raise WRONG_CODE.error(cause="another address, or a reset since")
        await self.new_password(human, _new(ask.new_password, challenge), actor=human.id)
        return PasswordSet(user=await self._active(human))

    async def _repeat(self, ask: SetPasswordByCode, error: ServiceError) -> None:
        """Completes an earlier submission that used up the code but failed with 503; otherwise raises the error."""
        user_id = await self.new_password.revocations.find_user(fingerprint(ask.challenge[: MAX_LENGTH + 1]))
        if not user_id:
            raise error
        human = await self._load(user_id)
        if not await self.new_password.is_repeated(human, _new(ask.new_password), error):
            raise error
        await self.new_password.finish(human)

    async def send_password(self, ask: SendPasswordLink) -> PasswordLinkSent:
        """Looks up the user after the response, so that timing reveals nothing (LG-01)."""
        self.codes.challenges.require_email_queue()
        if ask.sender:
            await self.attempts.reserve(of_sender(ask.sender), SENDER_BACKOFF)
        await self.attempts.reserve(of_unknown(login_key(ask.login_name), _COUNTER), EMAIL_BACKOFF)
        name = self.codes.challenges.new_name()
        self.after_response.run(self._write(ask, name))
        return PasswordLinkSent(challenge=name)

    async def _write(self, ask: SendPasswordLink, name: str) -> None:
        try:
            account = await self.accounts.find_account(ask.login_name, "")
            # An account found by its name has no metadata, and a change writes the whole user.
            found = await self.accounts.find_end_user(account.user.id) if account else None
            if found and await self._may_get_link(found[1], found[0]):
                code_request = CodeRequest(Subject.PASSWORD, languages=ask.languages, name=name)
                change = EndUserChange(codes=(code_request,))
                await self.change_human(found[0], change, actor=found[0].id)
            else:
                await self.codes.challenges.open_decoy(name)
        except ServiceError as error:  # no caller waits for it: a user without the email requests another
            log.warning("emailed link not sent", error_code=error.id)

    async def _may_get_link(self, org: Org, human: EndUser) -> bool:
        """An unverified address may be someone else's: it opens only an account that cannot sign in yet."""
        if not human.email_verified and can_authenticate(human):
            return False
        return await self.first_factors.lets_set_password(human, org)

    async def _active(self, human: EndUser) -> User | None:
        return (await self.accounts.get_user(GetUser(user_id=human.id))).user

    async def _load(self, user_id: str) -> EndUser:
        found = await self.accounts.find_end_user(user_id)
        if found is None:
            raise WRONG_CODE.error(cause="no such user")
        return found[0]


def _new(password: str, evidence: EnteredCode | Challenge | None = None) -> NewPassword:
    return NewPassword(Password(password=password), evidence, "newPassword")
