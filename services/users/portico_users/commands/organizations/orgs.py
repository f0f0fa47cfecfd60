"""Adds and changes organizations."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
from portico_oauth.opaque import RandomBytes

from portico_users.commands.command import Command, Commit
from portico_users.directory.organizations.domains import DOMAIN_TAKEN
from portico_users.directory.organizations.org import Org, default_domain
from portico_users.directory.organizations.rules import problems_of
from portico_users.directory.organizations.store import ORGS, MongoOrgs
from portico_users.kernel.entry import Entry
from portico_users.kernel.names import new_id
from portico_users.kernel.operator_settings import Issuer
from portico_users.kernel.problems import at, refuse_first


@dataclass(frozen=True, slots=True)
class AddOrg(Command):
    """Creates an organization."""

    commit: Commit
    orgs: MongoOrgs
    issuer: Issuer
    random: RandomBytes

    async def prepare(self, org: Org) -> Org:
        """The organization with its id and its primary domain, each made where it is empty.

        Raises:
            ServiceError: USER-716 for a domain of another organization.
        """
        id = org.id or new_id(self.random)
        domain = org.primary_domain or await self._free_domain(org.name, id)
        org = msgspec.structs.replace(org, id=id, org_id=id, primary_domain=domain)
        await refuse_taken_domain(self.orgs, org)
        return org

    async def plan(self, org: Org) -> Entry[Org]:
        """Plans a new organization. Raises as `prepare`, and what the rules for organizations find."""
        return put_org(None, await self.prepare(org))

    async def __call__(self, org: Org, *, actor: str) -> Org:
        """The organization as it was created. Raises as `plan`; USER-011 for a name that is in use."""
        return await self.commit(await self.plan(org), actor=actor)

    async def _free_domain(self, name: str, id: str) -> str:
        # Names that differ may have the same label; then it is made of the id.
        domain = default_domain(name, id, self.issuer)
        return domain if await self.orgs.find_by_domain(domain) is None else default_domain("", id, self.issuer)


@dataclass(frozen=True, slots=True)
class UpdateOrg(Command):
    """Changes an organization."""

    commit: Commit
    orgs: MongoOrgs

    async def plan(self, before: Org, after: Org) -> Entry[Org]:
        """Plans a change.

        Raises:
            ServiceError: of the rules for organizations; USER-716 for a domain of another one.
        """
        if after.primary_domain != before.primary_domain:
            await refuse_taken_domain(self.orgs, after)
        return put_org(before, after)

    async def __call__(self, before: Org, after: Org, *, actor: str) -> Org:
        """The organization as it was changed. Raises as `plan`; USER-702 when nothing would change, USER-011."""
        return await self.commit.change(await self.plan(before, after), actor=actor)


async def refuse_taken_domain(orgs: MongoOrgs, org: Org) -> None:
    """Raises USER-716 where the primary domain belongs to another organization."""
    holder = await orgs.find_by_domain(org.primary_domain)
    if holder is not None and holder.id != org.id:
        raise at("primaryDomain", DOMAIN_TAKEN.error())


def put_org(before: Org | None, after: Org) -> Entry[Org]:
    """Creates an organization, or changes it. Raises what `problems_of` finds."""
    refuse_first(problems_of(after), "")
    return Entry(ORGS, before, after)
