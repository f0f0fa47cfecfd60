from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.apply import Document
from portico_contracts.users import Apply

from portico_users.administrators.document import IdpGroupPlanner, MemberPlanner
from portico_users.administrators.member import MemberScope
from portico_users.administrators.permissions import Scope
from portico_users.documents.duplicates import refuse_duplicates
from portico_users.documents.owners import OwnerGuard
from portico_users.documents.plan import Plan, PlannedOrg, Stores
from portico_users.documents.removals import RemovalPlanner
from portico_users.documents.step import Step
from portico_users.end_users.document import EndUserPlanner
from portico_users.groups.document import GroupPlanner
from portico_users.identity_providers.document import IdpPlanner
from portico_users.instance.document import InstancePlanner
from portico_users.notifications.document import SenderPlanner
from portico_users.organizations.document import OrgPlanner
from portico_users.outside_servers.document import OutsideServerPlanner
from portico_users.projects.document import ProjectPlanner
from portico_users.projects.grant_document import ProjectGrantPlanner
from portico_users.scim.document import ScimPlanner
from portico_users.service_users.document import ServiceUserPlanner
from portico_users.values.names import INSTANCE
from portico_users.webhooks.document import WebhookPlanner


@dataclass(frozen=True, slots=True)
class Planner:
    """Plans a whole document against the stored state; writes nothing."""

    stores: Stores
    removal_planner: RemovalPlanner
    project_grant_planner: ProjectGrantPlanner
    idp_planner: IdpPlanner
    idp_group_planner: IdpGroupPlanner
    group_planner: GroupPlanner
    webhook_planner: WebhookPlanner
    scim_planner: ScimPlanner
    outside_server_planner: OutsideServerPlanner
    sender_planner: SenderPlanner
    instance_planner: InstancePlanner
    project_planner: ProjectPlanner
    owner_guard: OwnerGuard
    org_planner: OrgPlanner
    service_user_planner: ServiceUserPlanner
    human_planner: EndUserPlanner
    member_planner: MemberPlanner

    async def plan(self, message: Apply) -> list[Step]:
        document = message.document
        refuse_duplicates(document)
        planned = Plan(self.stores, message.prune, message.id_seed, keeps_settings=message.keeps_settings)
        for idp, step in await self.idp_planner.plan_idps(planned, INSTANCE, document):
            planned.add(idp, step)
        first = len(planned.steps)
        for number, wanted in enumerate(document.organizations):
            path = f"organizations[{number}]"
            home = await self.org_planner.plan_org(planned, wanted, path)
            for project_number, project in enumerate(wanted.projects or ()):
                await self.project_planner.plan_project(planned, home, project, f"{path}.projects[{project_number}]")
        for home in planned.orgs:
            for one in home.projects:
                await self.project_grant_planner.plan_project_grants(planned, one)
        for home in planned.orgs:
            await self.group_planner.plan_groups(planned, home)
        await self.idp_group_planner.plan_groups(planned)
        for home in planned.orgs:
            await self._plan_users(planned, home)
        for home in planned.orgs:
            await self.webhook_planner.plan_webhooks(planned, home.org.id, home.wanted, home.path)
            await self.scim_planner.plan_connections(planned, home)
            await self.outside_server_planner.plan_servers(planned, home)
            await self.sender_planner.plan_senders(planned, home.org.id, home.wanted, home.path)
        await self.webhook_planner.plan_webhooks(planned, INSTANCE, document)
        await self.sender_planner.plan_senders(planned, INSTANCE, document)
        await self._plan_all_members(planned, document)
        await self.instance_planner.plan_instance(planned, document, first)
        if message.prune:
            planned.steps.extend(await self.removal_planner.plan_removals(planned, document))
        else:
            planned.steps.extend(planned.changed_groups)
        planned.steps.extend((*planned.narrowed_grants, *planned.narrowed_projects))
        return await self.owner_guard.require_owner(planned.steps)

    async def _plan_users(self, planned: Plan, home: PlannedOrg) -> None:
        await self.human_planner.plan_end_users(planned, home)
        for number, service_user in enumerate(home.wanted.service_users or ()):
            await self.service_user_planner.plan_service_user(
                planned, home.org, service_user, f"{home.path}.serviceUsers[{number}]"
            )

    async def _plan_all_members(self, planned: Plan, document: Document) -> None:
        for home in planned.orgs:
            place = MemberScope(Scope.ORGANIZATION, home.org.id, home.org.id)
            await self.member_planner.plan_members(planned, place, home.wanted.members or (), f"{home.path}.members")
            for one in home.projects:
                inner = MemberScope(Scope.PROJECT, one.project.id, home.org.id)
                await self.member_planner.plan_members(planned, inner, one.wanted.members or (), f"{one.path}.members")
        for granted in planned.grants:
            inner = MemberScope(Scope.PROJECT_GRANT, granted.grant.id, granted.grant.granted_org_id)
            await self.member_planner.plan_members(
                planned, inner, granted.wanted.members or (), f"{granted.path}.members"
            )
        await self.member_planner.plan_members(
            planned, MemberScope(Scope.INSTANCE, INSTANCE), document.members or (), "members"
        )
