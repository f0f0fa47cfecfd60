"""Which project an application belongs to that identifies itself by a client-ID metadata document (decision 0112)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from portico_contracts.users import AuthMethod
from portico_oauth.client_id_urls import host_and_parents, host_of_client_id

from portico_users.applications.app_record import App
from portico_users.instance.instance import MongoInstance
from portico_users.organizations.org import MongoOrgs, Org
from portico_users.policies.client_metadata import ClientMetadata
from portico_users.projects.store import ActiveProjects, OwnedProject
from portico_users.values.names import MAX_LENGTH, derived_id
from portico_users.values.records import State

_ORGS: Final = 200
"""Organizations with the same host that are looked at."""


class Placed(NamedTuple):
    """The project, or whether several organizations accept the document and the request names none of them."""

    project: OwnedProject | None = None
    several: bool = False


@dataclass(frozen=True, slots=True)
class MetadataPlaces:
    """An organization accepts documents by its own policy, which can only name its own project, or by that of
    the instance, which has priority where it names a project of the organization. So it has one project for them.
    """

    instances: MongoInstance
    orgs: MongoOrgs
    projects: ActiveProjects

    async def find(self, client_id: str, org_id: str) -> OwnedProject | None:
        """Returns the project in the organization; without one (messages of the release before) as `of_request`."""
        return await self._of_org(client_id, org_id) if org_id else (await self.of_request(client_id, ())).project

    async def of_request(self, client_id: str, org_ids: Iterable[str]) -> Placed:
        """Returns the project of the first of the organizations that accepts the document; without one, that of
        the instance's policy, or else of the one organization whose policy has the host.
        """
        for org_id in dict.fromkeys(org_ids):
            if found := await self._of_org(client_id, org_id):
                return Placed(found)
        if found := await self._of_instance(client_id):
            return Placed(found)
        own = await self._of_all_orgs(client_id)
        return Placed(own[0]) if len(own) == 1 else Placed(several=bool(own))

    async def list_of(self, client_id: str) -> list[OwnedProject]:
        """Returns the project of each organization that accepts the document."""
        instance = await self._of_instance(client_id)
        found = [*([instance] if instance else []), *await self._of_all_orgs(client_id)]
        return list({one.org.id: one for one in reversed(found)}.values())

    async def entry_of(self, client_id: str, org: Org) -> str:
        """Returns the host in the policies of the instance and of the organization that accepts the document."""
        policies = (await self._policy_of_instance(), org.policies.client_metadata)
        hosts = {host for policy in policies if policy for host in policy.hosts}
        return next((host for host in host_and_parents(host_of_client_id(client_id)) if host in hosts), "")

    async def accept_documents(self) -> bool:
        """Reports whether a policy of the instance or of an active organization has hosts."""
        policy = await self._policy_of_instance()
        if policy and policy.hosts:
            return True
        question = {"policies.clientMetadata.hosts": {"$gt": ""}, "state": State.ACTIVE.value}
        return bool(await self.orgs.list_where(question, 1))

    async def _of_org(self, client_id: str, org_id: str) -> OwnedProject | None:
        instance = await self._of_instance(client_id)
        if instance and instance.org.id == org_id:
            return instance
        org = await self.orgs.find(org_id[: MAX_LENGTH + 1])
        if org is None or not _has_host(org.policies.client_metadata, client_id):
            return None
        return next(iter(await self._own([org])), None)

    async def _of_instance(self, client_id: str) -> OwnedProject | None:
        policy = await self._policy_of_instance()
        if policy is None or not _has_host(policy, client_id):
            return None
        return next(iter(await self.projects.list_of((policy.project_id,))), None)

    async def _of_all_orgs(self, client_id: str) -> list[OwnedProject]:
        hosts = host_and_parents(host_of_client_id(client_id))
        question = {"policies.clientMetadata.hosts": {"$in": list(hosts)}, "state": State.ACTIVE.value}
        return await self._own(await self.orgs.list_where(question, _ORGS, order=("created", "_id")))

    async def _own(self, orgs: list[Org]) -> list[OwnedProject]:
        named = {(org.policies.client_metadata.project_id, org.id) for org in orgs if org.policies.client_metadata}
        found = await self.projects.list_of(project_id for project_id, _ in named)
        return [one for one in found if (one.project.id, one.org.id) in named]

    async def _policy_of_instance(self) -> ClientMetadata | None:
        instance = await self.instances.find_settings()
        return instance.policies.client_metadata if instance else None


def _has_host(policy: ClientMetadata | None, client_id: str) -> bool:
    host = host_of_client_id(client_id)
    return bool(policy and host) and not set(host_and_parents(host)).isdisjoint(policy.hosts if policy else ())


def app_of_document(client_id: str, place: OwnedProject) -> App:
    """The application without the contents of its document."""
    return App(
        id=derived_id("client metadata", client_id, 0),
        org_id=place.org.id,
        project_id=place.project.id,
        client_id=client_id,
        name=host_of_client_id(client_id),
        auth_method=AuthMethod.NONE,
        metadata_document=True,
    )
