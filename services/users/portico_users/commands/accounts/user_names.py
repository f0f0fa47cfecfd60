"""User names: which look like the login names of another organization, and giving a user another one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import msgspec
from portico_oauth.errors import ErrorCode, Kind

from portico_users.commands.command import Command, Commit
from portico_users.directory.accounts.account import AnyUser
from portico_users.directory.identity_providers.idp import Idp
from portico_users.directory.organizations.org import Org
from portico_users.directory.organizations.store import MongoOrgs
from portico_users.directory.people.changes import put_human
from portico_users.directory.people.human import Human
from portico_users.directory.service_users.changes import put_service_user
from portico_users.kernel.names import canonical
from portico_users.kernel.problems import at

FOREIGN_DOMAIN = ErrorCode(
    "USER-864",
    Kind.INVALID_REQUEST,
    "This user name ends in the domain of another organization.",
    "Use a name without a domain, or one that ends in a domain of your organization.",
)


@dataclass(frozen=True, slots=True)
class Beside:
    """Records by id that are committed before the change and are not stored yet."""

    orgs: Mapping[str, Org] = field(default_factory=dict)
    idps: Mapping[str, Idp] = field(default_factory=dict)


ALONE: Final = Beside()


@dataclass(frozen=True, slots=True)
class UserNames(Command):
    """Checks user names against the domains of organizations."""

    orgs: MongoOrgs

    async def is_foreign(self, user_name: str, org_id: str, beside: Beside = ALONE) -> bool:
        """The name ends in the primary or a verified domain of another organization."""
        _, _, domain = user_name.rpartition("@")
        if domain in ("", user_name):
            return False
        owner = next((org for org in beside.orgs.values() if _has_domain(org, domain)), None)
        if owner is None:
            stored = await self.orgs.find_by_domain(domain)
            owner = None if stored is None or stored.id in beside.orgs else stored
        return owner is not None and owner.id != org_id

    async def refuse_foreign(self, user_name: str, org_id: str, place: str, beside: Beside = ALONE) -> None:
        """Returns for a name that cannot be taken for the login name of another organization's user.

        Raises:
            ServiceError: USER-864, naming the place.
        """
        if await self.is_foreign(user_name, org_id, beside):
            raise at(place, FOREIGN_DOMAIN.error())


@dataclass(frozen=True, slots=True)
class RenameUser(Command):
    """Changes the user name."""

    user_names: UserNames
    commit: Commit

    async def __call__(self, user: AnyUser, user_name: str, *, actor: str) -> AnyUser:
        """The renamed user.

        Raises:
            ServiceError: USER-003, USER-864 for a name that is not allowed, USER-011 for one that is taken, USER-702 for the
                one it has.
        """
        await self.user_names.refuse_foreign(user_name, user.org_id, "username")
        if isinstance(user, Human):
            human = put_human(user, msgspec.structs.replace(user, user_name=user_name))
            return await self.commit.change(human, actor=actor)
        service_user = put_service_user(user, msgspec.structs.replace(user, user_name=user_name))
        return await self.commit.change(service_user, actor=actor)


def _has_domain(org: Org, domain: str) -> bool:
    verified = (one.name for one in org.domains if one.verified)
    return canonical(domain) in {canonical(name) for name in (org.primary_domain, *verified)}
