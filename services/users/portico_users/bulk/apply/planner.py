"""Plans a whole document against the stored state; writes nothing."""

from __future__ import annotations

from portico_contracts.apply import Document

from portico_users.bulk.apply.duplicates import refuse_duplicates
from portico_users.bulk.apply.finding import Stored
from portico_users.bulk.apply.humans import plan_human
from portico_users.bulk.apply.idps import plan_idps
from portico_users.bulk.apply.instance import plan_instance
from portico_users.bulk.apply.organizations import plan_org
from portico_users.bulk.apply.owners import require_owner
from portico_users.bulk.apply.plan import Plan, PlannedOrg
from portico_users.bulk.apply.project_grants import plan_project_grants
from portico_users.bulk.apply.projects import plan_project
from portico_users.bulk.apply.removals import plan_removals
from portico_users.bulk.apply.roles import plan_members
from portico_users.bulk.apply.service_users import plan_service_user
from portico_users.bulk.apply.step import Step
from portico_users.bulk.apply.webhooks import plan_webhooks
from portico_users.directory.members.member import MemberScope
from portico_users.directory.members.roles import Scope
from portico_users.kernel.names import INSTANCE


async def plan(stored: Stored, document: Document, *, prune: bool = False, id_seed: str = "") -> list[Step]:
    """A step for every object of the document, parents before children, and then for what goes.

    Raises:
        ServiceError: the first thing that may not be so, naming its place in the document.
    """
    refuse_duplicates(document)
    planned = Plan(stored, prune, id_seed)
    for idp, step in await plan_idps(planned, INSTANCE, document):
        planned.add(idp, step)
    first = len(planned.steps)
    for number, wanted in enumerate(document.organizations):
        path = f"organizations[{number}]"
        home = await plan_org(planned, wanted, path)
        for project_number, project in enumerate(wanted.projects or ()):
            await plan_project(planned, home, project, f"{path}.projects[{project_number}]")
    for home in planned.orgs:
        for one in home.projects:
            await plan_project_grants(planned, one)
    for home in planned.orgs:
        await _plan_users(planned, home)
    for home in planned.orgs:
        await plan_webhooks(planned, home.org.id, home.wanted, home.path)
    await plan_webhooks(planned, INSTANCE, document)
    await _plan_all_members(planned, document)
    await plan_instance(planned, document, first)
    if prune:
        planned.steps.extend(await plan_removals(planned, document))
    planned.steps.extend((*planned.narrowed_grants, *planned.narrowed_projects))
    await require_owner(stored, planned.steps)
    return planned.steps


async def _plan_users(planned: Plan, home: PlannedOrg) -> None:
    for number, human in enumerate(home.wanted.humans or ()):
        await plan_human(planned, home.org, human, f"{home.path}.humans[{number}]")
    for number, service_user in enumerate(home.wanted.service_users or ()):
        await plan_service_user(planned, home.org, service_user, f"{home.path}.serviceUsers[{number}]")


async def _plan_all_members(planned: Plan, document: Document) -> None:
    for home in planned.orgs:
        place = MemberScope(Scope.ORGANIZATION, home.org.id, home.org.id)
        await plan_members(planned, place, home.wanted.members or (), f"{home.path}.members")
        for one in home.projects:
            inner = MemberScope(Scope.PROJECT, one.project.id, home.org.id)
            await plan_members(planned, inner, one.wanted.members or (), f"{one.path}.members")
    for granted in planned.grants:
        inner = MemberScope(Scope.PROJECT_GRANT, granted.grant.id, granted.grant.granted_org_id)
        await plan_members(planned, inner, granted.wanted.members or (), f"{granted.path}.members")
    await plan_members(planned, MemberScope(Scope.INSTANCE, INSTANCE), document.members or (), "members")
