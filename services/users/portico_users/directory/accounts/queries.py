"""What authz and token ask about users."""

from __future__ import annotations

from dataclasses import dataclass

import structlog
from portico_contracts.users import (
    ConfirmVersions,
    FindUser,
    GetClaims,
    GetUser,
    UserClaims,
    UserFound,
    VersionsConfirmed,
)
from portico_oauth.errors import ServiceError
from portico_runtime.facts import keys
from portico_runtime.facts.versions import Versions

from portico_users.directory.accounts.account import Account, AnyUser, active_account, as_user
from portico_users.directory.accounts.claims import claims_of, metadata_of
from portico_users.directory.accounts.store import MongoAccounts
from portico_users.directory.organizations.org import Org
from portico_users.directory.people.human import Human
from portico_users.kernel.names import MAX_LENGTH
from portico_users.kernel.records import version_of

log = structlog.get_logger("portico.facts")


@dataclass(frozen=True, slots=True)
class AccountQueries:
    """Answers `GET_USER`, `FIND_USER`, `GET_CLAIMS` and `CONFIRM_VERSIONS`."""

    accounts: MongoAccounts
    versions: Versions

    async def get_user(self, ask: GetUser) -> UserFound:
        """The active user of an id."""
        account = _account(await self.accounts.find_slim(ask.user_id[: MAX_LENGTH + 1]))
        if account is None:
            return UserFound()
        await self._settle(account, ask.seen)
        return UserFound(user=as_user(account))

    async def find_user(self, ask: FindUser) -> UserFound:
        """The active human a typed login name belongs to."""
        account = await self.find_account(ask.login_name, ask.org_id)
        return UserFound(user=as_user(account) if account else None)

    async def get_claims(self, ask: GetClaims) -> UserClaims:
        """All claims that userinfo may return of an active user."""
        account = _account(await self.accounts.find_whole(ask.user_id[: MAX_LENGTH + 1]))
        if account is None:
            return UserClaims()
        await self._settle(account, ask.seen)
        return UserClaims(
            user=as_user(account),
            claims=claims_of(account),
            metadata=metadata_of(account),
            org_name=account.org.name,
            org_domain=account.org.primary_domain,
        )

    async def confirm_versions(self, ask: ConfirmVersions) -> VersionsConfirmed:
        """Which users are not of the versions that are remembered of them."""
        stored = await self.accounts.list_versions(ask.versions)
        changed = [id for id, version in ask.versions.items() if stored.get(id) != version]
        return VersionsConfirmed(changed=tuple(changed))

    async def find_person(self, user_id: str) -> tuple[Human, Org] | None:
        """The active human of an id, with the organization."""
        account = _account(await self.accounts.find_whole(user_id[: MAX_LENGTH + 1]))
        return (account.user, account.org) if account and isinstance(account.user, Human) else None

    async def find_account(self, typed: str, org_id: str) -> Account | None:
        """The active account an identifier means; see `accounts.login_names`.

        What is asked depends on what was typed only, in one round trip, so that the time reveals nothing (LG-01).
        """
        return _account(await self.accounts.find_human_typed(typed, org_id))

    async def _settle(self, account: Account, seen: str | None) -> None:
        """Sets the version in Redis where the caller has seen another one: it is missing there, or wrong.

        The answer is right in any case; without a version the next question comes as well.
        """
        id = account.user.id
        if seen is None or seen == version_of(account.user):
            return

        async def read() -> str:
            return (await self.accounts.list_versions((id,))).get(id, "")

        try:
            await self.versions.settle(keys.person(id), seen, read)
        except ServiceError as error:
            log.info("version not settled", user_id=id, error_code=error.id)


def _account(found: tuple[AnyUser, Org | None] | None) -> Account | None:
    return active_account(*found) if found else None
