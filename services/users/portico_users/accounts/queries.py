"""What authz and token ask about users."""

from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.users import AskClaims, AskUser, FindUser, UserClaims, UserFound

from portico_users.accounts.account import Account, AnyUser, active_account, as_user
from portico_users.accounts.claims import claims_of, metadata_of
from portico_users.accounts.store import MongoAccounts
from portico_users.domain.names import MAX_LENGTH, canonical, login_key
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

    async def find_account(self, typed: str, org_id: str) -> Account | None:
        """Resolves a login name: user name, then ``username@primarydomain``, then a verified mail address.

        All three are always looked up, found or not and with one question, so that the time tells nothing (LG-01).
        """
        key = login_key(typed)
        local, _, domain = key.rpartition("@")
        named, mailed = await self.accounts.list_humans_typed((key, local), key, org_id)
        by_name = {canonical(user.user_name): (user, org) for user, org in named}
        qualified = by_name.get(local)
        at_home = qualified is not None and _has_domain(qualified[1], domain)
        # An address that several have proven is nobody's.
        only_mailed = mailed[0] if len(mailed) == 1 else None
        return _account(by_name.get(key) or (qualified if at_home else None) or only_mailed)


def _has_domain(org: Org | None, domain: str) -> bool:
    return org is not None and canonical(org.primary_domain) == canonical(domain)


def _account(found: tuple[AnyUser, Org | None] | None) -> Account | None:
    return active_account(*found) if found else None
