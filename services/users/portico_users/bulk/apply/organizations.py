"""Plans organizations with their identity providers."""

from __future__ import annotations

import msgspec
from portico_contracts import apply as document

from portico_users.bulk.apply.domains import plan_domains
from portico_users.bulk.apply.finding import Wanted, find_existing
from portico_users.bulk.apply.idps import plan_idps
from portico_users.bulk.apply.plan import Plan, PlannedOrg
from portico_users.bulk.apply.policies import login_rules_of, policies_of
from portico_users.bulk.apply.step import Subject, step_of
from portico_users.directory.organizations.changes import put_org
from portico_users.directory.organizations.org import Org, default_domain
from portico_users.kernel.journal import NAME_TAKEN
from portico_users.kernel.problems import at
from portico_users.kernel.records import State


async def plan_org(plan: Plan, wanted: document.Organization, path: str) -> PlannedOrg:
    """The organization as it will be; its step and those of its identity providers are added.

    Raises:
        ServiceError: naming the place, when it may not be so.
    """
    stored = plan.stored
    named = await stored.orgs.find_by_name(wanted.name)
    question = Wanted(path, wanted.id, "name", _any, stored.orgs.find, named)
    before = await find_existing(stored.ids, question)
    after = await _with_domains(plan, before or await _new(plan, wanted, path), wanted, path)
    # They offer identity providers by name: which those are has to be known before.
    inner = await plan_idps(plan, after.id, wanted, path)
    rules = await login_rules_of(plan, wanted, after.login_rules, after.id, path)
    after = msgspec.structs.replace(after, login_rules=rules, policies=policies_of(wanted, after.policies, path))
    if wanted.mail_link_hosts is not None:
        after = msgspec.structs.replace(after, mail_link_hosts=wanted.mail_link_hosts)
    if wanted.state is not None:
        after = msgspec.structs.replace(after, state=State(wanted.state.value))
    step = step_of(Subject("organization", path, after.name), put_org(before, after, path=path))
    home = PlannedOrg(after, wanted, path)
    plan.orgs.append(home)
    plan.add(after, step)
    for idp, idp_step in inner:
        plan.add(idp, idp_step)
    return home


async def _new(plan: Plan, wanted: document.Organization, path: str) -> Org:
    id = wanted.id or await plan.new_id(path)
    domain = wanted.primary_domain or default_domain(wanted.name, id, plan.stored.issuer)
    return Org(id=id, org_id=id, name=wanted.name, primary_domain=domain)


async def _with_domains(plan: Plan, org: Org, wanted: document.Organization, path: str) -> Org:
    domain = wanted.primary_domain or org.primary_domain
    # One that was proven before does not stand beside itself.
    further = tuple(one for one in org.domains if one.name != domain)
    if wanted.domains is not None:
        further = plan_domains(further, domain, wanted.domains, path, exact=plan.prune)
    holder = await plan.stored.orgs.find_by_domain(domain)
    if holder is not None and holder.id != org.id:
        raise at(f"{path}.primaryDomain", NAME_TAKEN.error())
    return msgspec.structs.replace(org, name=wanted.name, primary_domain=domain, domains=further)


def _any(org: Org) -> bool:
    return org.state is not State.DELETED
