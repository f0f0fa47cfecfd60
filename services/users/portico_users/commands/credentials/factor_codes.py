"""Verifies codes at sign-in: of an authenticator app, and recovery codes."""

from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.users import FactorVerified, VerifyRecoveryCode, VerifyTotp

from portico_users.commands.command import Command
from portico_users.commands.credentials.recovery_codes import UseRecoveryCode
from portico_users.credentials.totp.authenticators import TotpAuthenticators
from portico_users.directory.accounts.account import Account, active_account, as_user
from portico_users.directory.accounts.store import MongoAccounts
from portico_users.directory.people.human import Human
from portico_users.kernel.names import MAX_LENGTH


@dataclass(frozen=True, slots=True)
class FactorCodes(Command):
    """Replies to `VERIFY_TOTP` and `VERIFY_RECOVERY_CODE`."""

    accounts: MongoAccounts
    authenticators: TotpAuthenticators
    use_recovery_code: UseRecoveryCode

    async def verify_totp(self, ask: VerifyTotp) -> FactorVerified:
        """The user whose code it was; nothing for everything else.

        Raises:
            ServiceError: USER-033 when the caller must wait, USER-606 where its secret cannot be read, `unavailable`.
        """
        user_id = ask.user_id[: MAX_LENGTH + 1]
        if not await self.authenticators.is_right(user_id, ask.code):
            return FactorVerified()
        account = await self._find(user_id)
        return FactorVerified(user=as_user(account) if account else None)

    async def verify_recovery_code(self, ask: VerifyRecoveryCode) -> FactorVerified:
        """The user whose code it was, with one fewer; nothing for every other one; USER-033 for who must wait."""
        account = await self._find(ask.user_id[: MAX_LENGTH + 1])
        if account is None or not isinstance(account.user, Human):
            return FactorVerified()
        human = await self.use_recovery_code(account.user, ask.code)
        return FactorVerified(user=as_user(Account(human, account.org)) if human else None)

    async def _find(self, user_id: str) -> Account | None:
        # The whole user: a used recovery code writes it.
        found = await self.accounts.find_whole(user_id)
        return active_account(*found) if found else None
