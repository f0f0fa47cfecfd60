"""Codes at sign-in: of an authenticator app, and recovery codes."""

from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.users import FactorVerified, VerifyRecoveryCode, VerifyTotp

from portico_users.credentials.recovery_codes.recovery_codes import RecoveryCodes
from portico_users.credentials.totp.authenticators import TotpAuthenticators
from portico_users.directory.accounts.account import Account, active_account, as_user
from portico_users.directory.accounts.store import MongoAccounts
from portico_users.directory.people.human import Human
from portico_users.kernel.names import MAX_LENGTH


@dataclass(frozen=True, slots=True)
class FactorCodes:
    """Answers `VERIFY_TOTP` and `VERIFY_RECOVERY_CODE`."""

    accounts: MongoAccounts
    totp_authenticators: TotpAuthenticators
    recovery_codes: RecoveryCodes

    async def verify_totp(self, ask: VerifyTotp) -> FactorVerified:
        """The user whose code it was; nothing for everything else.

        Raises:
            ServiceError: USER-033 when the caller must wait, USER-606 where its secret cannot be read, `unavailable`.
        """
        user_id = ask.user_id[: MAX_LENGTH + 1]
        if not await self.totp_authenticators.is_right(user_id, ask.code):
            return FactorVerified()
        account = await self._find(user_id)
        return FactorVerified(user=as_user(account) if account else None)

    async def verify_recovery_code(self, ask: VerifyRecoveryCode) -> FactorVerified:
        """The user whose code it was, with one fewer; nothing for everything else.

        Raises:
            ServiceError: USER-033 when the caller must wait, `unavailable`.
        """
        account = await self._find(ask.user_id[: MAX_LENGTH + 1])
        if account is None or not isinstance(account.user, Human):
            return FactorVerified()
        human = await self.recovery_codes.take(account.user, ask.code)
        return FactorVerified(user=as_user(Account(human, account.org)) if human else None)

    async def _find(self, user_id: str) -> Account | None:
        # With everything: using a recovery code up writes the user.
        found = await self.accounts.find_whole(user_id)
        return active_account(*found) if found else None
