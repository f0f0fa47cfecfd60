from __future__ import annotations

from dataclasses import dataclass

import structlog
from portico_contracts.users import VerifiedIdentity

from portico_users.commands.command import Command, Commit, repeat_overtaken
from portico_users.kernel.records import State
from portico_users.resources.accounts.account import Account
from portico_users.resources.accounts.store import MongoAccounts
from portico_users.resources.end_users.changes import put_end_user
from portico_users.resources.end_users.end_user import EndUser, GivenRole, with_link_roles
from portico_users.resources.identity_providers.idp import Idp
from portico_users.resources.projects.store import MongoProjects

log = structlog.get_logger("portico.federation")


@dataclass(frozen=True, slots=True)
class GroupRoles(Command):
    projects: MongoProjects
    accounts: MongoAccounts
    commit: Commit

    async def wanted(self, idp: Idp, identity: VerifiedIdentity) -> frozenset[GivenRole]:
        roles: set[GivenRole] = set()
        for line in idp.tables.groups:
            if idp.of_instance or line.group not in identity.groups:
                continue
            project = await self.projects.find(line.project_id)
            if project is None or project.org_id != idp.org_id or project.state is not State.ACTIVE:
                log.warning("group mapping without an existing role", idp_id=idp.id, project=line.project_id)
                continue
            known = {role.key for role in project.roles}
            roles |= {(line.project_id, key) for key in line.role_keys if key in known}
        return frozenset(roles)

    async def follow(self, idp: Idp, account: Account, identity: VerifiedIdentity, link_key: str) -> Account:
        """Gives exactly the roles of the groups, or fails: sign-in must not continue with roles to be removed."""
        wanted = await self.wanted(idp, identity)
        read = account.user
        if isinstance(read, EndUser) and with_link_roles(read, link_key, idp.org_id, wanted) == read:
            return account

        async def give() -> Account:
            found = await self.accounts.find_whole(account.user.id)
            human = found[0] if found else None
            if not isinstance(human, EndUser):
                return account
            after = with_link_roles(human, link_key, idp.org_id, wanted)
            if after != human:
                human = await self.commit(put_end_user(human, after), actor=idp.id)
            return Account(human, account.org)

        return await repeat_overtaken(give)
