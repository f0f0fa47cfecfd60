"""Codes at sign-in: those of an authenticator app and recovery codes are verified, codes by email set."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
from portico_contracts.users import Factor, FactorVerified, GetLoginPolicy, VerifyRecoveryCode, VerifyTotp
from portico_oauth.errors import ErrorCode, Kind

from portico_users.accounts.account import Account, as_user
from portico_users.accounts.store import MongoAccounts
from portico_users.credentials.commands.recovery_codes import UseRecoveryCode
from portico_users.credentials.texts import NO_TEXT_MESSAGES, Texts
from portico_users.credentials.totp.authenticators import TotpAuthenticators
from portico_users.end_users.changes import put_end_user
from portico_users.end_users.end_user import EndUser
from portico_users.journal.command import Command, Commit
from portico_users.policies.login_policies import LoginPolicies
from portico_users.values.names import MAX_LENGTH


@dataclass(frozen=True, slots=True)
class FactorCodes(Command):
    accounts: MongoAccounts
    authenticators: TotpAuthenticators
    use_recovery_code: UseRecoveryCode

    async def verify_totp(self, ask: VerifyTotp) -> FactorVerified:
        user_id = ask.user_id[: MAX_LENGTH + 1]
        if not await self.authenticators.is_right(user_id, ask.code):
            return FactorVerified()
        account = await self._find(user_id)
        return FactorVerified(user=as_user(account) if account else None)

    async def verify_recovery_code(self, ask: VerifyRecoveryCode) -> FactorVerified:
        account = await self._find(ask.user_id[: MAX_LENGTH + 1])
        if account is None or not isinstance(account.user, EndUser):
            return FactorVerified()
        human = await self.use_recovery_code(account.user, ask.code)
        return FactorVerified(user=as_user(Account(human, account.org)) if human else None)

    async def _find(self, user_id: str) -> Account | None:
        # Load the whole user, because using a recovery code writes it.
        return await self.accounts.find_active_whole(user_id)


EMAIL_NOT_VERIFIED = ErrorCode(
    "USER-530", Kind.FAILED_PRECONDITION, "The email address is not verified.", "Verify the email address first."
)
OTP_EMAIL_ALREADY_ADDED = ErrorCode(
    "USER-531", Kind.ALREADY_EXISTS, "Emailed codes are already a second factor.", "No action needed."
)
OTP_EMAIL_NOT_FOUND = ErrorCode(
    "USER-532", Kind.NOT_FOUND, "Emailed codes are not a second factor of this user.", "No action needed."
)


@dataclass(frozen=True, slots=True)
class SetOtpEmail(Command):
    """Adds codes by email to a user whose email address is verified, or removes them."""

    commit: Commit

    async def __call__(self, human: EndUser, wanted: bool, *, actor: str) -> EndUser:
        if human.has_otp_email is wanted:
            raise (OTP_EMAIL_ALREADY_ADDED if wanted else OTP_EMAIL_NOT_FOUND).error()
        if wanted and not human.email_verified:
            raise EMAIL_NOT_VERIFIED.error()
        return await self.commit(put_end_user(human, msgspec.structs.replace(human, has_otp_email=wanted)), actor=actor)


PHONE_NOT_VERIFIED = ErrorCode(
    "USER-171", Kind.FAILED_PRECONDITION, "The phone number is not verified.", "Verify the phone number first."
)
OTP_SMS_ALREADY_ADDED = ErrorCode(
    "USER-172", Kind.ALREADY_EXISTS, "Codes by text message are already a second factor.", "No action needed."
)
OTP_SMS_NOT_FOUND = ErrorCode(
    "USER-173", Kind.NOT_FOUND, "Codes by text message are not a second factor of this user.", "No action needed."
)


@dataclass(frozen=True, slots=True)
class SetOtpSms(Command):
    """Adds codes by text message to a user whose phone number is verified, or removes them."""

    texts: Texts
    commit: Commit

    async def __call__(self, human: EndUser, wanted: bool, *, actor: str) -> EndUser:
        """Raises USER-404 without a sender of text messages, which could never send a code."""
        if human.has_otp_sms is wanted:
            raise (OTP_SMS_ALREADY_ADDED if wanted else OTP_SMS_NOT_FOUND).error()
        if wanted and not await self.texts.can_send(human.org_id, human.id):
            raise NO_TEXT_MESSAGES.error(org=human.org_id)
        if wanted and not human.phone_verified:
            raise PHONE_NOT_VERIFIED.error()
        return await self.commit(put_end_user(human, msgspec.structs.replace(human, has_otp_sms=wanted)), actor=actor)


@dataclass(frozen=True, slots=True)
class TextCodesAvailability(Command):
    texts: Texts
    policies: LoginPolicies

    async def of(self, human: EndUser) -> bool:
        """Reports whether codes by text message can be added as a second factor."""
        if human.has_otp_sms or not human.phone_verified:
            return False
        policy = await self.policies.get_login_policy(GetLoginPolicy(org_id=human.org_id))
        return Factor.OTP_SMS in policy.factors and await self.texts.can_send(human.org_id, human.id)
