"""Which policies hold in an organization."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from portico_contracts.users import Branding

from portico_users.directory.instance.instance import UNSET
from portico_users.directory.instance.store import MongoInstance
from portico_users.directory.organizations.org import Org
from portico_users.directory.organizations.store import MongoOrgs
from portico_users.directory.policies.branding import branding_of
from portico_users.directory.policies.policies import Policies, effective


@dataclass(frozen=True, slots=True)
class PoliciesInForce:
    """Reads the policies of the organization, and for the rest those of the instance."""

    orgs: MongoOrgs
    instances: MongoInstance

    async def of(self, org_id: str) -> Policies:
        """All of them, none of which is None; of an unknown organization the instance's."""
        org, instance = await asyncio.gather(self.orgs.find(org_id), self.instances.find_settings())
        return effective(*((org.policies,) if org else ()), (instance or UNSET).policies)

    async def branding(self, org_id: str) -> Branding:
        """What pages and emails of an organization show; of an unknown one, or with an empty id, the instance's."""
        org = await self.orgs.find(org_id) if org_id else None
        policies = await self.within(org) if org else await self.of("")
        return branding_of(policies, org.name if org and org.policies.logos else "")

    async def within(self, org: Org) -> Policies:
        """As `of`, of an organization at hand, which need not be stored yet."""
        return effective(org.policies, (await self.instances.find_settings() or UNSET).policies)
