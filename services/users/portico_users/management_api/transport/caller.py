from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from portico_users.administrators.member import Member
from portico_users.administrators.permissions import Permission, Scope, permissions_of
from portico_users.organizations.org import Org

_NONE: Final[frozenset[Permission]] = frozenset()


@dataclass(frozen=True, slots=True)
class SignedIn:
    """The sign-in from which an access token was issued; ``at`` and ``session_began`` are in unix seconds."""

    client_id: str
    at: int
    session_id: str = ""
    session_began: int = 0


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated user; ``by_org`` and ``by_project`` are permissions in addition to ``everywhere``."""

    user_id: str
    org_id: str
    everywhere: frozenset[Permission]
    by_org: Mapping[str, frozenset[Permission]]
    by_project: Mapping[tuple[str, str], frozenset[Permission]] = field(default_factory=dict)
    org: Org | None = None
    signed_in: SignedIn | None = None

    @property
    def session_id(self) -> str:
        return self.signed_in.session_id if self.signed_in else ""

    @property
    def session_began(self) -> int:
        """Zero without a session; of a session from an older release, its last authentication."""
        return (self.signed_in.session_began or self.signed_in.at) if self.signed_in else 0

    def may(self, permission: Permission, org_id: str, project_id: str = "") -> bool:
        return permission in self._held(org_id) or permission in self.by_project.get((org_id, project_id), _NONE)

    def knows(self, org_id: str, project_id: str = "") -> bool:
        """Reports whether the caller belongs to the organization or has a role there: it may know of it."""
        known = org_id == self.org_id or org_id in self.by_org or (org_id, project_id) in self.by_project
        return known or bool(self.everywhere)

    def covers(self, other: Caller) -> bool:
        """Reports whether acting as the other would give the caller no new permission."""
        if not other.everywhere <= self.everywhere:
            return False
        return all(permissions <= self._held(org_id) for org_id, permissions in other.by_org.items()) and all(
            permissions <= self._held(place[0]) | self.by_project.get(place, _NONE)
            for place, permissions in other.by_project.items()
        )

    def with_permission(self, permission: Permission) -> Caller:
        """Returns the caller with a further permission in its own organization."""
        held = self.by_org.get(self.org_id, _NONE) | {permission}
        return replace(self, by_org={**self.by_org, self.org_id: held})

    def orgs_where(self, permission: Permission) -> tuple[str, ...]:
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
