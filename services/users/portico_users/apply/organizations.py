"""Plans organizations."""

from __future__ import annotations

import msgspec
from portico_contracts.apply import LoginPolicy, Organization

from portico_users.apply.finding import Stored, Wanted, find_existing
from portico_users.apply.step import Step, Subject, step_of
from portico_users.domain.login_rules import LoginRules
from portico_users.domain.problems import at
from portico_users.journal.journal import NAME_TAKEN
from portico_users.orgs.commands import put_org
from portico_users.orgs.org import Org, default_domain


async def plan_org(stored: Stored, wanted: Organization, path: str) -> tuple[Org, Step]:
    """The organization as it will be, and the step that brings it there.

    Raises:
        Refusal: naming the place, when it may not be so.
    """
    named = await stored.orgs.find_by_name(wanted.name)
    question = Wanted(path, wanted.id, "name", _any, stored.orgs.find, named)
    before = await find_existing(stored.ids, question)
    if before is None:
        id = wanted.id or stored.new_id()
        domain = wanted.primary_domain or default_domain(wanted.name, id, stored.issuer)
        after = Org(id=id, org_id=id, name=wanted.name, primary_domain=domain)
    else:
        domain = wanted.primary_domain or before.primary_domain
        # One that was proven before does not stand beside itself.
        further = tuple(one for one in before.domains if one.name != domain)
        after = msgspec.structs.replace(before, name=wanted.name, primary_domain=domain, domains=further)
    if wanted.login_policy is not None:
        after = msgspec.structs.replace(after, login_rules=rules_of(wanted.login_policy, after.login_rules))
    if wanted.mail_link_hosts is not None:
        after = msgspec.structs.replace(after, mail_link_hosts=wanted.mail_link_hosts)
    holder = await stored.orgs.find_by_domain(domain)
    if holder is not None and holder.id != after.id:
        raise at(f"{path}.primaryDomain", NAME_TAKEN.refusal())
    return after, step_of(Subject("organization", path, after.name), put_org(before, after, path=path))


def rules_of(wanted: LoginPolicy, stored: LoginRules) -> LoginRules:
    """A login policy of the document: exactly what it says; what it leaves out is somebody else's to say.

    Args:
        stored: keeps the identity providers it offers.
    """
    return msgspec.structs.replace(stored, may_register=wanted.may_register, verified_mail=wanted.verified_mail)


def _any(_org: Org) -> bool:
    return True
