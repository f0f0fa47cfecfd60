from __future__ import annotations

import asyncio
from dataclasses import dataclass

from portico_runtime.mongo.client import Database, Session

from portico_users.identity_providers.federation.errors import NOT_OFFERED, PROVIDER_CHANGED
from portico_users.identity_providers.idp import Idp
from portico_users.identity_providers.store import IDPS, MongoIdps, usable
from portico_users.instance.instance import INSTANCES, UNSET, Instance, MongoInstance
from portico_users.organizations.org import ORGS, MongoOrgs, Org
from portico_users.policies.login_rules import in_force
from portico_users.storage.entry import Work
from portico_users.storage.reader import find_each
from portico_users.values.names import INSTANCE, MAX_LENGTH
from portico_users.values.records import State, version_of


@dataclass(frozen=True, slots=True)
class OfferedProviders:
    """Checks that providers are offered: at the start, at the callback, and in the linking transaction."""

    database: Database
    idps: MongoIdps
    orgs: MongoOrgs
    instances: MongoInstance

    async def find(self, id: str, org_id: str) -> tuple[Idp, bool]:
        """Returns the provider and whether the policies in force offer it, read together. Raises USER-960."""
        wanted = (IDPS, id[: MAX_LENGTH + 1]), (ORGS, org_id[: MAX_LENGTH + 1]), (INSTANCES, INSTANCE)
        found = await find_each(self.database, *wanted)
        idp = usable(found.of(IDPS), org_id)
        if idp is None:
            raise NOT_OFFERED.error(idp=id[:MAX_LENGTH])
        return idp, _is_offered(idp, org_id, found.of(ORGS), found.of(INSTANCES))

    async def find_any(self, id: str) -> Idp:
        """Finds a provider of any owner, for callers who may see all. Raises USER-960."""
        idp = await self.idps.find(id[: MAX_LENGTH + 1])
        if idp is None or idp.state is State.DELETED:
            raise NOT_OFFERED.error(idp=id[:MAX_LENGTH])
        return idp

    async def is_offered(self, idp: Idp, org: Org) -> bool:
        return is_offered_by(idp, org, await self.instances.find_settings())

    def unchanged(self, idp: Idp, org_id: str) -> Work:
        """Repeats the check within a transaction. Raises USER-972 if the provider changed."""

        async def check(session: Session) -> None:
            current = await self._same(idp, session)
            owner = await self.database[ORGS.name].find_one({"_id": org_id}, session=session)
            rules = await self.database[INSTANCES.name].find_one({"_id": INSTANCE}, session=session)
            org, instance = ORGS.record(owner) if owner else None, INSTANCES.record(rules) if rules else None
            if not _is_offered(current, org_id, org, instance):
                raise NOT_OFFERED.error(idp=idp.id, org=org_id)

        return check

    def same(self, idp: Idp) -> Work:
        """Checks within a transaction that the provider is as it was read. Raises USER-972."""

        async def check(session: Session) -> None:
            await self._same(idp, session)

        return check

    async def _same(self, idp: Idp, session: Session) -> Idp:
        row = await self.database[IDPS.name].find_one({"_id": idp.id}, session=session)
        current = IDPS.record(row) if row else None
        if current is None or version_of(current) != version_of(idp):
            raise PROVIDER_CHANGED.error(idp=idp.id)
        return current

    async def home_of(self, idp: Idp, org_id: str) -> Org | None:
        """Returns the active organization of new accounts: the provider's, else the requested, else the default."""
        if not idp.of_instance or org_id:
            found = await self.orgs.find(org_id if idp.of_instance else idp.org_id)
        else:
            settings, oldest = await asyncio.gather(self.instances.find_settings(), self.orgs.find_oldest())
            default = settings.default_org_id if settings else ""
            found = await self.orgs.find(default) if default else oldest
        return found if found and found.state is State.ACTIVE else None


def is_offered_by(idp: Idp, org: Org, instance: Instance | None) -> bool:
    """Reports whether the policies in force in an organization offer the provider."""
    return _is_offered(idp, org.id, org, instance)


def _is_offered(idp: Idp, org_id: str, org: Org | None, instance: Instance | None) -> bool:
    if idp.state is not State.ACTIVE or idp.org_id not in (org_id, INSTANCE):
        return False
    if org_id and (org is None or org.state is not State.ACTIVE):
        return False
    rules = (instance or UNSET).login_rules
    return idp.id in in_force(*((org.login_rules, rules) if org else (rules,))).sign_in_idps
