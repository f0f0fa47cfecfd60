"""Organizations: added, changed, set up with their first user; and their domains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import msgspec
from portico_oauth.errors import ServiceError
from portico_oauth.opaque import RandomBytes

from portico_users.administrators.changes import add_member
from portico_users.administrators.member import Member
from portico_users.administrators.permissions import Scope
from portico_users.end_users.create_end_user import CreateEndUser
from portico_users.end_users.new_end_user import NewEndUser, PlannedEndUser
from portico_users.journal.command import Command, Commit
from portico_users.organizations.domains import (
    DOMAIN_TAKEN,
    Domain,
    Domains,
    DomainVerification,
    Proof,
    load_unverified,
    swapped,
    with_domain,
    with_new_domain,
    without_domain,
)
from portico_users.organizations.org import ORGS, MongoOrgs, Org, default_domain, keeping_former, problems_of
from portico_users.storage.entry import Entry
from portico_users.values.names import INVALID_DOMAIN, is_domain, new_id
from portico_users.values.operator_settings import Issuer
from portico_users.values.problems import at, refuse_first
from portico_users.values.records import Record


@dataclass(frozen=True, slots=True)
class AddOrg(Command):
    commit: Commit
    orgs: MongoOrgs
    issuer: Issuer
    random: RandomBytes

    async def prepare(self, org: Org) -> Org:
        """Fills in an empty id and primary domain. Raises USER-716 for a domain of another organization."""
        id = org.id or new_id(self.random)
        domain = org.primary_domain or await self._free_domain(org.name, id)
        org = msgspec.structs.replace(org, id=id, org_id=id, primary_domain=domain)
        await refuse_taken_domain(self.orgs, org)
        return org

    async def plan(self, org: Org) -> Entry[Org]:
        return put_org(None, await self.prepare(org))

    async def __call__(self, org: Org, *, actor: str) -> Org:
        return await self.commit(await self.plan(org), actor=actor)

    async def _free_domain(self, name: str, id: str) -> str:
        # Different names may give the same label; then derive the domain from the id.
        domain = default_domain(name, id, self.issuer)
        return domain if await self.orgs.find_by_domain(domain) is None else default_domain("", id, self.issuer)


@dataclass(frozen=True, slots=True)
class UpdateOrg(Command):
    commit: Commit
    orgs: MongoOrgs

    async def plan(self, before: Org, after: Org) -> Entry[Org]:
        if after.primary_domain != before.primary_domain:
            await refuse_taken_domain(self.orgs, after)
        return put_org(before, after)

    async def __call__(self, before: Org, after: Org, *, actor: str) -> Org:
        return await self.commit.change(await self.plan(before, after), actor=actor)


async def refuse_taken_domain(orgs: MongoOrgs, org: Org) -> None:
    holder = await orgs.find_by_domain(org.primary_domain)
    if holder is not None and holder.id != org.id:
        raise at("primaryDomain", DOMAIN_TAKEN.error())


def put_org(before: Org | None, after: Org) -> Entry[Org]:
    refuse_first(problems_of(after))
    return Entry(ORGS, before, keeping_former(before, after) if before else after)


@dataclass(frozen=True, slots=True)
class OrgDomains(Command):
    commit: Commit
    verification: DomainVerification
    random: RandomBytes

    def plan(self, org: Org, wanted: Sequence[Domain], *, exact: bool = False) -> Domains:
        domains, named = org.domains, set[str]()
        for number, one in enumerate(wanted):
            place = f"domains[{number}].name"
            if not is_domain(one.name):
                raise at(place, INVALID_DOMAIN.error())
            if one.name in named or one.name not in (org.primary_domain, *(domain.name for domain in domains)):
                try:
                    domains = with_new_domain(domains, org.primary_domain, one.name)
                except ServiceError as error:
                    raise at(place, error) from None
            if one.verified:
                domains = with_domain(domains, one)
            named.add(one.name)
        return tuple(domain for domain in domains if domain.name in named) if exact else domains

    async def add(self, org: Org, name: str, *, actor: str) -> Org:
        return await self._replace(org, with_new_domain(org.domains, org.primary_domain, name), actor)

    async def remove(self, org: Org, name: str, *, actor: str) -> Org:
        return await self._replace(org, without_domain(org.domains, org.primary_domain, name), actor)

    async def generate(self, org: Org, name: str, proof: Proof, *, actor: str) -> Domain:
        domain = load_unverified(org.domains, org.primary_domain, name)
        wanted = msgspec.structs.replace(domain, proof=proof, challenge=new_id(self.random))
        await self._replace(org, with_domain(org.domains, wanted), actor)
        return wanted

    async def verify(self, org: Org, name: str, *, actor: str) -> Org:
        domain = load_unverified(org.domains, org.primary_domain, name)
        await self.verification.require(domain)
        return await self._replace(org, with_domain(org.domains, Domain(name=domain.name, verified=True)), actor)

    async def set_primary(self, org: Org, name: str, *, actor: str) -> Org:
        """Makes the domain the suffix of login names. Raises USER-717, USER-718, USER-719."""
        after = msgspec.structs.replace(org, primary_domain=name)
        return await self._replace(after, swapped(org.domains, org.primary_domain, name), actor, before=org)

    async def _replace(self, org: Org, domains: Domains, actor: str, *, before: Org | None = None) -> Org:
        return await self.commit(put_org(before or org, msgspec.structs.replace(org, domains=domains)), actor=actor)


OWNER: Final = "ORG_OWNER"


@dataclass(frozen=True, slots=True)
class SetUpOrg(Command):
    """Creates an organization with its first member in one transaction."""

    commit: Commit
    add_org: AddOrg
    create_human: CreateEndUser
    random: RandomBytes

    async def plan_org(self, org: Org) -> Entry[Org]:
        return await self.add_org.plan(org)

    async def plan_end_user(self, org: Entry[Org], human: NewEndUser) -> PlannedEndUser:
        return await self.create_human.plan(org.after, human)

    async def __call__(
        self, org: Entry[Org], planned: PlannedEndUser, roles: Sequence[str], *, actor: str
    ) -> tuple[Record, Record]:
        human = await self.create_human.hash_password(planned)
        member = Member(
            id=new_id(self.random),
            org_id=org.after.id,
            user_id=human.after.id,
            scope=Scope.ORGANIZATION,
            scope_id=org.after.id,
            roles=tuple(sorted(set(roles) or {OWNER})),
        )
        record, user, _ = await self.commit.all((org, human, add_member(None, member)), actor=actor)
        return record, user
