"""The organization a new user belongs to, where a request names one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from portico_oauth.errors import ErrorCode, Kind

from portico_users.commands.command import Command
from portico_users.directory.organizations.org import Org
from portico_users.directory.organizations.rules import ORG_NOT_FOUND
from portico_users.directory.organizations.store import MongoOrgs
from portico_users.kernel.names import MAX_LENGTH
from portico_users.kernel.records import State

ORGS_DIFFER = ErrorCode(
    "USER-316",
    Kind.INVALID_REQUEST,
    "The id and the domain belong to different organizations.",
    "Name the organization by either its id or its domain.",
)


def _knows_all(_org_id: str) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class UserOrgs(Command):
    """Finds active organizations for new users."""

    orgs: MongoOrgs

    async def find_named(self, org_id: str, domain: str = "", *, knows: Callable[[str], bool] = _knows_all) -> Org:
        """The organization of an id, of a domain or of both; empty for what is not given.

        Args:
            knows: whether the caller may learn that an organization exists, by its id.

        Raises:
            ServiceError: USER-314 for an unknown one, USER-316 for two different ones the caller may know of.
        """
        found = []
        if org_id:
            found.append(await self.orgs.find(org_id[: MAX_LENGTH + 1]))
        if domain:
            found.append(await self.orgs.find_by_domain(domain))
        org = found[0]
        if org is None or org.state is not State.ACTIVE or None in found:
            raise ORG_NOT_FOUND.error()
        if any(other is not None and other.id != org.id for other in found):
            raise (ORGS_DIFFER if all(one and knows(one.id) for one in found) else ORG_NOT_FOUND).error()
        return org
