from __future__ import annotations

from dataclasses import dataclass

import msgspec
from portico_contracts import apply as document
from portico_oauth.scopes import is_word

from portico_users.documents.finding import Wanted, find_existing
from portico_users.documents.plan import Plan, PlannedOrg
from portico_users.documents.step import Subject, step_of
from portico_users.identity_providers.document import IdpPlanner
from portico_users.organizations.domains import DOMAIN_TAKEN, Domain
from portico_users.organizations.edit_organizations import AddOrg, OrgDomains, UpdateOrg
from portico_users.organizations.org import MongoOrgs, Org, domain_keys
from portico_users.policies.document import LoginRulesPlanner, policies_of
from portico_users.storage.schema import IdSpace
from portico_users.values.names import INVALID_ORG_ID
from portico_users.values.problems import at, below
from portico_users.values.records import State


@dataclass(frozen=True, slots=True)
class OrgPlanner:
    login_rules_planner: LoginRulesPlanner
    idp_planner: IdpPlanner
    orgs: MongoOrgs
    ids: IdSpace
    add_org: AddOrg
    update_org: UpdateOrg
    org_domains: OrgDomains

    async def plan_org(self, plan: Plan, wanted: document.Organization, path: str) -> PlannedOrg:
        named = await self.orgs.find_by_name(wanted.name)
        question = Wanted(path, wanted.id, "name", _any, self.orgs.find, named)
        before = await find_existing(self.ids, question)
        if before and plan.keeps(before):
            wanted = msgspec.structs.replace(wanted, name=before.name, primary_domain="")
        with below(path):
            after = self._with_domains(plan, before or await self._new(plan, wanted, path), wanted)
        # Login policies refer to identity providers by name, so plan these first.
        inner = await self.idp_planner.plan_idps(plan, after.id, wanted, path)
        rules = await self.login_rules_planner.login_rules_of(plan, wanted, after.login_rules, after.id, path)
        after = msgspec.structs.replace(after, login_rules=rules, policies=policies_of(wanted, after.policies, path))
        if wanted.mail_link_hosts is not None:
            after = msgspec.structs.replace(after, mail_link_hosts=wanted.mail_link_hosts)
        if wanted.state is not None:
            after = msgspec.structs.replace(after, state=State(wanted.state.value))
        with below(path):
            if before is None:
                entry = await self.add_org.plan(after)
            else:
                entry = await self.update_org.plan(before, after)
        _refuse_domain_of_another(plan, after, path)
        await self._refuse_stored_domain(plan, before, after, path)
        step = step_of(Subject("organization", path, after.name), entry)
        home = PlannedOrg(after, wanted, path)
        plan.orgs.append(home)
        plan.add(after, step)
        for idp, idp_step in inner:
            plan.add(idp, idp_step)
        return home

    async def _new(self, plan: Plan, wanted: document.Organization, path: str) -> Org:
        if wanted.id and not is_word(wanted.id):
            raise at("id", INVALID_ORG_ID.error())
        id, domain = wanted.id or await plan.new_id(path), wanted.primary_domain or ""
        return await self.add_org.prepare(Org(id=id, org_id=id, name=wanted.name, primary_domain=domain))

    def _with_domains(self, plan: Plan, org: Org, wanted: document.Organization) -> Org:
        domain = wanted.primary_domain or org.primary_domain
        # A domain that was verified before is not listed again as a further domain.
        further = tuple(one for one in org.domains if one.name != domain)
        org = msgspec.structs.replace(org, name=wanted.name, primary_domain=domain, domains=further)
        if wanted.domains is None:
            return org
        domains = [Domain(name=one.name, verified=one.is_verified) for one in wanted.domains]
        return msgspec.structs.replace(org, domains=self.org_domains.plan(org, domains, exact=plan.prune))

    async def _refuse_stored_domain(self, plan: Plan, before: Org | None, after: Org, path: str) -> None:
        """Refuses further domains of organizations that are not changed before; commands check the primary one."""
        known = domain_keys(before) if before else ()
        for domain in domain_keys(after)[1:]:
            holder = None if domain in known else await self.orgs.find_by_domain(domain)
            if plan.leaves(holder, after.id):
                raise at(f"{path}.domains", DOMAIN_TAKEN.error())


def _refuse_domain_of_another(plan: Plan, org: Org, path: str) -> None:
    primary, *further = domain_keys(org)
    if primary in plan.domains:
        raise at(f"{path}.primaryDomain", DOMAIN_TAKEN.error())
    if not plan.domains.isdisjoint(further):
        raise at(f"{path}.domains", DOMAIN_TAKEN.error())
    plan.domains.update((primary, *further))


def _any(org: Org) -> bool:
    return org.state is not State.DELETED
