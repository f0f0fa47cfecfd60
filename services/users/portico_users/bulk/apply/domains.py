"""Plans the further domains of an organization; for those that are verified the operator vouches."""

from __future__ import annotations

from collections.abc import Sequence

from portico_contracts import apply as document
from portico_oauth.errors import ServiceError

from portico_users.directory.organizations.domains import Domain, Domains, with_domain, with_new_domain
from portico_users.kernel.names import INVALID_DOMAIN, is_domain
from portico_users.kernel.problems import at


def plan_domains(
    before: Domains, primary: str, wanted: Sequence[document.Domain], path: str, *, exact: bool
) -> Domains:
    """The domains the organization will have.

    Args:
        path: place of the organization in the document.
        exact: those it does not name go.

    Raises:
        ServiceError: USER-004, USER-715, USER-722 with the place.
    """
    domains = before
    named: set[str] = set()
    for number, one in enumerate(wanted):
        place = f"{path}.domains[{number}]"
        if not is_domain(one.name):
            raise at(f"{place}.name", INVALID_DOMAIN.error())
        if one.name in named or all(domain.name != one.name for domain in domains):
            try:
                domains = with_new_domain(domains, primary, one.name)
            except ServiceError as error:
                raise at(f"{place}.name", error) from None
        if one.is_verified:
            domains = with_domain(domains, Domain(name=one.name, verified=True))
        named.add(one.name)
    return tuple(domain for domain in domains if domain.name in named) if exact else domains
