"""Who calls, and what they may do where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from portico_users.directory.members.member import Member
from portico_users.directory.members.permissions import Permission, Scope, permissions_of
from portico_users.directory.organizations.org import Org

_NONE: Final[frozenset[Permission]] = frozenset()


@dataclass(frozen=True, slots=True)
class SignedIn:
    """The sign-in of a person that an access token came from.

    Args:
        client_id: the application.
        at: when it was, in unix seconds.
        session_id: of its session; empty where that is not known.
    """

    client_id: str
    at: int
    session_id: str = ""


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated user.

    Args:
        org_id: the organization the user belongs to.
        everywhere: what they may do in every organization, and with the instance.
        by_org: what they may do in single organizations besides.
        by_project: and in single projects and project grants, by the ids of organization and project or grant. The
            organization of a grant is the one the project is granted to.
        org: the organization, as it was read with the user; None where only the rights matter.
        signed_in: None for service users, and for tokens of a person's own making.
    """

    user_id: str
    org_id: str
    everywhere: frozenset[Permission]
    by_org: Mapping[str, frozenset[Permission]]
    by_project: Mapping[tuple[str, str], frozenset[Permission]] = field(default_factory=dict)
    org: Org | None = None
    signed_in: SignedIn | None = None

    @property
    def session_id(self) -> str:
        """The session their token came from; empty for a service user."""
        return self.signed_in.session_id if self.signed_in else ""

    def may(self, permission: Permission, org_id: str, project_id: str = "") -> bool:
        """They hold the permission for objects of an organization, or for those of one of its projects."""
        return permission in self._held(org_id) or permission in self.by_project.get((org_id, project_id), _NONE)

    def knows(self, org_id: str, project_id: str = "") -> bool:
        """The organization is their own, or one they have any role in: that it exists is no secret from them."""
        known = org_id == self.org_id or org_id in self.by_org or (org_id, project_id) in self.by_project
        return known or bool(self.everywhere)

    def covers(self, other: Caller) -> bool:
        """They may do everything the other one may: acting as the other gives them no further right."""
        if not other.everywhere <= self.everywhere:
            return False
        return all(permissions <= self._held(org_id) for org_id, permissions in other.by_org.items()) and all(
            permissions <= self._held(place[0]) | self.by_project.get(place, _NONE)
            for place, permissions in other.by_project.items()
        )

    def orgs_where(self, permission: Permission) -> tuple[str, ...]:
        """The single organizations they hold a permission for."""
        return tuple(org_id for org_id, permissions in self.by_org.items() if permission in permissions)

    def _held(self, org_id: str) -> frozenset[Permission]:
        return self.everywhere | self.by_org.get(org_id, _NONE)


def caller_of(
    user_id: str,
    org_id: str,
    memberships: Iterable[Member],
    *,
    org: Org | None = None,
    signed_in: SignedIn | None = None,
) -> Caller:
    """The caller with everything their memberships allow."""
    everywhere: frozenset[Permission] = frozenset()
    by_org: dict[str, frozenset[Permission]] = {}
    by_project: dict[tuple[str, str], frozenset[Permission]] = {}
    for member in memberships:
        if not member.roles:  # taken away
            continue
        permissions = permissions_of(*member.roles)
        match member.scope:
            case Scope.INSTANCE:
                everywhere |= permissions
            case Scope.ORGANIZATION:
                by_org[member.scope_id] = permissions
            case Scope.PROJECT | Scope.PROJECT_GRANT:
                by_project[member.org_id, member.scope_id] = permissions
    return Caller(user_id, org_id, everywhere, by_org, by_project, org, signed_in)
