from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

import msgspec
from portico_contracts.users import ConsentGiven, GiveConsent
from portico_oauth.errors import ErrorCode, Kind
from portico_runtime.process.clock import Clock

from portico_users.accounts.store import MongoAccounts
from portico_users.applications.keep_metadata_client import KeepMetadataClient
from portico_users.end_users.changes import put_end_user
from portico_users.end_users.end_user import AllowedScopes, EndUser, with_consent
from portico_users.journal.command import Command, Commit, repeat_overtaken
from portico_users.storage.entry import Work

NO_USER = ErrorCode("USER-854", Kind.NOT_FOUND, "The user is not active.", "Have the user sign in again.")


@dataclass(frozen=True, slots=True)
class Consents(Command):
    accounts: MongoAccounts
    commit: Commit
    clock: Clock
    metadata_clients: KeepMetadataClient

    async def give(self, ask: GiveConsent) -> ConsentGiven:
        """Repeated calls change nothing. Raises USER-854 for a user who is not active, and USER-897."""
        await self.metadata_clients(ask.client_id, ask.org_id, actor=ask.user_id)
        return await repeat_overtaken(lambda: self._give(ask))

    async def _give(self, ask: GiveConsent) -> ConsentGiven:
        account = await self.accounts.find_active_whole(ask.user_id)
        if account is None or not isinstance(account.user, EndUser):
            raise NO_USER.error()
        human = account.user
        now = self.clock.now()
        given = AllowedScopes(client_id=ask.client_id, scopes=ask.scopes, of_apis=ask.of_apis, at=now)
        if (after := with_consent(human, given)) is not human:
            await self.commit(put_end_user(human, after), actor=human.id)
        return ConsentGiven()

    async def withdraw(
        self, user_id: str, client_ids: Collection[str], *, actor: str, written: Callable[[str], Work]
    ) -> frozenset[str]:
        """Removes what a user in any state has allowed applications, however often the user is changed meanwhile.

        Returns those of them that had something allowed; what `written` returns for each is in the same transaction.
        """

        async def change() -> frozenset[str]:
            user = await self.accounts.find_where({"_id": user_id})
            if not isinstance(user, EndUser):
                return frozenset()
            left = tuple(one for one in user.consents if one.client_id not in client_ids)
            removed = frozenset(one.client_id for one in user.consents if one not in left)
            if removed:
                after, works = msgspec.structs.replace(user, consents=left), [*map(written, sorted(removed))]
                await self.commit(put_end_user(user, after, side_writes=works), actor=actor)
            return removed

        return await repeat_overtaken(change)

    async def remove(self, human: EndUser, client_id: str, *, actor: str) -> bool:
        """Returns whether the user had allowed the application anything."""
        left = tuple(one for one in human.consents if one.client_id != client_id)
        if len(left) == len(human.consents):
            return False
        await self.commit(put_end_user(human, msgspec.structs.replace(human, consents=left)), actor=actor)
        return True
