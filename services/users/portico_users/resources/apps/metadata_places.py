"""Which project an application belongs to that identifies itself by a client-ID metadata document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from portico_contracts.users import AuthMethod
from portico_oauth.client_id_urls import host_and_parents, host_of_client_id

from portico_users.kernel.names import derived_id
from portico_users.kernel.records import State
from portico_users.resources.apps.app_record import App
from portico_users.resources.instance import MongoInstance
from portico_users.resources.organizations.org import MongoOrgs
from portico_users.resources.projects.store import ActiveProjects, OwnedProject

_ORGS: Final = 20
"""Organizations with the same host that are looked at."""


@dataclass(frozen=True, slots=True)
class MetadataPlaces:
    instances: MongoInstance
    orgs: MongoOrgs
    projects: ActiveProjects

    async def find(self, client_id: str) -> OwnedProject | None:
        """Returns the project of the instance's policy if it has the host, else that of the oldest organization's.

        The policy of an organization can only name a project of its own.
        """
        host = host_of_client_id(client_id)
        if not host:
            return None
        hosts = host_and_parents(host)
        instance = await self.instances.find_settings()
        policy = instance.policies.client_metadata if instance else None
        if policy and not set(hosts).isdisjoint(policy.hosts):
            found = await self.projects.list_of((policy.project_id,))
            if found:
                return found[0]
        question = {"policies.clientMetadata.hosts": {"$in": list(hosts)}, "state": State.ACTIVE.value}
        orgs = await self.orgs.list_where(question, _ORGS, order=("created", "_id"))
        named = {org.policies.client_metadata.project_id: org.id for org in orgs if org.policies.client_metadata}
        owned = {one.project.id: one for one in await self.projects.list_of(named)}
        own = (owned[id] for id, org_id in named.items() if id in owned and owned[id].org.id == org_id)
        return next(own, None)

    async def accept_documents(self) -> bool:
        """Reports whether a policy of the instance or of an active organization has hosts."""
        instance = await self.instances.find_settings()
        policy = instance.policies.client_metadata if instance else None
        if policy and policy.hosts:
            return True
        question = {"policies.clientMetadata.hosts": {"$gt": ""}, "state": State.ACTIVE.value}
        return bool(await self.orgs.list_where(question, 1))

    async def find_app(self, client_id: str) -> App | None:
        """Returns the application without the contents of its document, for its project and organization."""
        place = await self.find(client_id)
        if place is None:
            return None
        return App(
            id=derived_id("client metadata", client_id, 0),
            org_id=place.org.id,
            project_id=place.project.id,
            client_id=client_id,
            name=host_of_client_id(client_id),
            auth_method=AuthMethod.NONE,
            metadata_document=True,
        )
