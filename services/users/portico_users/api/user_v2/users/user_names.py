"""User names that look like the login names of another organization."""

from __future__ import annotations

from portico_oauth.errors import ErrorCode, Kind

from portico_users.api.transport.needs import Needs
from portico_users.kernel.problems import at

FOREIGN_DOMAIN = ErrorCode(
    "USER-864",
    Kind.INVALID_REQUEST,
    "This user name ends in the domain of another organization.",
    "Use a name without a domain, or one that ends in a domain of the own organization.",
)


async def refuse_foreign_name(needs: Needs, user_name: str, org_id: str, place: str) -> None:
    """Returns for a name that cannot be taken for the login name of somebody else's user.

    Raises:
        ServiceError: USER-864, naming the place, for one that ends in the primary domain of another organization, or in one
            it has proven to be its own.
    """
    _, at_sign, domain = user_name.rpartition("@")
    if not at_sign or not domain:
        return
    owner = await needs.orgs.find_by_domain(domain)
    if owner is not None and owner.id != org_id:
        raise at(place, FOREIGN_DOMAIN.error())
