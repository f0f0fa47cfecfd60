"""One window of a run: some accounts of the target, or some users, so that memory does not grow with their number."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import msgspec

from portico_users.scim_targets.accounts import decide, is_own, judge
from portico_users.scim_targets.client import Account, AccountRefused, TargetClient, TargetFailed
from portico_users.scim_targets.runs import Phase, Run, RunKind, Step, TargetRuns
from portico_users.scim_targets.target_users import TargetUser, TargetUsers
from portico_users.scim_targets.wanted import WantedAccount, WantedAccounts

Found = dict[Step, list[str]]


@dataclass(frozen=True, slots=True)
class Comparison:
    wanted: WantedAccounts
    users: TargetUsers
    runs: TargetRuns

    async def window(self, run: Run, client: TargetClient, ends: float) -> None:
        """Reads the next window, until ``ends`` in the time of the loop, and counts what it found.

        Raises `TargetFailed`; what was found before is counted, so that it is not read again.
        """
        failed: list[TargetFailed] = []
        if run.phase is Phase.ACCOUNTS:
            after, found = await self._accounts(run, client)
        else:
            after, found = await self._read_users(run, client, ends, failed)
        due = [user for step, users in found.items() if step is not Step.NONE for user in users]
        if run.kind is RunKind.COMPARISON:
            await self.users.mark((run.target_id,), due, resend=True)
        await self.runs.advance(run, after, found)
        if failed:
            raise failed[0]

    async def _accounts(self, run: Run, client: TargetClient) -> tuple[Run, Found]:
        page = await client.list_page(run.place)
        owners = await self._owners(run, page.accounts)
        wanted = await self.wanted.find_known(client.target, owners)
        people = await self.users.find_users(run.target_id, owners)
        await self.users.note_seen(run.target_id, [(user, owners[user].id) for user in wanted], run.number)
        found: Found = {}
        for user, one in wanted.items():
            decision = judge(client.target, one, owners[user], people.get(user))
            found.setdefault(decision.step, []).append(user)
        place = run.place + len(page.accounts)
        if not page.accounts or place > page.total:
            return msgspec.structs.replace(run, phase=Phase.PEOPLE, place=place), found
        return msgspec.structs.replace(run, place=place), found

    async def _owners(self, run: Run, accounts: list[Account]) -> dict[str, Account]:
        """The accounts of this page by user: whose externalId is one of our ids, or which this target gave to one."""
        known = await self.users.find_remote(run.target_id, [one.id for one in accounts])
        owners: dict[str, Account] = {}
        for account in accounts:
            person = known.get(account.id)
            user = account.external_id or (person.user_id if person else "")
            if user and is_own(account, user):
                owners.setdefault(user, account)
        return owners

    async def _read_users(
        self, run: Run, client: TargetClient, ends: float, failed: list[TargetFailed]
    ) -> tuple[Run, Found]:
        window = await self.wanted.list_window(client.target, run.after)
        people = await self.users.find_users(run.target_id, [one.user_id for one, _ in window])
        found: Found = {}
        if not window:
            return msgspec.structs.replace(run, phase=Phase.DONE), found
        for one, place in window:
            person = people.get(one.user_id)
            if isinstance(one, WantedAccount) and (person is None or person.seen != run.number):
                try:
                    step = await self._step(run, client, one, person)
                except TargetFailed as error:
                    failed.append(error)
                    break
                found.setdefault(step, []).append(one.user_id)
            run = msgspec.structs.replace(run, after=place)
            if asyncio.get_running_loop().time() >= ends:
                break
        return run, found

    async def _step(self, run: Run, client: TargetClient, wanted: WantedAccount, person: TargetUser | None) -> Step:
        """A comparison only makes the user due, whose account is looked up before anything is sent."""
        if run.kind is RunKind.COMPARISON:
            decision = judge(client.target, wanted, None, person)
            return Step.REFUSE if person and person.cause and decision.step is Step.CREATE else decision.step
        try:
            return (await decide(client, wanted, person)).step
        except AccountRefused:
            return Step.REFUSE
