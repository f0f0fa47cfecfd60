"""Creates an organization with its first member: both, or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from portico_oauth.opaque import RandomBytes

from portico_users.commands.command import Command, Commit
from portico_users.commands.organizations.orgs import AddOrg
from portico_users.commands.people.create_human import CreateHuman
from portico_users.commands.people.new_human import NewHuman, PlannedHuman
from portico_users.directory.members.changes import add_member
from portico_users.directory.members.member import Member
from portico_users.directory.members.roles import Scope
from portico_users.directory.organizations.org import Org
from portico_users.kernel.entry import Entry
from portico_users.kernel.names import new_id
from portico_users.kernel.records import Record

OWNER: Final = "ORG_OWNER"


@dataclass(frozen=True, slots=True)
class SetUpOrg(Command):
    """Sets up an organization in one transaction."""

    commit: Commit
    add_org: AddOrg
    create_human: CreateHuman
    random: RandomBytes

    async def plan_org(self, org: Org) -> Entry[Org]:
        """Plans the organization. Raises as `AddOrg.plan`."""
        return await self.add_org.plan(org)

    async def plan_human(self, org: Entry[Org], human: NewHuman) -> PlannedHuman:
        """Plans the first member. Raises as `CreateHuman.plan`."""
        return await self.create_human.plan(org.after, human)

    async def __call__(
        self, org: Entry[Org], planned: PlannedHuman, roles: Sequence[str], *, actor: str
    ) -> tuple[Record, Record]:
        """The organization and the user.

        Args:
            roles: of the user in the organization; empty for its owner.

        Raises:
            ServiceError: USER-040 for a role that does not exist in organizations, USER-011 for a name that is in use.
        """
        human = await self.create_human.hash_password(planned)
        member = Member(
            id=new_id(self.random),
            org_id=org.after.id,
            user_id=human.after.id,
            scope=Scope.ORGANIZATION,
            scope_id=org.after.id,
            roles=tuple(sorted(set(roles) or {OWNER})),
        )
        record, user, _ = await self.commit.all((org, human, add_member(None, member)), actor=actor)
        return record, user
