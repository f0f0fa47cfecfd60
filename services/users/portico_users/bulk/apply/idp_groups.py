"""Reads which groups of an identity provider give which roles, once the projects of the document are planned."""

from __future__ import annotations

from dataclasses import dataclass

from portico_users.bulk.apply.grants import PROJECT_UNKNOWN
from portico_users.bulk.apply.plan import Plan, PlannedGroups
from portico_users.bulk.apply.step import step_of
from portico_users.commands.command import Assembled
from portico_users.commands.identity_providers.idps import UpdateIdp
from portico_users.commands.user_grants import GrantRoles, Source
from portico_users.directory.identity_providers.claim_tables import GroupRoles
from portico_users.directory.identity_providers.table_rules import GROUPS_OF_INSTANCE
from portico_users.kernel.problems import at, below
from portico_users.kernel.records import State


@dataclass(frozen=True, slots=True)
class IdpGroupPlanner(Assembled):
    """Plans the groups of identity providers."""

    grant_roles: GrantRoles
    update_idp: UpdateIdp

    async def plan_groups(self, plan: Plan) -> None:
        """Replaces the steps of the providers whose groups the document states.

        Raises:
            ServiceError: USER-629 for a provider of the instance; USER-041 for a project of another organization, USER-042
                for a role it does not have, USER-628 for the table; each with its place.
        """
        for planned in plan.groups:
            groups = await self._lines(plan, planned)
            with below(planned.subject.path):
                entry = self.update_idp.plan_groups(planned.entry, planned.wanted.claim, groups)
            places = [(step.change.kind, step.path) for step in plan.steps]
            number = places.index((planned.subject.kind, planned.subject.path))
            plan.steps[number] = step_of(planned.subject, entry)

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
        return tuple(lines)
