"""What an organization must be like."""

from __future__ import annotations

from portico_oauth.errors import Fact, Kind

from portico_users.domain import login_rules, policies
from portico_users.domain.names import DOMAIN_REFUSED, NAME_REFUSED, is_domain, is_name
from portico_users.domain.problems import Problem, Problems
from portico_users.orgs.org import Org

HOST_REFUSED = Fact(
    "USER-409", Kind.MALFORMED, "This is not a host name.", "Write it in lower case, without scheme, port and path."
)


def problems_of(org: Org) -> Problems:
    """Everything wrong with it, by the members of the document."""
    if not is_name(org.name):
        yield Problem("name", NAME_REFUSED)
    if not is_domain(org.primary_domain):
        yield Problem("primaryDomain", DOMAIN_REFUSED)
    for number, host in enumerate(org.mail_link_hosts):
        if not is_domain(host):
            yield Problem(f"mailLinkHosts[{number}]", HOST_REFUSED)
    yield from login_rules.problems_of(org.login_rules)
    yield from policies.problems_of(org.policies)
