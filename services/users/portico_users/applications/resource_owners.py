"""Which organization may register a resource: an API must not get the tokens that are for the one of another organization."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from portico_oauth.client_id_urls import host_and_parents
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.resources import authority_of, resource_key

from portico_users.applications.app_record import App
from portico_users.applications.rules import INVALID_RESOURCE
from portico_users.applications.store import MongoApps
from portico_users.journal.command import Command
from portico_users.organizations.org import MongoOrgs, Org, domain_keys
from portico_users.values.operator_settings import Issuer
from portico_users.values.problems import at

OF_ANOTHER_ORG = ErrorCode(
    "USER-790",
    Kind.ALREADY_EXISTS,
    "This resource is reserved for another organization.",
    "Use a URI at a domain that your organization has verified. Another organization has verified the domain of this"
    " one, or had the resource before.",
)


@dataclass(frozen=True, slots=True)
class ResourceOwners(Command):
    apps: MongoApps
    orgs: MongoOrgs
    issuer: Issuer

    async def require(self, before: App | None, after: App, *, beside: Iterable[Org]) -> None:
        """Raises USER-790 and USER-850 for a resource that the change adds.

        ``beside`` are organizations as they are committed with it.
        """
        known = set(map(resource_key, before.resources)) if before else set()
        for number, uri in enumerate(after.resources):
            if resource_key(uri) in known:
                continue
            if authority_of(uri) == authority_of(self.issuer):
                raise at(f"resources[{number}]", INVALID_RESOURCE.error())
            if await self.apps.is_reserved_elsewhere(uri, after.org_id) or not await self._may_name(
                uri, after.org_id, beside
            ):
                raise at(f"resources[{number}]", OF_ANOTHER_ORG.error())

    async def _may_name(self, uri: str, org_id: str, beside: Iterable[Org]) -> bool:
        """Reports whether the closest verified domain above the host is this organization's; true without one."""
        authority = authority_of(uri)
        if authority is None:
            return True
        domains = host_and_parents(authority.host)
        orgs = {org.id: org for org in (*await self.orgs.list_with_domain(domains), *beside)}.values()
        for domain in domains:
            # A verified domain counts before one that an organization had before.
            for owners in ([org.id for org in orgs if domain in domain_keys(org)], _former(orgs, domain)):
                if owners:
                    return org_id in owners
        return True


def _former(orgs: Iterable[Org], domain: str) -> list[str]:
    return [org.id for org in orgs if domain in org.former_domains]
