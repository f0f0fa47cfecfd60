from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass

import msgspec
from portico_oauth.errors import ErrorCode, Kind, ServiceError

from portico_users.accounts.edit_accounts import ALONE, Beside
from portico_users.end_users.changes import put_end_user
from portico_users.end_users.end_user import EndUser, can_authenticate, with_link_roles
from portico_users.end_users.idp_links import LINK_TAKEN, IdpLink, IdpLinks, without_link
from portico_users.groups.edit_groups import PutIntoGroups
from portico_users.groups.memberships import groups_by
from portico_users.identity_providers.store import IDP_NOT_FOUND, MongoIdps
from portico_users.journal.command import Command, Commit
from portico_users.values.names import INSTANCE
from portico_users.values.problems import at

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
class EndLinks(Command):
    put_into: PutIntoGroups

    async def plan(self, human: EndUser, keys: Collection[str]) -> EndUser:
        """Removes linked identities by key, with the groups and roles that they gave."""
        after = human
        for key in keys:
            after = with_link_roles(after, key, human.org_id, frozenset())
        links = tuple(link for link in after.idp_links if link.key not in keys)
        after = msgspec.structs.replace(after, idp_links=links)
        gave_groups = any(groups_by(human.groups, key) for key in keys)
        return await self.put_into.plan(after, after.groups) if gave_groups else after


@dataclass(frozen=True, slots=True)
class RemoveIdpLink(Command):
    end_links: EndLinks
    commit: Commit

    async def __call__(self, human: EndUser, idp_id: str, user_id: str, *, actor: str) -> EndUser:
        """Raises USER-613 for an unknown link, USER-982 if the user could no longer sign in."""
        left = {link.key for link in without_link(human.idp_links, idp_id, user_id)}
        after = await self.end_links.plan(human, {link.key for link in human.idp_links} - left)
        if not can_authenticate(after):
            raise LAST_WAY_IN.error()
        return await self.commit(put_end_user(human, after), actor=actor)
