"""The organization."""

from __future__ import annotations

from urllib.parse import urlsplit

from portico_users.directory.organizations.domains import Domain
from portico_users.directory.policies.login_rules import LoginRules
from portico_users.directory.policies.policies import Policies
from portico_users.kernel.names import slug
from portico_users.kernel.records import Record


class Org(Record, frozen=True, kw_only=True):
    """An organization; it owns itself.

    Attributes:
        primary_domain: what its users' login names end with; unique.
        login_rules: what it demands at sign-in.
        mail_link_hosts: where links in emails may lead; empty for anywhere (HH-06).
        policies: what else it demands and shows.
        domains: further ones, proven or not.
    """

    name: str
    primary_domain: str
    login_rules: LoginRules = LoginRules()
    mail_link_hosts: tuple[str, ...] = ()
    policies: Policies = Policies()
    domains: tuple[Domain, ...] = ()


def default_domain(name: str, id: str, issuer: str) -> str:
    """The primary domain where none is given: a label for the name below the issuer's host."""
    return f"{slug(name) or slug(id) or 'org'}.{urlsplit(issuer).hostname}"
