"""What authz and token ask about users."""

from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.users import AskClaims, AskUser, FindUser, UserClaims, UserFound

from portico_users.accounts.account import Account, AnyUser, active_account, as_user
from portico_users.accounts.claims import claims_of, metadata_of
from portico_users.accounts.login_names import holder_of, names_in
from portico_users.accounts.store import MongoAccounts
from portico_users.domain.names import MAX_LENGTH, login_key
from portico_users.humans.human import Human
from portico_users.orgs.org import Org


@dataclass(frozen=True, slots=True)
class AccountQueries:
    """Answers `GET_USER`, `FIND_USER` and `GET_CLAIMS`."""

    accounts: MongoAccounts

    async def get_user(self, ask: AskUser) -> UserFound:
        """The active user of an id."""
        account = _account(await self.accounts.find_slim(ask.user_id[: MAX_LENGTH + 1]))
        return UserFound(user=as_user(account) if account else None)

    async def find_user(self, ask: FindUser) -> UserFound:
        """The active human a typed login name belongs to."""
        account = await self.find_account(ask.login_name, ask.org_id)
        return UserFound(user=as_user(account) if account else None)

    async def get_claims(self, ask: AskClaims) -> UserClaims:
        """Everything userinfo may say of an active user."""
        account = _account(await self.accounts.find_whole(ask.user_id[: MAX_LENGTH + 1]))
        if account is None:
            return UserClaims()
        return UserClaims(
            user=as_user(account),
            claims=claims_of(account),
            metadata=metadata_of(account),
            org_name=account.org.name,
            org_domain=account.org.primary_domain,
        )

    async def find_person(self, user_id: str) -> tuple[Human, Org] | None:
        """The active human of an id, with the organization."""
        account = _account(await self.accounts.find_whole(user_id[: MAX_LENGTH + 1]))
        return (account.user, account.org) if account and isinstance(account.user, Human) else None

    async def find_account(self, typed: str, org_id: str) -> Account | None:
        """Resolves a login name: user name, then ``username@primarydomain``, then a verified mail address.

        All three are always looked up, found or not and with one question, so that the time tells nothing (LG-01).
        """
        key = login_key(typed)
        named, mailed = await self.accounts.list_humans_typed(names_in(key), key, org_id)
        return _account(holder_of(key, named, mailed))


def _account(found: tuple[AnyUser, Org | None] | None) -> Account | None:
    return active_account(*found) if found else None
