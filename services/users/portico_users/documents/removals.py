"""Plans the removal of objects that the document's lists omit (prune).

Organizations are never removed, nor are the applications of the console, whose ids could not be used again.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass

from portico_contracts.apply import Document, Organization
from portico_contracts.console import OWN_APPLICATIONS

from portico_users.accounts.edit_accounts import DeleteUser
from portico_users.accounts.store import MongoAccounts
from portico_users.administrators.document import CONTRADICTION
from portico_users.administrators.edit_members import RemoveMember
from portico_users.administrators.member import MongoMembers
from portico_users.administrators.permissions import Scope
from portico_users.applications.edit_apps import RemoveApp
from portico_users.applications.store import REGISTERED, MongoApps
from portico_users.documents.plan import Plan, PlannedOrg, PlannedProject
from portico_users.documents.step import Step, Subject, removal_of
from portico_users.groups.edit_groups import RemoveGroup
from portico_users.groups.group import MongoGroups
from portico_users.identity_providers.edit_providers import RemoveIdp
from portico_users.identity_providers.store import MongoIdps
from portico_users.outside_servers.commands import RemoveOutsideServer
from portico_users.outside_servers.server import MongoOutsideServers
from portico_users.projects.commands import RemoveProject, RemoveProjectGrant
from portico_users.projects.project_grants import MongoProjectGrants
from portico_users.projects.store import MongoProjects
from portico_users.scim.commands import RemoveScimConnection
from portico_users.scim.connection import MongoScimConnections
from portico_users.storage.entry import NOT_DELETED
from portico_users.storage.reader import Reader
from portico_users.values.names import INSTANCE
from portico_users.values.problems import at
from portico_users.values.records import AnyRecord
from portico_users.webhooks.commands import RemoveWebhook
from portico_users.webhooks.store import MongoWebhooks


@dataclass(frozen=True, slots=True)
class RemovalPlanner:
    apps: MongoApps
    remove_app: RemoveApp
    accounts: MongoAccounts
    delete_user: DeleteUser
    groups: MongoGroups
    remove_group: RemoveGroup
    projects: MongoProjects
    remove_project: RemoveProject
    project_grants: MongoProjectGrants
    remove_project_grant: RemoveProjectGrant
    idps: MongoIdps
    remove_idp: RemoveIdp
    remove_webhook: RemoveWebhook
    webhooks: MongoWebhooks
    remove_scim_connection: RemoveScimConnection
    scim_connections: MongoScimConnections
    remove_outside_server: RemoveOutsideServer
    outside_servers: MongoOutsideServers
    members: MongoMembers
    remove_member: RemoveMember

    async def plan_removals(self, plan: Plan, document: Document) -> list[Step]:
        steps: list[Step] = []
        for home in plan.orgs:
            for planned in home.projects:
                steps += [step async for step in self._apps(plan, planned)]
            steps += [step async for step in self._users(plan, home)]
        # Groups rewrite the providers that are mapped to them, and roles that end rewrite groups.
        steps += plan.changed_groups
        for home in plan.orgs:
            steps += [step async for step in self._idps(plan, home.org.id, home.wanted, home.path)]
            steps += [step async for step in self._groups(plan, home)]
        for home in plan.orgs:
            for planned in home.projects:
                steps += [step async for step in self._project_grants(plan, planned)]
            steps += [step async for step in self._projects(plan, home)]
            steps += [step async for step in self._webhooks(plan, home.org.id, home.wanted, home.path)]
            steps += [step async for step in self._scim_connections(plan, home)]
            steps += [step async for step in self._outside_servers(plan, home)]
        steps += [step async for step in self._idps(plan, INSTANCE, document, "")]
        steps += [step async for step in self._webhooks(plan, INSTANCE, document, "")]
        gone = {step.ends_grants for step in steps}
        return [*[step async for step in self._members(plan, document, gone)], *steps]

    async def _apps(self, plan: Plan, planned: PlannedProject) -> AsyncIterator[Step]:
        for name, kind, wanted in (
            ("oidcApps", "oidc", planned.wanted.oidc_apps),
            ("apiApps", "api", planned.wanted.api_apps),
        ):
            if wanted is None or planned.project.id == OWN_APPLICATIONS:
                continue
            question = {"projectId": planned.project.id, "kind": kind, **REGISTERED}
            async for app in _left_out(plan, self.apps, question):
                yield removal_of(Subject("app", f"{planned.path}.{name}", app.name), self.remove_app.plan(app))

    async def _users(self, plan: Plan, home: PlannedOrg) -> AsyncIterator[Step]:
        for name, type, kind, wanted in (
            ("humans", "human", "human", home.wanted.humans),
            ("serviceUsers", "machine", "service_user", home.wanted.service_users),
        ):
            if wanted is None:
                continue
            async for user in _left_out(plan, self.accounts, {"orgId": home.org.id, "type": type}):
                path = f"{home.path}.{name}"
                if any(user.id == held for held, _scope in plan.held):
                    raise at(path, CONTRADICTION.error(user=user.id))
                entries = await self.delete_user.plan(user)
                yield removal_of(Subject(kind, path, user.user_name), *entries, ends_grants=user.id)

    async def _groups(self, plan: Plan, home: PlannedOrg) -> AsyncIterator[Step]:
        if home.wanted.groups is None:
            return
        found = [group async for group in _left_out(plan, self.groups, {"orgId": home.org.id})]
        # Groups within others first: removing the outer group would change them.
        for group in sorted(found, key=lambda one: not one.parents):
            yield removal_of(Subject("group", f"{home.path}.groups", group.name), self.remove_group.plan(group))

    async def _projects(self, plan: Plan, home: PlannedOrg) -> AsyncIterator[Step]:
        if home.wanted.projects is None:
            return
        async for project in _left_out(plan, self.projects, {"orgId": home.org.id}):
            if project.id == OWN_APPLICATIONS:
                continue
            yield removal_of(
                Subject("project", f"{home.path}.projects", project.name), self.remove_project.plan(project)
            )

    async def _project_grants(self, plan: Plan, planned: PlannedProject) -> AsyncIterator[Step]:
        if planned.wanted.grants is None:
            return
        async for grant in _left_out(plan, self.project_grants, {"projectId": planned.project.id}):
            subject = Subject(
                "project_grant", f"{planned.path}.grants", f"{planned.project.name} to {grant.granted_org_id}"
            )
            yield removal_of(subject, self.remove_project_grant.plan(grant))

    async def _idps(self, plan: Plan, owner_id: str, wanted: Organization | Document, path: str) -> AsyncIterator[Step]:
        lists = (
            ("jwtIdps", "jwt", wanted.jwt_idps),
            ("oidcIdps", "oidc", wanted.oidc_idps),
            ("oauth2Idps", "oauth2", wanted.oauth2_idps),
            ("ldapIdps", "ldap", wanted.ldap_idps),
        )
        for name, kind, there in lists:
            if there is None:
                continue
            place = f"{path}.{name}" if path else name
            async for idp in _left_out(plan, self.idps, {"orgId": owner_id, "config.type": kind}):
                yield removal_of(Subject("identity_provider", place, idp.name), self.remove_idp.plan(idp))

    async def _webhooks(
        self, plan: Plan, owner_id: str, wanted: Organization | Document, path: str
    ) -> AsyncIterator[Step]:
        if wanted.webhooks is None:
            return
        place = f"{path}.webhooks" if path else "webhooks"
        async for webhook in _left_out(plan, self.webhooks, {"orgId": owner_id}):
            planned = self.remove_webhook.plan(webhook)
            step = removal_of(Subject("webhook", place, webhook.name), planned.entry)
            yield dataclasses.replace(step, afterwards=planned.effects)

    async def _outside_servers(self, plan: Plan, home: PlannedOrg) -> AsyncIterator[Step]:
        if home.wanted.outside_servers is None:
            return
        place = f"{home.path}.outsideServers"
        async for server in _left_out(plan, self.outside_servers, {"orgId": home.org.id}):
            yield removal_of(Subject("outside_server", place, server.name), self.remove_outside_server.plan(server))

    async def _scim_connections(self, plan: Plan, home: PlannedOrg) -> AsyncIterator[Step]:
        if home.wanted.scim_connections is None:
            return
        place = f"{home.path}.scimConnections"
        async for connection in _left_out(plan, self.scim_connections, {"orgId": home.org.id}):
            removal = self.remove_scim_connection
            step = removal_of(Subject("scim_connection", place, connection.name), removal.plan(connection))
            yield dataclasses.replace(step, afterwards=(functools.partial(removal.forget_calls, connection),))

    async def _members(self, plan: Plan, document: Document, gone: set[str]) -> AsyncIterator[Step]:
        places = [("members", INSTANCE, document.members)]
        for home in plan.orgs:
            places.append((f"{home.path}.members", home.org.id, home.wanted.members))
            places += [(f"{one.path}.members", one.project.id, one.wanted.members) for one in home.projects]
        places += [(f"{one.path}.members", one.grant.id, one.wanted.members) for one in plan.grants]
        for path, scope_id, wanted in places:
            if wanted is None:
                continue
            for id in await _ids(self.members, {"scopeId": scope_id}):
                member = await self.members.find(id)
                if (
                    member is None
                    or not member.roles
                    or (member.user_id, scope_id) in plan.held
                    or member.user_id in gone
                ):
                    continue
                user = await plan.find_user_by_id(member.user_id)
                if member.scope is Scope.ORGANIZATION and user and user.org_id == scope_id:
                    continue  # roles of the organization's own users are listed with the users
                name = f"{user.user_name if user else member.user_id} in {scope_id}"
                yield removal_of(Subject("member", path, name), self.remove_member.plan(member))


async def _left_out(plan: Plan, reader: Reader[AnyRecord], question: Mapping[str, object]) -> AsyncIterator[AnyRecord]:
    for id in await _ids(reader, question):
        if id not in plan.kept and (record := await reader.find(id)) is not None:
            yield record


async def _ids(reader: Reader[AnyRecord], question: Mapping[str, object]) -> list[str]:
    return [str(row["_id"]) for row in await reader.list_members({**question, **NOT_DELETED}, "_id")]
