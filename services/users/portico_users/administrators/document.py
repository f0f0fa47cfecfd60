"""Plans memberships: those a user is named with, those of members named by the scope, and roles by groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from portico_contracts import apply as document
from portico_oauth.errors import ErrorCode, Kind

from portico_users.accounts.account import AnyUser
from portico_users.administrators.edit_members import SetMember
from portico_users.administrators.member import Member, MemberScope
from portico_users.documents.plan import Plan, PlannedGroups
from portico_users.documents.step import Subject, step_of
from portico_users.grants.document import PROJECT_UNKNOWN
from portico_users.grants.edit_grants import GrantRoles, Source
from portico_users.groups.group import GROUP_NOT_FOUND
from portico_users.identity_providers.claim_tables import GroupRoles, MappedGroup
from portico_users.identity_providers.constraints import ended_by
from portico_users.identity_providers.edit_providers import UpdateIdp
from portico_users.identity_providers.idp import Idp
from portico_users.identity_providers.rules import GROUPS_OF_INSTANCE
from portico_users.organizations.org import Org
from portico_users.projects.project import known_roles
from portico_users.storage.entry import Entry
from portico_users.values.problems import at, below
from portico_users.values.records import State

CONTRADICTION = ErrorCode(
    "USER-833",
    Kind.INVALID_REQUEST,
    "The document contains contradictory entries for this user.",
    "Set the roles of a user in one place, and list every member in the list of users if there is one.",
)
MEMBER_UNKNOWN = ErrorCode(
    "USER-834", Kind.NOT_FOUND, "User not found.", "Use the id or user name of a user who is stored or in the document."
)


@dataclass(frozen=True, slots=True)
class MemberPlanner:
    set_member: SetMember

    async def plan_roles(
        self, plan: Plan, before: AnyUser | None, after: AnyUser, wanted: Sequence[str] | None, path: str
    ) -> tuple[Entry[Member], ...]:
        """Plans exactly the wanted roles in each scope listed; with prune, also in the user's other scopes."""
        if wanted is None:
            return ()
        with below(path):
            entries, named = await self.set_member.plan_own(after, wanted, is_new=before is None, exact=plan.prune)
        plan.held.update((after.id, scope_id) for scope_id in named)
        return entries

    async def plan_members(self, plan: Plan, scope: MemberScope, wanted: Sequence[document.Member], path: str) -> None:
        for number, one in enumerate(wanted):
            here = f"{path}[{number}]"
            with below(f"{here}.user"):
                user = await plan.find_user(one.user)
            if user is None or user.state is State.DELETED:
                raise at(f"{here}.user", MEMBER_UNKNOWN.error())
            if (user.id, scope.id) in plan.held:
                raise at(f"{here}.user", CONTRADICTION.error())
            plan.held.add((user.id, scope.id))
            id = await plan.new_id(f"{here} {user.id} in {scope.id}")
            with below(here):
                entry = await self.set_member.plan(scope, user, one.roles, id=id)
            if entry.before is None and not one.roles:
                continue  # not a member, as wanted
            plan.steps.append(step_of(Subject("member", here, f"{user.user_name} in {scope.id}"), entry))


@dataclass(frozen=True, slots=True)
class IdpGroupPlanner:
    grant_roles: GrantRoles
    update_idp: UpdateIdp

    async def plan_groups(self, plan: Plan) -> None:
        """Replaces the steps of providers whose groups are in the document."""
        for planned in plan.groups:
            groups, memberships = await self._lines(plan, planned), await self._memberships(plan, planned)
            with below(planned.subject.path):
                entry = self.update_idp.plan_groups(planned.entry, planned.wanted.claim, groups, memberships)
            places = [(step.change.kind, step.path) for step in plan.steps]
            number = places.index((planned.subject.kind, planned.subject.path))
            plan.steps[number] = step_of(planned.subject, entry)
        _move_late(plan)

    async def _memberships(self, plan: Plan, planned: PlannedGroups) -> tuple[MappedGroup, ...]:
        org = await plan.find_org(planned.entry.after.org_id)
        lines = []
        for number, one in enumerate(planned.wanted.groups):
            group = await plan.find_group(org, one.to) if org else None
            if group is None:
                raise at(f"{planned.subject.path}.groups.groups[{number}].to", GROUP_NOT_FOUND.error())
            lines.append(MappedGroup(group=one.group, group_id=group.id))
        return tuple(lines)

    async def _lines(self, plan: Plan, planned: PlannedGroups) -> tuple[GroupRoles, ...]:
        outer = f"{planned.subject.path}.groups"
        org = await plan.find_org(planned.entry.after.org_id)
        if org is None:
            raise at(outer, GROUPS_OF_INSTANCE.error())
        lines = []
        for number, grant in enumerate(planned.wanted.grants):
            place = f"{outer}.grants[{number}]"
            project = await plan.find_project(org, grant.project)
            if project is None or project.state is State.DELETED:
                raise at(f"{place}.project", PROJECT_UNKNOWN.error())
            with below(place):
                given = self.grant_roles.plan(org.id, Source(org.id, project), grant.role_keys)
            lines.append(GroupRoles(group=grant.group, project_id=project.id, role_keys=given.role_keys))
        forgotten = {} if plan.prune else await _forgotten(plan, org, planned.entry.after.tables.groups)
        kept = [_with_roles(line, forgotten.pop((line.group, line.project_id), ())) for line in lines]
        left = [
            GroupRoles(group=group, project_id=project_id, role_keys=keys)
            for (group, project_id), keys in forgotten.items()
        ]
        return (*kept, *left)


async def _forgotten(plan: Plan, org: Org, stored: Sequence[GroupRoles]) -> dict[tuple[str, str], tuple[str, ...]]:
    """Returns mapped roles that their project no longer has, by group and project; no document can list them."""
    found = {}
    for line in stored:
        project = await plan.find_project(org, line.project_id)
        known = known_roles(project, org.id)
        if keys := tuple(key for key in line.role_keys if key not in known):
            found[line.group, line.project_id] = keys
    return found


def _with_roles(line: GroupRoles, keys: Sequence[str]) -> GroupRoles:
    return msgspec.structs.replace(line, role_keys=tuple(sorted({*line.role_keys, *keys})))


def _move_late(plan: Plan) -> None:
    """Providers that end rights rewrite users."""
    late = [step for step in plan.steps if step.entries and _ends_rights(step.entries[0])]
    plan.steps[:] = [step for step in plan.steps if step not in late]
    plan.changed_groups.extend(late)


def _ends_rights(entry: Entry[Any]) -> bool:
    return isinstance(entry.after, Idp) and any(ended_by(entry))
