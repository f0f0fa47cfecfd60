from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import msgspec
from portico_oauth.errors import ErrorCode, Kind, ServiceError

from portico_users.commands.accounts import ALONE, Beside
from portico_users.commands.command import Command, Commit
from portico_users.commands.groups import PutIntoGroups
from portico_users.kernel.names import INSTANCE
from portico_users.kernel.problems import at
from portico_users.resources.end_users.changes import put_end_user
from portico_users.resources.end_users.end_user import EndUser, can_authenticate, with_link_roles
from portico_users.resources.end_users.idp_links import LINK_TAKEN, IdpLink, IdpLinks, without_link
from portico_users.resources.groups.memberships import groups_by
from portico_users.resources.identity_providers.store import IDP_NOT_FOUND, MongoIdps

LAST_WAY_IN = ErrorCode(
    "USER-982",
    Kind.FAILED_PRECONDITION,
    "Without this linked identity the user could not sign in.",
    "Have the user set a password or register a passkey first.",
)


@dataclass(frozen=True, slots=True)
class UsableLinks(Command):
    idps: MongoIdps

    async def problems(self, org_id: str, links: IdpLinks, beside: Beside = ALONE) -> AsyncIterator[ServiceError]:
        """Yields USER-318 for each provider that is unknown or that the organization may not use."""
        for number, link in enumerate(links):
            planned = beside.idps.get(link.idp_id)
            usable = (
                planned.org_id in (org_id, INSTANCE) if planned else await self.idps.find_usable(link.idp_id, org_id)
            )
            if not usable:
                yield at(f"idpLinks[{number}].idpId", IDP_NOT_FOUND.error())


@dataclass(frozen=True, slots=True)
class AddIdpLink(Command):
    usable: UsableLinks
    commit: Commit

    async def __call__(self, human: EndUser, link: IdpLink, *, actor: str) -> EndUser:
        async for problem in self.usable.problems(human.org_id, (link,)):
            raise problem
        if link.key in {one.key for one in human.idp_links}:
            raise LINK_TAKEN.error()
        after = msgspec.structs.replace(human, idp_links=(*human.idp_links, link))
        return await self.commit(put_end_user(human, after), actor=actor)


@dataclass(frozen=True, slots=True)
class RemoveIdpLink(Command):
    put_into: PutIntoGroups
    commit: Commit

    async def __call__(self, human: EndUser, idp_id: str, user_id: str, *, actor: str) -> EndUser:
        """Raises USER-613 for an unknown link, USER-982 if the user could no longer sign in."""
        links = without_link(human.idp_links, idp_id, user_id)
        key = next(link.key for link in human.idp_links if link not in links)
        bare = with_link_roles(human, key, human.org_id, frozenset())
        after = msgspec.structs.replace(bare, idp_links=links)
        if not can_authenticate(after):
            raise LAST_WAY_IN.error()
        if groups_by(human.groups, key):
            after = await self.put_into.plan(after, after.groups)
        return await self.commit(put_end_user(human, after), actor=actor)
