"""Answers token's questions for the keys of issuers: only of those whose workloads, or users, are trusted for the client."""

from __future__ import annotations

from dataclasses import dataclass

from portico_contracts.users import GetIssuerKeys, IssuerKeys

from portico_users.accounts.store import MongoAccounts
from portico_users.applications.store import MongoApps
from portico_users.identity_providers.assertion_questions import AssertionQuestions
from portico_users.trusted_workloads.issuer_keys import IssuerKeySets
from portico_users.trusted_workloads.workload import TrustedWorkload


@dataclass(frozen=True, slots=True)
class IssuerKeyQuestions:
    accounts: MongoAccounts
    apps: MongoApps
    key_sets: IssuerKeySets
    assertions: AssertionQuestions

    async def get_issuer_keys(self, ask: GetIssuerKeys) -> IssuerKeys:
        """The keys of an unknown issuer, and of one whose keys were pasted, are never fetched."""
        if not await self._is_trusted(ask):
            return IssuerKeys(is_known=False)
        keys = await self.key_sets.find(ask.issuer, ask.kid)
        return IssuerKeys(keys=keys, is_reached=bool(keys))

    async def _is_trusted(self, ask: GetIssuerKeys) -> bool:
        if ask.provider_id:
            idp = await self.assertions.find_trusted(ask.provider_id, ask.issuer)
            return idp is not None and bool(idp.assertions.rules_of(ask.client_id))
        trusted = await self._workloads_of(ask.client_id)
        return any(one.issuer == ask.issuer and not one.key_set for one in trusted)

    async def _workloads_of(self, client_id: str) -> tuple[TrustedWorkload, ...]:
        app = await self.apps.find_by_client_id(client_id)
        if app is not None:
            return app.trusted_workloads
        user = await self.accounts.find_service_user(client_id)
        return user.trusted_workloads if user else ()
