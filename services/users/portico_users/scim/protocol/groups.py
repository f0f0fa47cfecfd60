"""What a connection does with groups. Members change one by one in the transaction; the others are never read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from portico_users.accounts.account import AnyUser
from portico_users.accounts.store import MongoAccounts, changed_user
from portico_users.end_users.end_user import EndUser
from portico_users.groups.edit_groups import AddGroup, PutIntoGroups, RemoveGroup, put_group
from portico_users.groups.group import GROUP_NOT_FOUND, Group, MongoGroups
from portico_users.groups.memberships import without_group
from portico_users.journal.command import Command, Commit
from portico_users.scim.protocol.errors import INVALID_VALUE, TOO_MANY_MEMBERS
from portico_users.scim.protocol.filters import Filter, Value
from portico_users.scim.protocol.group_changes import GroupChange, change_of, whole_change_of
from portico_users.scim.protocol.listing import Asked, Found, find_page, of_name, question_of
from portico_users.scim.protocol.patch import read_operations
from portico_users.scim.protocol.session import Session
from portico_users.storage.entry import NOT_DELETED, Document, Entry
from portico_users.values.names import MAX_LENGTH, canonical
from portico_users.values.problems import at
from portico_users.values.provisioned import SCIM_IN, Provisioned
from portico_users.values.records import Record, State

MAX_CHANGED: Final = 500
"""Members that one request changes: all in one transaction, which takes 2.5 s for so many."""

MAX_SHOWN: Final = 10_000
"""Members in one answer. A larger group is read without them."""


@dataclass(frozen=True, slots=True)
class ScimGroups(Command):
    groups: MongoGroups
    accounts: MongoAccounts
    add_group: AddGroup
    remove_group: RemoveGroup
    put_into: PutIntoGroups
    commit: Commit

    async def find(self, session: Session, id: str) -> Group:
        """Finds a group that the connection made; all others count as unknown."""
        group = await self.groups.find(id[: MAX_LENGTH + 1])
        kept = group.provisioned if group is not None else None
        if group is None or kept is None or kept.connection_id != session.connection.id or group.state is State.DELETED:
            raise GROUP_NOT_FOUND.error()
        return group

    async def find_all(self, session: Session, condition: Filter | None, asked: Asked) -> Found:
        question: Document = {SCIM_IN: session.connection.id, **NOT_DELETED}

        async def compare(name: str, operator: str, value: Value) -> Document | None:
            if name == "displayname":
                return of_name(operator, value)
            if name in ("members", "members.value") and operator == "eq" and isinstance(value, str):
                found = await self._visible(session, (value[: MAX_LENGTH + 1],))
                return {"_id": {"$in": [one.id for user in found for one in user.groups]}}
            return None

        if condition is not None:
            question = {"$and": [question, await question_of(condition, session.connection.id, compare)]}
        return await find_page(self.groups, question, asked, lambda group: canonical(group.name))

    async def members(self, session: Session, groups: Sequence[Group]) -> dict[str, list[str]]:
        """Returns the ids of the members that the connection sees, by group. Raises USER-215 for too many."""
        ids = [group.id for group in groups]
        found: dict[str, list[str]] = {id: [] for id in ids}
        question = {"groups.id": {"$in": ids}, SCIM_IN: session.connection.id, **NOT_DELETED}
        rows = await self.accounts.list_fields(question, ("groups.id",), MAX_SHOWN + 1) if ids else []
        shown = 0
        for row in rows:
            for one in {one["id"] for one in row["groups"]} & found.keys():
                found[one].append(row["_id"])
                shown += 1
        if shown > MAX_SHOWN or len(rows) > MAX_SHOWN:
            raise TOO_MANY_MEMBERS.error()
        return found

    async def create(self, session: Session, body: object) -> Group:
        change = whole_change_of(body)
        kept = Provisioned(connection_id=session.connection.id, external_id=change.external_id or "")
        wanted = Group(id="", org_id=session.org.id, name=change.name or "", provisioned=kept)
        entry = self.add_group.plan(wanted)
        joining = await self._joining(session, entry.after, change.whole or ())
        return await self._commit(session, (entry, *joining), entry.after)

    async def replace(self, session: Session, group: Group, body: object) -> Group:
        return await self._change(session, group, whole_change_of(body))

    async def patch(self, session: Session, group: Group, body: object) -> Group:
        return await self._change(session, group, change_of(read_operations(body)))

    async def delete(self, session: Session, group: Group) -> None:
        await self.remove_group(group, actor=session.actor)

    async def _change(self, session: Session, group: Group, change: GroupChange) -> Group:
        after = group if change.name is None else msgspec.structs.replace(group, name=change.name)
        if change.external_id is not None:
            kept = Provisioned(connection_id=session.connection.id, external_id=change.external_id)
            after = msgspec.structs.replace(after, provisioned=kept)
        joining, leaving = {id for id, joins in change.members.items() if joins}, set(change.members)
        if change.whole is not None:
            now = await self._member_ids(session, group)
            wanted = (change.whole | joining) - {id for id, joins in change.members.items() if not joins}
            joining, leaving = set(wanted - now), set(now - wanted)
        leaving -= joining
        if len(joining) + len(leaving) > MAX_CHANGED:
            raise TOO_MANY_MEMBERS.error()
        entries: list[Entry[Record]] = [] if after == group else [put_group(group, after)]
        entries += await self._leaving(session, group, leaving)
        entries += await self._joining(session, after, joining)
        return await self._commit(session, entries, after)

    async def _commit(self, session: Session, entries: Sequence[Entry[Record]], group: Group) -> Group:
        """Writes all or nothing; without a change, nothing and no event."""
        if not entries:
            return group
        records = await self.commit.all(entries, actor=session.actor)
        return next((one for one in records if isinstance(one, Group)), group)

    async def _joining(
        self, session: Session, group: Group, ids: Sequence[str] | set[str] | frozenset[str]
    ) -> list[Entry[AnyUser]]:
        """Raises USER-212 for a user that the connection does not see."""
        if len(ids) > MAX_CHANGED:
            raise TOO_MANY_MEMBERS.error()
        users = await self._visible(session, ids)
        if missing := set(ids) - {user.id for user in users}:
            raise at("members", INVALID_VALUE.error(missing=len(missing)))
        entries = []
        for user in users:
            if any(one.id == group.id and one.added for one in user.groups):
                continue
            after = await self.put_into.plan_ids(user, (group.id,), beside={group.id: group})
            entries.append(changed_user(user, after))
        return entries

    async def _leaving(self, session: Session, group: Group, ids: set[str]) -> list[Entry[AnyUser]]:
        entries = []
        for user in await self._visible(session, ids):
            if any(one.id == group.id for one in user.groups):
                after = await self.put_into.plan(user, without_group(user.groups, group.id))
                entries.append(changed_user(user, after))
        return entries

    async def _visible(self, session: Session, ids: Sequence[str] | set[str] | frozenset[str]) -> list[EndUser]:
        """Returns the users among the ids that the connection sees."""
        if not ids:
            return []
        question = {"_id": {"$in": sorted(ids)}, SCIM_IN: session.connection.id, **NOT_DELETED}
        found = await self.accounts.list_where(question, len(ids))
        return [one for one in found if isinstance(one, EndUser)]

    async def _member_ids(self, session: Session, group: Group) -> set[str]:
        question = {"groups.id": group.id, SCIM_IN: session.connection.id, **NOT_DELETED}
        return {row["_id"] for row in await self.accounts.list_fields(question, (), None)}
