"""Answers token's questions for the keys of issuers: only of those whose workloads, or users, are trusted for the client."""

from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.users import GetIssuerKeys, IssuerKeys

from portico_users.accounts.store import MongoAccounts
from portico_users.applications.app_record import App
from portico_users.applications.store import MongoApps
from portico_users.identity_providers.assertion_questions import AssertionQuestions
from portico_users.service_users.service_user import ServiceUser
from portico_users.trusted_workloads.issuer_keys import IssuerKeySets


@dataclass(frozen=True, slots=True)
class IssuerKeyQuestions:
    accounts: MongoAccounts
    apps: MongoApps
    key_sets: IssuerKeySets
    assertions: AssertionQuestions

    async def get_issuer_keys(self, ask: GetIssuerKeys) -> IssuerKeys:
        """The keys of an unknown issuer, and of one whose keys were pasted, are never fetched."""
        org_id = await self._trusted_by(ask)
        if org_id is None:
            return IssuerKeys(is_known=False)
        keys = await self.key_sets.find(ask.issuer, ask.kid, org_id)
        return IssuerKeys(keys=keys, is_reached=bool(keys))

    async def _trusted_by(self, ask: GetIssuerKeys) -> str | None:
        """The organization that trusts the issuer; None for none."""
        if ask.provider_id:
            idp = await self.assertions.find_trusted(ask.provider_id, ask.issuer)
            return idp.org_id if idp is not None and idp.assertions.rules_of(ask.client_id) else None
        owner = await self._owner_of(ask.client_id)
        trusted = owner.trusted_workloads if owner else ()
        is_trusted = any(one.issuer == ask.issuer and not one.key_set for one in trusted)
        return owner.org_id if owner and is_trusted else None

    async def _owner_of(self, client_id: str) -> App | ServiceUser | None:
        return await self.apps.find_by_client_id(client_id) or await self.accounts.find_service_user(client_id)
