"""Groups of a provider that put users into a group, set by those who may fill the group (decision 0098)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from portico_oauth.errors import ErrorCode, Kind

from portico_users.groups.group import Group
from portico_users.identity_providers.claim_tables import MappedGroup
from portico_users.identity_providers.edit_providers import UpdateIdp
from portico_users.identity_providers.idp import Idp
from portico_users.identity_providers.rules import GROUPS_OF_INSTANCE
from portico_users.identity_providers.store import IDP_NOT_FOUND, IDPS, MongoIdps
from portico_users.journal.command import Command, Commit
from portico_users.storage.entry import Entry
from portico_users.values.problems import at

OTHER_CLAIM = ErrorCode(
    "USER-112",
    Kind.FAILED_PRECONDITION,
    "Other groups of this provider are mapped with another claim.",
    "Leave the claim empty to use the same, or remove the other mappings first.",
)
NO_MAPPING = ErrorCode(
    "USER-113",
    Kind.NOT_FOUND,
    "No groups of this provider are mapped to this group.",
    "List the mappings of the group.",
)


@dataclass(frozen=True, slots=True)
class MapGroup(Command):
    idps: MongoIdps
    update: UpdateIdp
    commit: Commit

    async def set(self, group: Group, idp_id: str, claim: str, provider_groups: Sequence[str], *, actor: str) -> Idp:
        idp = await self._find(group, idp_id)
        others = idp.tables.without_group(group.id)
        if others.groups_claim and claim not in ("", others.groups_claim):
            raise at("claim", OTHER_CLAIM.error())
        lines = tuple(MappedGroup(group=one, group_id=group.id) for one in provider_groups)
        return await self._change(idp, claim or idp.tables.groups_claim, (*others.memberships, *lines), actor)

    async def remove(self, group: Group, idp_id: str, *, actor: str) -> Idp:
        """Ends the memberships that the mapping gave; raises USER-113 without one."""
        idp = await self._find(group, idp_id)
        left = idp.tables.without_group(group.id)
        if left == idp.tables:
            raise NO_MAPPING.error()
        return await self._change(idp, left.groups_claim, left.memberships, actor)

    async def _change(self, idp: Idp, claim: str, memberships: tuple[MappedGroup, ...], actor: str) -> Idp:
        entry = self.update.plan_groups(Entry(IDPS, idp, idp), claim, idp.tables.groups, memberships)
        return await self.commit.change(entry, actor=actor)

    async def _find(self, group: Group, idp_id: str) -> Idp:
        idp = await self.idps.find_usable(idp_id, group.org_id)
        if idp is None:
            raise at("idpId", IDP_NOT_FOUND.error())
        if idp.of_instance:
            raise at("idpId", GROUPS_OF_INSTANCE.error())
        return idp
