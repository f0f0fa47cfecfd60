from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass

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
from portico_users.groups.group import Group, MongoGroups
from portico_users.identity_providers.store import MongoIdps
from portico_users.organizations.org import MongoOrgs
from portico_users.projects.project_grants import MongoProjectGrants
from portico_users.projects.store import MongoProjects
from portico_users.service_users.service_user import ServiceUser
from portico_users.storage.entry import NOT_DELETED
from portico_users.trusted_workloads.workload import declared_workloads
from portico_users.values.names import INSTANCE
from portico_users.values.records import State

Roles = tuple[str, ...] | None

_TOKEN_TYPES = {value: name for name, value in ACCESS_TOKEN_TYPES.items()}
_ATTRIBUTES = ("middle_name", "profile_url", "website", "picture", "birthdate", "zoneinfo")


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

    def _is_vouched_for(self, human: EndUser) -> bool:
        """A verified address in a document ends its waiting period (decision 0020); an export must not do that."""
        return human.email_verified and human.recovery_from <= self.clock.now()

    async def end_user_of(self, human: EndUser, roles: Roles, notes: Notes) -> document.EndUser:
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
            idp_links=await self._links(human, notes),
            roles=roles,
            grants=await self._grants(human),
            groups=await self._groups(human),
            state=_state(human),
        )

    async def service_user_of(self, service_user: ServiceUser, roles: Roles, notes: Notes) -> document.ServiceUser:
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
            grants=await self._grants(service_user),
            groups=await self._groups(service_user),
            state=_state(service_user),
        )

    async def _links(self, human: EndUser, notes: Notes) -> tuple[document.IdpLink, ...] | None:
        there = {idp.id for idp in await self.idps.list_by_ids(link.idp_id for link in human.idp_links)}
        return listed(
            document.IdpLink(idp=link.idp_id, user_id=link.user_id, user_name=link.user_name)
            for link in human.idp_links
            if link.idp_id in there
        )

    async def _groups(self, user: AnyUser) -> tuple[str, ...] | None:
        """Omits groups by identity providers, which the next sign-in gives again, and deleted ones."""
        added = [one.id for one in user.groups if one.added]
        there = {group.id for group in await self.groups.list_active(added)}
        return tuple(id for id in added if id in there) or None

    async def groups_of(self, org_id: str) -> tuple[document.Group, ...] | None:
        found = await self.groups.list_where({"orgId": org_id, **NOT_DELETED}, MOST, order=("nameKey",))
        return tuple([await self._group(group) for group in found]) or None

    async def _group(self, group: Group) -> document.Group:
        grants = [
            document.GroupRoles(project=one.project, role_keys=one.role_keys, project_grant=one.project_grant)
            for one in await self._grants(group) or ()
        ]
        return document.Group(
            name=group.name,
            id=group.id,
            description=group.description,
            grants=tuple(grants) or None,
            member_of=group.parents or None,
        )

    async def _grants(self, user: AnyUser | Group) -> tuple[document.RoleGrant, ...] | None:
        grants = []
        for grant in user.grants:
            project = await self.projects.find(grant.project_id)
            granter = await self.orgs.find(grant.org_id)
            if project is None or project.state is State.DELETED or granter is None:
                continue
            known = {role.key for role in project.roles}
            if grant.project_grant_id:
                granted = await self.project_grants.find(grant.project_grant_id)
                known &= set(granted.role_keys if granted else ())
            keys = tuple(key for key in grant.role_keys if key in known)
            if keys:
                organization = "" if grant.org_id == user.org_id else grant.org_id
                grants.append(
                    document.RoleGrant(
                        project=project.id,
                        role_keys=keys,
                        organization=organization,
                        active=grant.active,
                        project_grant=grant.project_grant_id,
                    )
                )
        return tuple(grants) or None


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
