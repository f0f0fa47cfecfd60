from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from portico_contracts.console import OWN_APPLICATIONS
from portico_oauth.errors import ErrorCode, Kind

from portico_users.accounts.account import AnyUser, active_account
from portico_users.accounts.store import ACCOUNTS, MongoAccounts
from portico_users.administrators.member import MEMBERS, Member, MongoMembers
from portico_users.administrators.permissions import INSTANCE_OWNER
from portico_users.journal.command import Command, Commit, repeat_overtaken
from portico_users.organizations.org import ORGS, Org
from portico_users.projects.store import MongoProjects
from portico_users.storage.entry import Entry, VersionGuard
from portico_users.values.records import State, deactivated

LAST_OWNER = ErrorCode(
    "USER-835",
    Kind.FAILED_PRECONDITION,
    "The instance would have no administrator.",
    "Keep an active user with the role IAM_OWNER in an active organization, or add another one.",
)

OF_CONSOLE = ErrorCode(
    "USER-739",
    Kind.FAILED_PRECONDITION,
    "The console and the account page belong to this organization.",
    "Deactivate its users instead. Only a document of the operator (portico apply) can deactivate it.",
)

_ACTIVE: Final = {"state": State.ACTIVE.value}


async def owns_console(org: Org, projects: MongoProjects) -> bool:
    project = await projects.find(OWN_APPLICATIONS)
    return project is not None and project.state is not State.DELETED and project.org_id == org.id


def stays_owner(member: Member, user: AnyUser) -> tuple[VersionGuard, ...]:
    """Of two changes that each take an owner and rely on the other one, the second is refused."""
    return (
        VersionGuard(MEMBERS.name, member.id, {"roles": INSTANCE_OWNER}),
        VersionGuard(ACCOUNTS.name, user.id, _ACTIVE),
        stays_active(user.org_id),
    )


def stays_active(org_id: str) -> VersionGuard:
    return VersionGuard(ORGS.name, org_id, _ACTIVE)


@dataclass(frozen=True, slots=True)
class DeactivateOrg(Command):
    """Deactivates an organization unless instance owners could then not reactivate it: USER-739, USER-835."""

    commit: Commit
    members: MongoMembers
    accounts: MongoAccounts
    projects: MongoProjects

    async def __call__(self, org: Org, *, actor: str) -> Org:
        after = deactivated(org)
        if await owns_console(org, self.projects):
            raise OF_CONSOLE.error(org=org.id)
        # The remaining owner may be taken at the same time.
        return await repeat_overtaken(lambda: self._deactivate(org, after, actor))

    async def _deactivate(self, org: Org, after: Org, actor: str) -> Org:
        owners = await self.members.list_owners()
        if all(owner.org_id != org.id for owner in owners):
            return await self.commit(Entry(ORGS, org, after), actor=actor)
        for owner in owners:
            found = await self.accounts.find_slim(owner.user_id)
            if found and active_account(*found) and found[0].org_id != org.id:
                return await self.commit(Entry(ORGS, org, after, guards=stays_owner(owner, found[0])), actor=actor)
        raise LAST_OWNER.error(org=org.id)
