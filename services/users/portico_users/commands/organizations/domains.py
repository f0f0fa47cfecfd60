"""The domains of an organization: added, verified, made the primary one, removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from portico_oauth.errors import ServiceError
from portico_oauth.opaque import RandomBytes

from portico_users.commands.command import Command, Commit
from portico_users.commands.organizations.orgs import put_org
from portico_users.directory.organizations.domain_verification import DomainVerification
from portico_users.directory.organizations.domains import (
    Domain,
    Domains,
    Proof,
    load_unverified,
    swapped,
    with_domain,
    with_new_domain,
    without_domain,
)
from portico_users.directory.organizations.org import Org
from portico_users.kernel.names import INVALID_DOMAIN, is_domain, new_id
from portico_users.kernel.problems import at


@dataclass(frozen=True, slots=True)
class OrgDomains(Command):
    """Changes the domains beside the primary one."""

    commit: Commit
    verification: DomainVerification
    random: RandomBytes

    def plan(self, org: Org, wanted: Sequence[Domain], *, exact: bool = False) -> Domains:
        """Plans the domains of a document; for those that are verified the operator vouches.

        Args:
            exact: domains that are not named are removed.

        Raises:
            ServiceError: USER-004, USER-715, USER-722 with the place.
        """
        domains, named = org.domains, set[str]()
        for number, one in enumerate(wanted):
            place = f"domains[{number}].name"
            if not is_domain(one.name):
                raise at(place, INVALID_DOMAIN.error())
            if one.name in named or all(domain.name != one.name for domain in domains):
                try:
                    domains = with_new_domain(domains, org.primary_domain, one.name)
                except ServiceError as error:
                    raise at(place, error) from None
            if one.verified:
                domains = with_domain(domains, one)
            named.add(one.name)
        return tuple(domain for domain in domains if domain.name in named) if exact else domains

    async def add(self, org: Org, name: str, *, actor: str) -> Org:
        """Adds a domain that is to be verified; USER-004, USER-715, USER-722."""
        return await self._replace(org, with_new_domain(org.domains, org.primary_domain, name), actor)

    async def remove(self, org: Org, name: str, *, actor: str) -> Org:
        """Removes a domain; USER-717 for an unknown one, USER-718 for the primary one."""
        return await self._replace(org, without_domain(org.domains, org.primary_domain, name), actor)

    async def generate(self, org: Org, name: str, proof: Proof, *, actor: str) -> Domain:
        """The domain with a new challenge; USER-717 for an unknown one, USER-720 for a verified one."""
        domain = load_unverified(org.domains, org.primary_domain, name)
        wanted = msgspec.structs.replace(domain, proof=proof, challenge=new_id(self.random))
        await self._replace(org, with_domain(org.domains, wanted), actor)
        return wanted

    async def verify(self, org: Org, name: str, *, actor: str) -> Org:
        """Verifies a domain by its challenge.

        Raises:
            ServiceError: as `generate`; USER-721 without a challenge, USER-723 when the domain does not show it, USER-716
                when another organization was first.
        """
        domain = load_unverified(org.domains, org.primary_domain, name)
        await self.verification.require(domain)
        return await self._replace(org, with_domain(org.domains, Domain(name=domain.name, verified=True)), actor)

    async def set_primary(self, org: Org, name: str, *, actor: str) -> Org:
        """Login names end with it from now on; USER-717, USER-718, USER-719."""
        after = msgspec.structs.replace(org, primary_domain=name)
        return await self._replace(after, swapped(org.domains, org.primary_domain, name), actor, before=org)

    async def _replace(self, org: Org, domains: Domains, actor: str, *, before: Org | None = None) -> Org:
        return await self.commit(put_org(before or org, msgspec.structs.replace(org, domains=domains)), actor=actor)
