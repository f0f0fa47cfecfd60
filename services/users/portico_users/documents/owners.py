from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import islice

from portico_users.accounts.account import AnyUser, active_account
from portico_users.accounts.store import MongoAccounts
from portico_users.administrators.member import Member, MongoMembers
from portico_users.administrators.permissions import INSTANCE_OWNER
from portico_users.documents.step import Step
from portico_users.end_users.end_user import EndUser
from portico_users.organizations.commands import LAST_OWNER, stays_active, stays_owner
from portico_users.organizations.org import MongoOrgs, Org
from portico_users.service_users.service_user import ServiceUser
from portico_users.storage.entry import VersionGuard
from portico_users.values.names import INSTANCE
from portico_users.values.problems import at
from portico_users.values.records import Record, State


@dataclass(frozen=True, slots=True)
class OwnerGuard:
    members: MongoMembers
    accounts: MongoAccounts
    orgs: MongoOrgs

    async def require_owner(self, steps: Sequence[Step]) -> list[Step]:
        """Returns the steps; those that take an owner depend on the one who stays."""
        # There may be many owners: read them only if the plan removes one, and only until a remaining one is found.
        if not any(_takes(record) for _, record in _records(steps)):
            return list(steps)
        owners = await self.members.list_owners()
        guards = await self._find_staying(steps, owners) or await self._find_planned(steps, owners)
        taken = {id for owner in owners for id in (owner.id, owner.user_id, owner.org_id)}
        return [_relying(step, taken, guards) for step in steps]

    async def _find_staying(self, steps: Sequence[Step], owners: Sequence[Member]) -> tuple[VersionGuard, ...]:
        touched = {record.user_id for _, record in _records(steps) if isinstance(record, Member)}
        touched |= {record.id for _, record in _records(steps) if isinstance(record, EndUser | ServiceUser | Org)}
        for member in owners:
            found = None if member.user_id in touched else await self.accounts.find_slim(member.user_id)
            if found and active_account(*found) and found[0].org_id not in touched:
                return stays_owner(member, found[0])
        return ()

    async def _find_planned(self, steps: Sequence[Step], owners: Sequence[Member]) -> tuple[VersionGuard, ...]:
        """Finds an owner whom the plan changes or adds; refuses the change that removes the last one."""
        held = {member.user_id for member in owners}
        users, orgs = await self._read(held, steps)
        place = ""
        had = any(_homes(held, users, orgs))
        for step, record in _records(steps):
            match record:
                case Member() if record.scope_id == INSTANCE:
                    held = held | {record.user_id} if INSTANCE_OWNER in record.roles else held - {record.user_id}
                case EndUser() | ServiceUser():
                    users[record.id] = record
                case Org():
                    orgs[record.id] = record
                case _:
                    continue
            has = any(_homes(held, users, orgs))
            place, had = (step.path if had and not has else place), has
        if place and not had:
            raise at(place, LAST_OWNER.error())
        planned = {record.id for _, record in _records(steps) if isinstance(record, Org)}
        stored = (org_id for org_id in _homes(held, users, orgs) if org_id not in planned)
        return tuple(stays_active(org_id) for org_id in islice(stored, 1))

    async def _read(self, held: Set[str], steps: Sequence[Step]) -> tuple[dict[str, AnyUser], dict[str, Org]]:
        """Returns the active users of all memberships and the active organizations of all users, as stored."""
        records = [record for _, record in _records(steps)]
        ids = held | {record.user_id for record in records if isinstance(record, Member)}
        users = {user.id: user for user in await self.accounts.list_active(ids)}
        planned = {record.org_id for record in records if isinstance(record, EndUser | ServiceUser)}
        orgs = await self.orgs.list_active(planned | {user.org_id for user in users.values()})
        return users, {org.id: org for org in orgs}


def _relying(step: Step, owners: Set[str], guards: tuple[VersionGuard, ...]) -> Step:
    entries = (
        replace(entry, guards=(*entry.guards, *guards)) if _takes(entry.after) and entry.after.id in owners else entry
        for entry in step.entries
    )
    return replace(step, entries=tuple(entries))


def _homes(held: Set[str], users: Mapping[str, AnyUser], orgs: Mapping[str, Org]) -> Iterator[str]:
    """The organizations of the owners who can sign in."""
    found = (users[id] for id in held if id in users)
    return (user.org_id for user in found if active_account(user, orgs.get(user.org_id)))


def _takes(record: Record) -> bool:
    match record:
        case Member():
            return record.scope_id == INSTANCE and INSTANCE_OWNER not in record.roles
        case EndUser() | ServiceUser() | Org():
            return record.state is not State.ACTIVE
        case _:
            return False


def _records(steps: Sequence[Step]) -> Iterator[tuple[Step, Record]]:
    return ((step, entry.after) for step in steps for entry in step.entries)
