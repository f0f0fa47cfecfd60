"""Plans organizations with their identity providers."""

from __future__ import annotations

import msgspec
from portico_contracts import apply as document

from portico_users.bulk.apply.finding import Wanted, find_existing
from portico_users.bulk.apply.idps import plan_idps
from portico_users.bulk.apply.plan import Plan, PlannedOrg
from portico_users.bulk.apply.policies import login_rules_of, policies_of
from portico_users.bulk.apply.step import Subject, step_of
from portico_users.directory.organizations.domains import Domain
from portico_users.directory.organizations.org import Org
from portico_users.kernel.problems import below
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
    with below(path):
        after = _with_domains(plan, before or await _new(plan, wanted, path), wanted)
    # They offer identity providers by name: which those are has to be known before.
    inner = await plan_idps(plan, after.id, wanted, path)
    rules = await login_rules_of(plan, wanted, after.login_rules, after.id, path)
    after = msgspec.structs.replace(after, login_rules=rules, policies=policies_of(wanted, after.policies, path))
    if wanted.mail_link_hosts is not None:
        after = msgspec.structs.replace(after, mail_link_hosts=wanted.mail_link_hosts)
    if wanted.state is not None:
        after = msgspec.structs.replace(after, state=State(wanted.state.value))
    with below(path):
        if before is None:
            entry = await plan.commands.add_org.plan(after)
        else:
            entry = await plan.commands.update_org.plan(before, after)
    step = step_of(Subject("organization", path, after.name), entry)
    home = PlannedOrg(after, wanted, path)
    plan.orgs.append(home)
    plan.add(after, step)
    for idp, idp_step in inner:
        plan.add(idp, idp_step)
    return home


async def _new(plan: Plan, wanted: document.Organization, path: str) -> Org:
    id, domain = wanted.id or await plan.new_id(path), wanted.primary_domain or ""
    return await plan.commands.add_org.prepare(Org(id=id, org_id=id, name=wanted.name, primary_domain=domain))


def _with_domains(plan: Plan, org: Org, wanted: document.Organization) -> Org:
    domain = wanted.primary_domain or org.primary_domain
    # One that was verified before does not stand beside itself.
    further = tuple(one for one in org.domains if one.name != domain)
    org = msgspec.structs.replace(org, name=wanted.name, primary_domain=domain, domains=further)
    if wanted.domains is None:
        return org
    domains = [Domain(name=one.name, verified=one.is_verified) for one in wanted.domains]
    return msgspec.structs.replace(org, domains=plan.commands.org_domains.plan(org, domains, exact=plan.prune))


def _any(org: Org) -> bool:
    return org.state is not State.DELETED
