"""References of an export whose parts were read one after the other: what they name is in the same document.

An organization is read before its users. What was added meanwhile is left out with what names it, as if the users had
been read then, too; who was deleted meanwhile is not a member any longer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from msgspec.structs import replace
from portico_contracts.apply import Document, EndUser, Organization, Project, RoleGrant, ServiceUser
from portico_contracts.apply.parts import Member

Members = Collection[tuple[str, str]]
"""The id of a project or of a grant of one, empty for the organization, and that of a user."""


@dataclass(frozen=True, slots=True)
class Known:
    """What users of an organization can name of it; `roles` are keys by the id of the project."""

    roles: Mapping[str, Collection[str]]
    groups: Collection[str]
    idps: Collection[str]

    @classmethod
    def of(cls, organization: Organization, instance: Document) -> Known:
        projects = organization.projects or ()
        return cls(
            roles={one.id or "": {role.role_key for role in one.roles or ()} for one in projects},
            groups={one.id or "" for one in organization.groups or ()},
            idps={*_idps_of(organization), *_idps_of(instance)},
        )

    def end_user(self, user: EndUser) -> EndUser:
        links = tuple(one for one in user.idp_links or () if one.idp in self.idps)
        return replace(
            user, idp_links=links or None, grants=self._grants(user.grants), groups=self._groups(user.groups)
        )

    def service_user(self, user: ServiceUser) -> ServiceUser:
        return replace(user, grants=self._grants(user.grants), groups=self._groups(user.groups))

    def _groups(self, named: tuple[str, ...] | None) -> tuple[str, ...] | None:
        return tuple(one for one in named or () if one in self.groups) or None

    def _grants(self, grants: tuple[RoleGrant, ...] | None) -> tuple[RoleGrant, ...] | None:
        return tuple(one for grant in grants or () if (one := self._grant(grant)).role_keys) or None

    def _grant(self, grant: RoleGrant) -> RoleGrant:
        """Projects of other organizations are in other parts, or in no part of the export."""
        if grant.organization or grant.project_grant:
            return grant
        known = self.roles.get(grant.project, ())
        return replace(grant, role_keys=tuple(key for key in grant.role_keys if key in known))


def members_of(organization: Organization) -> Members:
    return {(place, member.user) for place, members in _places(organization) for member in members}


def with_members(organization: Organization, still: Members) -> Organization:
    """The organization without members that are not among those of a later time."""

    def left(place: str, members: tuple[Member, ...] | None) -> tuple[Member, ...] | None:
        return tuple(one for one in members or () if (place, one.user) in still) or None

    def project_with(project: Project) -> Project:
        grants = tuple(replace(one, members=left(one.id or "", one.members)) for one in project.grants or ())
        return replace(project, members=left(project.id or "", project.members), grants=grants or None)

    return replace(
        organization,
        members=left("", organization.members),
        projects=tuple(map(project_with, organization.projects or ())) or None,
    )


def _places(organization: Organization) -> Iterator[tuple[str, tuple[Member, ...]]]:
    yield "", organization.members or ()
    for project in organization.projects or ():
        yield project.id or "", project.members or ()
        for grant in project.grants or ():
            yield grant.id or "", grant.members or ()


def _idps_of(owner: Organization | Document) -> Iterator[str]:
    for idps in (owner.jwt_idps, owner.oidc_idps, owner.oauth2_idps, owner.ldap_idps):
        for one in idps or ():
            yield one.id or ""
