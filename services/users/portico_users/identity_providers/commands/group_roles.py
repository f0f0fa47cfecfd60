from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec
import structlog
from portico_contracts.users import VerifiedIdentity
from portico_oauth.errors import ServiceError

from portico_users.accounts.account import Account
from portico_users.accounts.store import MongoAccounts
from portico_users.end_users.changes import put_end_user
from portico_users.end_users.end_user import EndUser, GivenRole, with_link_roles
from portico_users.groups.edit_groups import PutIntoGroups
from portico_users.groups.inherited import TOO_MANY_GROUPS
from portico_users.groups.memberships import groups_by, with_linked
from portico_users.identity_providers.endings import Ending, Endings, without_ended
from portico_users.identity_providers.federation.offered import OfferedProviders
from portico_users.identity_providers.idp import Idp
from portico_users.journal.command import Command, Commit, repeat_overtaken
from portico_users.projects.store import MongoProjects
from portico_users.values.problems import CHANGED_MEANWHILE
from portico_users.values.records import State

log = structlog.get_logger("portico.federation")


@dataclass(frozen=True, slots=True)
class GroupRoles(Command):
    projects: MongoProjects
    accounts: MongoAccounts
    put_into: PutIntoGroups
    offered: OfferedProviders
    endings: Endings
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

    async def follow(
        self,
        idp: Idp,
        account: Account,
        identity: VerifiedIdentity,
        link_key: str,
        endings: Sequence[Ending] | None = None,
    ) -> Account:
        """Gives exactly the roles and groups of the provider's groups, or fails: sign-in must not continue with others.

        `endings` of the provider were read after the account; without them they are read here.
        """
        wanted, groups = await self.wanted(idp, identity), wanted_groups(idp, identity)
        read = account.user
        endings = await self.endings.list_of((idp.id,)) if endings is None else endings
        if not endings and isinstance(read, EndUser) and _follows(read, link_key, idp.org_id, wanted, groups):
            return account

        async def give() -> Account:
            found = await self.accounts.find_whole(account.user.id)
            human = found[0] if found else None
            if not isinstance(human, EndUser):
                return account
            if all(link.key != link_key for link in human.idp_links):
                # Unlinked since the link was read: no later sign-in or removal would end what is given now.
                raise CHANGED_MEANWHILE.error(id=human.id)
            after = with_link_roles(without_ended(human, endings), link_key, idp.org_id, wanted)
            after = await self._in_groups(after, link_key, groups)
            after = given_by(after, link_key, idp) if endings else after
            if after != human:
                entry = replace(put_end_user(human, after), side_writes=(self.offered.same(idp),))
                human = await self.commit(entry, actor=idp.id)
            return Account(human, account.org)

        return await repeat_overtaken(give)

    async def _in_groups(self, human: EndUser, link_key: str, wanted: frozenset[str]) -> EndUser:
        """A user in too many groups gets no further ones, but leaves the others in any case."""
        held = groups_by(human.groups, link_key)
        if held == wanted:
            return human
        try:
            return await self.put_into.plan(human, with_linked(human.groups, link_key, wanted))
        except ServiceError as error:
            if error.id != TOO_MANY_GROUPS.id:
                raise
            log.warning("group mapping without room", user_id=human.id, error_code=error.id)
            return await self.put_into.plan(human, with_linked(human.groups, link_key, wanted & held))


def given_by(human: EndUser, link_key: str, idp: Idp) -> EndUser:
    """What the link gives is what the provider gives now, also what it had ended before."""
    links = tuple(
        msgspec.structs.replace(link, given_by=idp.sequence) if link.key == link_key else link
        for link in human.idp_links
    )
    return msgspec.structs.replace(human, idp_links=links)


def wanted_groups(idp: Idp, identity: VerifiedIdentity) -> frozenset[str]:
    if idp.of_instance:
        return frozenset()
    return frozenset(line.group_id for line in idp.tables.memberships if line.group in identity.groups)


def _follows(human: EndUser, link_key: str, org_id: str, roles: frozenset[GivenRole], groups: frozenset[str]) -> bool:
    return groups_by(human.groups, link_key) == groups and with_link_roles(human, link_key, org_id, roles) == human
