"""What an organization must be like."""

from __future__ import annotations

from portico_oauth.errors import ErrorCode, Kind

from portico_users.directory.organizations.org import Org
from portico_users.directory.policies import login_rules, policies
from portico_users.kernel.names import INVALID_DOMAIN, INVALID_NAME, is_domain, is_name
from portico_users.kernel.problems import Problem, Problems

INVALID_HOST = ErrorCode(
    "USER-409",
    Kind.INVALID_REQUEST,
    "Invalid host name.",
    "Use lower case, without scheme, port and path.",
)

ORG_NOT_FOUND = ErrorCode("USER-314", Kind.NOT_FOUND, "Organization not found.", "Check the id of the organization.")


def problems_of(org: Org) -> Problems:
    """Everything wrong with it, by the members of the document."""
    if not is_name(org.name):
        yield Problem("name", INVALID_NAME)
    if not is_domain(org.primary_domain):
        yield Problem("primaryDomain", INVALID_DOMAIN)
    for number, host in enumerate(org.mail_link_hosts):
        if not is_domain(host):
            yield Problem(f"mailLinkHosts[{number}]", INVALID_HOST)
    yield from login_rules.problems_of(org.login_rules)
    yield from policies.problems_of(org.policies)
