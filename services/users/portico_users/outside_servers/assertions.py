"""Decides which assertions applications get, for outside authorization servers (decision 0153)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from portico_contracts.users import AssertionRefusal, AssertionRequested, GetRoles, RequestAssertion

from portico_users.accounts.store import MongoAccounts
from portico_users.applications.app_record import is_agent
from portico_users.applications.store import MongoApps
from portico_users.end_users.end_user import EndUser
from portico_users.grants.role_queries import RoleQueries
from portico_users.groups.inherited import Memberships
from portico_users.identity_providers.endings import Endings
from portico_users.journal.command import repeat_overtaken
from portico_users.outside_servers.assertion_log import AssertionLog
from portico_users.outside_servers.server import Covered, MongoOutsideServers, OutsideServer
from portico_users.sessions.agent_uses import AgentUses
from portico_users.values.operator_settings import Issuer
from portico_users.values.own_issuer import is_own_issuer


class _Rule(NamedTuple):
    """A server whose rule covers a request, and what the request gets by it."""

    server: OutsideServer
    resources: tuple[str, ...]
    scope: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OutsideAssertions:
    servers: MongoOutsideServers
    accounts: MongoAccounts
    apps: MongoApps
    roles: RoleQueries
    memberships: Memberships
    endings: Endings
    log: AssertionLog
    uses: AgentUses
    issuer: Issuer

    async def request(self, ask: RequestAssertion) -> AssertionRequested:
        """Caches nothing, so that each change of a rule counts for the next request."""
        if not await self.servers.are_any():
            return AssertionRequested(refusal=AssertionRefusal.NOT_OFFERED)
        user = await self._user(ask.user_id) if ask.user_id else None
        if user is None:
            return AssertionRequested(refusal=AssertionRefusal.USER)
        found = await self._find(ask, user)
        return found if isinstance(found, AssertionRequested) else await self._give(ask, user, found)

    async def _user(self, user_id: str) -> EndUser | None:
        account = await self.accounts.find_active_whole(user_id)
        return account.user if account and isinstance(account.user, EndUser) else None

    async def _find(self, ask: RequestAssertion, user: EndUser) -> _Rule | AssertionRequested:
        """The first rule that covers the request, or the condition that none fulfils."""
        there = await self.servers.list_of_issuer(user.org_id, ask.audience)
        named = [one for one in there if one.application(ask.client_id) and not is_own_issuer(one.issuer, self.issuer)]
        if not named:
            usable = await self.servers.list_of_application(user.org_id, ask.client_id)
            return _refused(AssertionRefusal.AUDIENCE, [one.issuer for one in usable])
        fitting = [(one, found) for one in named if (found := one.resources_named(ask.resources))]
        if not fitting:
            return _refused(AssertionRefusal.RESOURCE, [resource for one in named for resource in one.resources])
        covering = [(one, found) for one, found in fitting if await self._covers(one, user)]
        if not covering:
            return _refused(AssertionRefusal.USER, [one.name for one, _ in fitting])
        for server, resources in covering:
            scope = server.scope_of(ask.scope)
            if scope is not None:
                return _Rule(server, resources, scope)
        return _refused(AssertionRefusal.SCOPE, [scope for one, _ in covering for scope in one.scopes])

    async def _covers(self, server: OutsideServer, user: EndUser) -> bool:
        if server.people is Covered.ORGANIZATION:
            return True
        if server.group_ids and not (await repeat_overtaken(lambda: self._groups(user))).isdisjoint(server.group_ids):
            return True
        if not server.roles:
            return False
        asked = tuple({role.project_id for role in server.roles})
        held = (await self.roles.get_roles(GetRoles(user_id=user.id, project_ids=asked))).roles
        return any(role.role_key in held.get(role.project_id, {}) for role in server.roles)

    async def _groups(self, user: EndUser) -> set[str]:
        current = await self._user(user.id)
        if current is None:
            return set()
        in_force = await self.endings.in_force(current)
        return {one.group.id for one in await self.memberships.list_of(in_force)}

    async def _give(self, ask: RequestAssertion, user: EndUser, rule: _Rule) -> AssertionRequested:
        app = await self.apps.find_by_client_id(ask.client_id)
        application = rule.server.application(ask.client_id)
        if app is None or application is None:
            return _refused(AssertionRefusal.AUDIENCE, ())
        await self.log.note(user, app, rule.server, rule.scope)
        if is_agent(app):
            await self.uses.note_assertion(user, app.client_id, rule.server.id, rule.scope)
        return AssertionRequested(
            audience=rule.server.issuer,
            client_id=application.client_id_there,
            resources=rule.resources,
            scope=rule.scope,
            email=user.email if rule.server.sends_email and user.email_verified else "",
        )


def _refused(refusal: AssertionRefusal, wanted: Sequence[str]) -> AssertionRequested:
    return AssertionRequested(refusal=refusal, wanted=tuple(dict.fromkeys(wanted)))
