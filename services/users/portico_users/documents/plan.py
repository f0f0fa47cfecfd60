from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from portico_contracts import apply as document
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.opaque import RandomBytes

from portico_users.accounts.account import AnyUser
from portico_users.accounts.edit_accounts import Beside
from portico_users.accounts.store import MongoAccounts
from portico_users.documents.step import Step, Subject
from portico_users.groups.group import Group, MongoGroups, is_there
from portico_users.identity_providers.idp import Idp
from portico_users.identity_providers.store import MongoIdps
from portico_users.organizations.org import MongoOrgs, Org
from portico_users.projects.project import Project
from portico_users.projects.project_grants import ProjectGrant
from portico_users.projects.store import MongoProjects
from portico_users.storage.entry import Entry
from portico_users.storage.schema import IdSpace
from portico_users.values.names import canonical, derived_id, new_id
from portico_users.values.records import Record, State

USER_AMBIGUOUS: Final = ErrorCode(
    "USER-842",
    Kind.INVALID_REQUEST,
    "This is the id of one user and the user name of another.",
    "Use the id of the user you mean. If this is that id, rename the other user.",
)


@dataclass(frozen=True, slots=True)
class PlannedProject:
    project: Project
    wanted: document.Project
    path: str


@dataclass(frozen=True, slots=True)
class PlannedGrant:
    grant: ProjectGrant
    wanted: document.ProjectGrant
    path: str


@dataclass(frozen=True, slots=True)
class PlannedOrg:
    org: Org
    wanted: document.Organization
    path: str
    projects: list[PlannedProject] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PlannedGroups:
    subject: Subject
    entry: Entry[Idp]
    wanted: document.ProviderGroups


@dataclass(frozen=True, slots=True)
class Stores:
    ids: IdSpace
    orgs: MongoOrgs
    projects: MongoProjects
    groups: MongoGroups
    idps: MongoIdps
    accounts: MongoAccounts
    random: RandomBytes


@dataclass(frozen=True, slots=True)
class Plan:
    """One run.

    ``user_ids`` are the ids of ``users`` by name, ``held`` the memberships in the document, ``kept`` the ids of all its objects, ``domains`` and ``linked`` the
    domains and identities that its organizations and users have. ``declared_groups`` are as the document wants them,
    ``new_groups`` as they are when users are written. ``changed_groups`` are written after users, with changes of
    providers that end rights of users.
    """

    stores: Stores
    prune: bool
    id_seed: str = ""
    keeps_settings: bool = False
    steps: list[Step] = field(default_factory=list)
    orgs: list[PlannedOrg] = field(default_factory=list)
    idps: list[Idp] = field(default_factory=list)
    users: dict[str, AnyUser] = field(default_factory=dict)
    user_ids: dict[str, str] = field(default_factory=dict)
    declared_groups: dict[str, Group] = field(default_factory=dict)
    new_groups: dict[str, Group] = field(default_factory=dict)
    changed_groups: list[Step] = field(default_factory=list)
    held: set[tuple[str, str]] = field(default_factory=set)
    kept: set[str] = field(default_factory=set)
    domains: set[str] = field(default_factory=set)
    linked: set[str] = field(default_factory=set)
    groups: list[PlannedGroups] = field(default_factory=list)
    grants: list[PlannedGrant] = field(default_factory=list)
    narrowed_grants: list[Step] = field(default_factory=list)
    narrowed_projects: list[Step] = field(default_factory=list)

    def keeps(self, before: Record | None) -> bool:
        """Reports whether the document changes an object only in what it may omit."""
        return self.keeps_settings and before is not None

    def add(self, record: Record, step: Step) -> None:
        self.kept.add(record.id)
        self.steps.append(step)

    def add_user(self, user: AnyUser, step: Step) -> None:
        self.users[user.id] = user
        self.user_ids[canonical(user.user_name)] = user.id
        self.add(user, step)

    def leaves(self, holder: Record | None, id: str = "") -> bool:
        """Reports whether an object other than ``id`` keeps what it has: the document has not changed it before."""
        return holder is not None and holder.id != id and holder.id not in self.kept

    @property
    def beside(self) -> Beside:
        """Returns the records that are committed before the users of the document."""
        return Beside({home.org.id: home.org for home in self.orgs}, {idp.id: idp for idp in self.idps})

    async def new_id(self, place: str) -> str:
        """Returns an id for a new object: with a seed, always the same for a path until that id is used."""
        if not self.id_seed:
            return new_id(self.stores.random)
        attempt = 0
        while not await self.stores.ids.is_free(id := derived_id(self.id_seed, place, attempt)):
            attempt += 1
        return id

    async def find_org(self, named: str) -> Org | None:
        """Finds an organization by id or else by name, as planned."""
        planned = {one.org.id: one.org for one in self.orgs}
        if found := planned.get(named) or await self.stores.orgs.find(named):
            return found
        by_name = {canonical(org.name): org for org in planned.values()}
        if found := by_name.get(canonical(named)):
            return found
        stored = await self.stores.orgs.find_by_name(named)
        # Planned organizations were already compared by their new names.
        return None if stored is None or stored.id in planned else stored

    async def find_project(self, org: Org, named: str) -> Project | None:
        planned = {one.project.id: one.project for home in self.orgs if home.org.id == org.id for one in home.projects}
        if found := planned.get(named):
            return found
        stored = await self.stores.projects.find(named)
        if stored is not None and stored.org_id == org.id:
            return stored
        by_name = {canonical(project.name): project for project in planned.values()}
        if found := by_name.get(canonical(named)):
            return found
        stored = await self.stores.projects.find_by_name(org.id, named)
        return None if stored is None or stored.id in planned else stored

    async def find_group(self, org: Org, named: str) -> Group | None:
        planned = {id: group for id, group in self.declared_groups.items() if group.org_id == org.id}
        if found := planned.get(named):
            return found
        stored = await self.stores.groups.find(named)
        if stored is not None and is_there(stored, org.id):
            return stored
        by_name = {canonical(group.name): group for group in planned.values()}
        if found := by_name.get(canonical(named)):
            return found
        stored = await self.stores.groups.find_by_name(org.id, named)
        return None if stored is None or stored.id in planned else stored

    async def find_idp(self, owners: tuple[str, ...], named: str) -> Idp | None:
        planned = {idp.id: idp for idp in self.idps if idp.org_id in owners}
        if found := planned.get(named):
            return found
        for owner in owners:
            if stored := await self.stores.idps.find_owned(named, owner):
                return stored
        for owner in owners:
            of_owner = {canonical(idp.name): idp for idp in planned.values() if idp.org_id == owner}
            if found := of_owner.get(canonical(named)):
                return found
            stored = await self.stores.idps.find_by_name(owner, named)
            if stored is not None and stored.id not in planned:
                return stored
        return None

    async def find_user(self, named: str) -> AnyUser | None:
        """Finds a user by id or by name, as planned. Raises USER-842 if one user has the id and another the name.

        Administrators of every organization choose ids and names: neither may hide the other.
        """
        by_id, by_name = await self.find_user_by_id(named), await self._find_user_by_name(named)
        if by_id is None or by_id.state is State.DELETED:
            return by_name
        if by_name is not None and by_name.id != by_id.id:
            raise USER_AMBIGUOUS.error()
        return by_id

    async def find_user_by_id(self, id: str) -> AnyUser | None:
        return self.users.get(id) or await self.stores.accounts.find(id)

    async def _find_user_by_name(self, name: str) -> AnyUser | None:
        if id := self.user_ids.get(canonical(name)):
            return self.users[id]
        stored = await self.stores.accounts.find_by_name(name)
        return None if stored is None or stored.id in self.users else stored
