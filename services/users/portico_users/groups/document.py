"""Plans groups: new ones before the users who name them, changes after the users, with those of providers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from portico_contracts import apply as document

from portico_users.documents.finding import Wanted, find_existing
from portico_users.documents.plan import Plan, PlannedOrg
from portico_users.documents.step import Subject, step_of
from portico_users.grants.document import RoleGrantPlanner
from portico_users.groups.edit_groups import PutIntoGroups, put_group
from portico_users.groups.group import GROUP_NOT_FOUND, NESTED_TWICE, Group, MongoGroups
from portico_users.groups.inherited import OneUser
from portico_users.organizations.org import Org
from portico_users.storage.entry import Entry
from portico_users.storage.schema import IdSpace
from portico_users.values.problems import at, below
from portico_users.values.records import State


@dataclass(frozen=True, slots=True)
class GroupPlanner:
    role_grant_planner: RoleGrantPlanner
    groups: MongoGroups
    ids: IdSpace

    async def plan_groups(self, plan: Plan, home: PlannedOrg) -> None:
        """Plans groups that belong to others last: those exist by then."""
        numbered = list(enumerate(home.wanted.groups or ()))
        for number, wanted in sorted(numbered, key=lambda one: bool(one[1].member_of)):
            await self._plan_group(plan, home.org, wanted, f"{home.path}.groups[{number}]")

    async def _plan_group(self, plan: Plan, org: Org, wanted: document.Group, path: str) -> None:
        before = await self._find_group(org, wanted, path)
        base = before or Group(id=wanted.id or await plan.new_id(path), org_id=org.id, name=wanted.name)
        grants = await self.role_grant_planner.plan_grants(plan, org, base.grants, _grants(wanted), path)
        parents = await self._parents(plan, org, base, wanted, path)
        after = msgspec.structs.replace(
            base, name=wanted.name, description=wanted.description, grants=grants, parents=parents
        )
        with below(path):
            entry = put_group(before, after)
        step = step_of(Subject("group", path, wanted.name), entry)
        plan.declared_groups[after.id] = entry.after
        if before is None:
            plan.new_groups[after.id] = msgspec.structs.replace(entry.after, sequence=1)
            plan.add(after, step)
        else:
            plan.kept.add(after.id)
            plan.changed_groups.append(step)

    async def _parents(self, plan: Plan, org: Org, group: Group, wanted: document.Group, path: str) -> tuple[str, ...]:
        if wanted.member_of is None:
            return group.parents
        found = []
        for number, named in enumerate(wanted.member_of):
            place = f"{path}.memberOf[{number}]"
            parent = await plan.find_group(org, named)
            if parent is None:
                raise at(place, GROUP_NOT_FOUND.error())
            if parent.parents or parent.id == group.id:
                raise at(place, NESTED_TWICE.error())
            found.append(parent.id)
        return tuple(sorted(set(found)))

    async def _find_group(self, org: Org, wanted: document.Group, path: str) -> Group | None:
        named = await self.groups.find_by_name(org.id, wanted.name)

        def fits(group: Group) -> bool:
            return group.org_id == org.id and group.state is not State.DELETED

        question = Wanted(path, wanted.id, "name", fits, self.groups.find, named)
        return await find_existing(self.ids, question)


@dataclass(frozen=True, slots=True)
class GroupMemberPlanner:
    put_into: PutIntoGroups

    async def in_groups(
        self, plan: Plan, org: Org, entry: Entry[OneUser], wanted: Sequence[str] | None, path: str
    ) -> OneUser:
        """Returns the user in the wanted groups; with prune, in no others that it was added to."""
        user = entry.after
        if wanted is None and not user.groups:
            return user
        ids = []
        for number, named in enumerate(wanted or ()):
            group = await plan.find_group(org, named)
            if group is None:
                raise at(f"{path}.groups[{number}]", GROUP_NOT_FOUND.error())
            ids.append(group.id)
        with below(path):
            exact = plan.prune and wanted is not None
            return await self.put_into.plan_ids(user, ids, exact=exact, beside=plan.new_groups)


def _grants(wanted: document.Group) -> Sequence[document.RoleGrant] | None:
    if wanted.grants is None:
        return None
    return [
        document.RoleGrant(project=one.project, role_keys=one.role_keys, project_grant=one.project_grant)
        for one in wanted.grants
    ]
