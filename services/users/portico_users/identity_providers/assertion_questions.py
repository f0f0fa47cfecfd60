"""Answers token's questions about assertions: from which providers, and about whom (decision 0157)."""

from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.users import (
    Asserted,
    AssertedAccess,
    AssertionTrust,
    AssertionTrusts,
    FindAsserted,
    FindAssertionTrusts,
)

from portico_users.accounts.account import active_account
from portico_users.accounts.store import MongoAccounts
from portico_users.applications.app_record import App
from portico_users.applications.store import MongoApps
from portico_users.end_users.end_user import EndUser
from portico_users.end_users.idp_links import IdpLink, link_prefix
from portico_users.identity_providers.idp import Idp, OidcConfig
from portico_users.identity_providers.issuers import is_same_issuer
from portico_users.identity_providers.store import MongoIdps
from portico_users.organizations.org import MongoOrgs
from portico_users.projects.project_grants import MongoProjectGrants
from portico_users.sessions.agent_uses import AgentUses
from portico_users.values.names import MAX_LENGTH
from portico_users.values.operator_settings import Issuer
from portico_users.values.own_issuer import is_own_issuer
from portico_users.values.records import State


@dataclass(frozen=True, slots=True)
class AssertionQuestions:
    idps: MongoIdps
    apps: MongoApps
    accounts: MongoAccounts
    orgs: MongoOrgs
    project_grants: MongoProjectGrants
    issuer: Issuer
    uses: AgentUses

    async def find_trusts(self, ask: FindAssertionTrusts) -> AssertionTrusts:
        """None of an issuer that no organization trusts for the client, which costs no request to it."""
        app = await self._client(ask.client_id)
        if app is None or is_own_issuer(ask.issuer, self.issuer):
            return AssertionTrusts()
        # An organization decides about clients of its own, and of projects that are granted to it.
        org_ids = {app.org_id, *await self.project_grants.list_organizations(app.project_id)}
        found = await self.idps.list_accepting(app.client_id, ask.issuer, org_ids)
        return AssertionTrusts(trusts=tuple([_trust_of(idp, app) for idp in found]))

    async def find_asserted(self, ask: FindAsserted) -> Asserted:
        """The linked user, and what the rule gives the client now; token asks again while a token is in use."""
        app, idp = await self._client(ask.client_id), await self.find_trusted(ask.provider_id, ask.issuer)
        if app is None or idp is None or not idp.assertions.rules_of(app.client_id):
            return Asserted()
        user = await self._linked_user(idp, ask)
        if user is None or not await self._may_name(idp, app):
            return Asserted()
        ended = await self.uses.find_end(user.id, app.client_id, idp.id)
        access = _access_of(idp, app, ended)
        return Asserted(user_id=user.id, access=access) if access else Asserted()

    async def find_trusted(self, provider_id: str, issuer: str) -> Idp | None:
        """The active provider, where it has the issuer, and an active organization accepts its assertions."""
        idp = await self.idps.find(provider_id[: MAX_LENGTH + 1])
        if idp is None or not _accepts(idp, issuer):
            return None
        org = await self.orgs.find(idp.org_id)
        return idp if org is not None and org.state is State.ACTIVE else None

    async def _client(self, client_id: str) -> App | None:
        app = await self.apps.find_by_client_id(client_id[: MAX_LENGTH + 1])
        is_usable = app is not None and app.state is State.ACTIVE and not app.metadata_document
        return app if is_usable else None

    async def _may_name(self, idp: Idp, app: App) -> bool:
        """An organization decides about clients of its own, and of projects that are granted to it."""
        if idp.org_id == app.org_id:
            return True
        return app.project_id in await self.project_grants.list_projects_granted(idp.org_id)

    async def _linked_user(self, idp: Idp, ask: FindAsserted) -> EndUser | None:
        """By the link alone, never by an address; the organization speaks for its own users only."""
        found = await self.accounts.find_linked(f"{link_prefix(idp.id)}{ask.subject}")
        account = active_account(*found) if found else None
        user = account.user if account else None
        if not isinstance(user, EndUser) or user.org_id != idp.org_id:
            return None
        link = next((one for one in user.idp_links if (one.idp_id, one.user_id) == (idp.id, ask.subject)), None)
        return user if link and _is_of(link, ask.issuer) else None


def _accepts(idp: Idp, issuer: str) -> bool:
    is_in_force = idp.state is State.ACTIVE and bool(idp.assertions.rules) and not idp.of_instance
    return is_in_force and isinstance(idp.config, OidcConfig) and idp.config.issuer == issuer


def _is_of(link: IdpLink, issuer: str) -> bool:
    return not link.issuer or is_same_issuer(link.issuer, issuer)


def _trust_of(idp: Idp, app: App) -> AssertionTrust:
    return AssertionTrust(
        provider_id=idp.id,
        name=idp.name,
        org_id=idp.org_id,
        access=_access_of(idp, app),
        tenant_claim=idp.assertions.tenant_claim,
        tenant=idp.assertions.tenant,
    )


def _access_of(idp: Idp, app: App, ended: float = 0) -> tuple[AssertedAccess, ...]:
    rules = idp.assertions.rules_of(app.client_id, ended=ended)
    return tuple(AssertedAccess(resource=rule.resource, scopes=rule.scopes) for rule in rules)
