from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from portico_contracts import apply as document
from portico_oauth.errors import ErrorCode, Kind

from portico_users.documents.plan import Plan
from portico_users.grants.edit_grants import USER_OF_OTHERS, GrantRoles, Source
from portico_users.grants.role_grants import RoleGrant, with_grants
from portico_users.organizations.org import Org
from portico_users.projects.grant_document import ProjectGrantPlanner
from portico_users.projects.project import Project, known_roles
from portico_users.values.problems import NAME_TAKEN, at, below
from portico_users.values.records import State

PROJECT_UNKNOWN = ErrorCode(
    "USER-041",
    Kind.NOT_FOUND,
    "The organization has no such project.",
    "Name a project of the same organization by its id or its name.",
)
GIVER_UNKNOWN = ErrorCode(
    "USER-831", Kind.NOT_FOUND, "Organization not found.", "Name the organization that grants the roles, or none."
)

Wanted = Sequence[document.RoleGrant]


@dataclass(frozen=True, slots=True)
class RoleGrantPlanner:
    grant_roles: GrantRoles
    project_grant_planner: ProjectGrantPlanner

    async def plan_grants(
        self, plan: Plan, org: Org, before: Sequence[RoleGrant], wanted: Wanted | None, path: str
    ) -> tuple[RoleGrant, ...]:
        """Returns all grants: exactly the wanted roles in each project listed, the stored ones elsewhere.

        Two organizations may grant roles of one project: its owner, and one that has a project grant.
        """
        if wanted is None:
            return tuple(before)
        grants: dict[tuple[str, str], RoleGrant] = {}
        for number, grant in enumerate(wanted):
            place = f"{path}.grants[{number}]"
            if grant.project_grant:
                received = await self._received(plan, org, grant, place)
                if (received.project_id, org.id) in grants:
                    raise at(f"{place}.project", NAME_TAKEN.error())
                grants[received.project_id, org.id] = received
                continue
            granter = await plan.find_org(grant.organization) if grant.organization else org
            if granter is None:
                raise at(f"{place}.organization", GIVER_UNKNOWN.error())
            project = await plan.find_project(granter, grant.project)
            if project is None or project.state is State.DELETED:
                raise at(f"{place}.project", PROJECT_UNKNOWN.error())
            if (project.id, granter.id) in grants:
                raise at(f"{place}.project", NAME_TAKEN.error())
            with below(place):
                given = self.grant_roles.plan(org.id, Source(granter.id, project), grant.role_keys, active=grant.active)
            keys = (*given.role_keys, *(() if plan.prune else _forgotten(before, project, granter)))
            grants[project.id, granter.id] = msgspec.structs.replace(given, role_keys=keys)
        return with_grants(() if plan.prune else before, grants.values())

    async def _received(self, plan: Plan, org: Org, wanted: document.RoleGrant, place: str) -> RoleGrant:
        granter = await plan.find_org(wanted.organization) if wanted.organization else org
        if granter is None or granter.id != org.id:
            raise at(f"{place}.organization", USER_OF_OTHERS.error())
        granted, project = await self.project_grant_planner.find_received(plan, org, wanted, place)
        with below(place):
            source = Source(org.id, project, granted)
            return self.grant_roles.plan(org.id, source, wanted.role_keys, active=wanted.active)


def _forgotten(before: Sequence[RoleGrant], project: Project, granter: Org) -> list[str]:
    """Returns granted roles that the project no longer has; no document can list them."""
    known = known_roles(project, granter.id)
    here = [grant for grant in before if (grant.project_id, grant.org_id) == (project.id, granter.id)]
    return [key for grant in here for key in grant.role_keys if key not in known]
