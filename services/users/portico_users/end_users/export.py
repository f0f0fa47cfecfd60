from __future__ import annotations

import asyncio
import base64
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec
from portico_contracts import apply as document
from portico_contracts.apply import DpopName
from portico_runtime.process.clock import Clock

from portico_users.accounts.account import AnyUser, factors_of
from portico_users.administrators.member import MongoMembers
from portico_users.applications.app_record import ACCESS_TOKEN_TYPES
from portico_users.applications.export import keys_of
from portico_users.documents.written import MOST, Notes, listed
from portico_users.end_users.end_user import EndUser, default_display_name, metadata_value
from portico_users.grants.role_grants import RoleGrant
from portico_users.groups.group import Group, MongoGroups
from portico_users.identity_providers.store import MongoIdps
from portico_users.organizations.org import MongoOrgs
from portico_users.projects.project import Project
from portico_users.projects.project_grants import MongoProjectGrants, ProjectGrant
from portico_users.projects.store import MongoProjects
from portico_users.service_users.service_user import ServiceUser
from portico_users.storage.entry import NOT_DELETED
from portico_users.trusted_workloads.workload import declared_workloads
from portico_users.values.names import INSTANCE
from portico_users.values.records import State

Roles = tuple[str, ...] | None
Granted = AnyUser | Group

_TOKEN_TYPES = {value: name for name, value in ACCESS_TOKEN_TYPES.items()}
_ATTRIBUTES = ("middle_name", "profile_url", "website", "picture", "birthdate", "zoneinfo")


@dataclass(frozen=True, slots=True)
class Named:
    """What users or groups name, read for all of them at once; `orgs`, `groups` and `idps` are the ids that are known."""

    projects: Mapping[str, Project]
    project_grants: Mapping[str, ProjectGrant]
    orgs: Collection[str]
    groups: Collection[str] = ()
    idps: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class EndUserExport:
    members: MongoMembers
    clock: Clock
    idps: MongoIdps
    projects: MongoProjects
    orgs: MongoOrgs
    project_grants: MongoProjectGrants
    groups: MongoGroups

    async def roles_of(self, users: Sequence[AnyUser]) -> dict[str, Roles]:
        question = {"userId": {"$in": [user.id for user in users]}, **NOT_DELETED}
        found = await self.members.list_where(question, MOST) if users else []
        memberships = sorted(found, key=lambda member: member.scope.value)
        return {
            user.id: listed(
                role
                for member in memberships
                if member.user_id == user.id and member.scope_id in (INSTANCE, user.org_id)
                for role in member.roles
            )
            for user in users
        }

    async def named_by(self, users: Sequence[AnyUser]) -> Named:
        """Without groups by identity providers, which the next sign-in gives again, and deleted ones."""
        links = (link.idp_id for user in users if isinstance(user, EndUser) for link in user.idp_links)
        named, groups, idps = await asyncio.gather(
            self._granted_by(users),
            self.groups.list_active(one.id for user in users for one in user.groups if one.added),
            self.idps.list_by_ids(links),
        )
        return replace(named, groups={group.id for group in groups}, idps={idp.id for idp in idps})

    async def _granted_by(self, granted: Sequence[Granted]) -> Named:
        grants = [grant for one in granted for grant in one.grants]
        own = {one.org_id for one in granted}
        projects, project_grants, orgs = await asyncio.gather(
            self.projects.map_ids(grant.project_id for grant in grants),
            self.project_grants.map_ids(grant.project_grant_id for grant in grants if grant.project_grant_id),
            self.orgs.map_ids({grant.org_id for grant in grants} - own),
        )
        return Named(projects=projects, project_grants=project_grants, orgs={*own, *orgs})

    def _is_vouched_for(self, human: EndUser) -> bool:
        """A verified address in a document ends its waiting period (decision 0020); an export must not do that."""
        return human.email_verified and human.recovery_from <= self.clock.now()

    def end_user_of(self, human: EndUser, roles: Roles, named: Named, notes: Notes) -> document.EndUser:
        if human.has_password:
            notes.add(human.id, "The password is not exported.")
        if factors_of(human):
            notes.add(human.id, "Second factors and passkeys are not exported.")
        texts, binary = _metadata(human)
        return document.EndUser(
            id=human.id,
            username=human.user_name,
            profile=_profile(human),
            email=document.Email(email=human.email, is_verified=self._is_vouched_for(human)),
            phone=document.Phone(phone=human.phone, is_verified=human.phone_verified) if human.phone else None,
            attributes=_attributes(human),
            metadata=texts or None,
            binary_metadata=binary or None,
            idp_links=_links(human, named),
            roles=roles,
            grants=_grants(human, named),
            groups=_groups(human, named),
            state=_state(human),
        )

    def service_user_of(
        self, service_user: ServiceUser, roles: Roles, named: Named, notes: Notes
    ) -> document.ServiceUser:
        if service_user.secret_hash:
            notes.add(service_user.id, "The secret is not exported.")
        if service_user.personal_tokens:
            notes.add(service_user.id, "Personal access tokens are not exported. Create new ones.")
        return document.ServiceUser(
            id=service_user.id,
            username=service_user.user_name,
            name=service_user.name,
            description=service_user.description,
            access_token_type=_TOKEN_TYPES[service_user.access_token_type],
            access_token_alg=service_user.access_token_alg,
            dpop=DpopName(service_user.dpop.value),
            keys=keys_of(service_user.id, service_user.keys, self.clock.now(), notes),
            trusted_workloads=declared_workloads(service_user.trusted_workloads),
            roles=roles,
            grants=_grants(service_user, named),
            groups=_groups(service_user, named),
            state=_state(service_user),
        )

    async def groups_of(self, org_id: str) -> tuple[document.Group, ...] | None:
        found = await self.groups.list_where({"orgId": org_id, **NOT_DELETED}, MOST, order=("nameKey",))
        named = await self._granted_by(found)
        return listed(_group(group, named) for group in found)


def _links(human: EndUser, named: Named) -> tuple[document.IdpLink, ...] | None:
    return listed(
        document.IdpLink(idp=link.idp_id, user_id=link.user_id, user_name=link.user_name)
        for link in human.idp_links
        if link.idp_id in named.idps
    )


def _groups(user: AnyUser, named: Named) -> tuple[str, ...] | None:
    return listed(one.id for one in user.groups if one.added and one.id in named.groups)


def _group(group: Group, named: Named) -> document.Group:
    return document.Group(
        name=group.name,
        id=group.id,
        description=group.description,
        grants=listed(
            document.GroupRoles(project=one.project, role_keys=one.role_keys, project_grant=one.project_grant)
            for one in _grants(group, named) or ()
        ),
        member_of=group.parents or None,
    )


def _grants(granted: Granted, named: Named) -> tuple[document.RoleGrant, ...] | None:
    return listed(one for grant in granted.grants if (one := _grant(granted, grant, named)))


def _grant(granted: Granted, grant: RoleGrant, named: Named) -> document.RoleGrant | None:
    """None without a role that still exists."""
    project = named.projects.get(grant.project_id)
    if project is None or project.state is State.DELETED or grant.org_id not in named.orgs:
        return None
    known = {role.key for role in project.roles}
    if grant.project_grant_id:
        through = named.project_grants.get(grant.project_grant_id)
        known &= set(through.role_keys if through else ())
    keys = tuple(key for key in grant.role_keys if key in known)
    if not keys:
        return None
    return document.RoleGrant(
        project=project.id,
        role_keys=keys,
        organization="" if grant.org_id == granted.org_id else grant.org_id,
        active=grant.active,
        project_grant=grant.project_grant_id,
    )


def _profile(human: EndUser) -> document.Profile:
    is_default = human.display_name == default_display_name(human.first_name, human.last_name)
    return document.Profile(
        first_name=human.first_name,
        last_name=human.last_name,
        nick_name=human.nick_name,
        display_name="" if is_default else human.display_name,
        preferred_language=human.preferred_language,
        gender=human.gender,
    )


def _attributes(human: EndUser) -> document.Attributes | None:
    values = {name: getattr(human, name) for name in _ATTRIBUTES}
    if human.address is None and not any(values.values()):
        return None
    address = document.Address(**msgspec.structs.asdict(human.address)) if human.address else None
    return document.Attributes(**values, address=address)


def _metadata(human: EndUser) -> tuple[dict[str, str], dict[str, str]]:
    """The values that are text, and the others in base64."""
    texts, binary = {}, {}
    for entry in human.metadata:
        value = metadata_value(entry)
        try:
            texts[entry.key] = value.decode()
        except UnicodeDecodeError:
            binary[entry.key] = base64.b64encode(value).decode()
    return texts, binary


def _state(user: AnyUser) -> document.UserState | None:
    return None if user.state is State.ACTIVE else document.UserState(user.state.value)
