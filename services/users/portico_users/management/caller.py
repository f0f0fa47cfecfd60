"""Who calls, and what they may do where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from portico_users.domain.permissions import Permission, permissions_of
from portico_users.domain.roles import Scope
from portico_users.members.member import Member


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated user.

    Args:
        org_id: the organization the user belongs to.
        everywhere: what they may do in every organization, and with the instance.
        by_org: what they may do in single organizations besides.
    """

    user_id: str
    org_id: str
    everywhere: frozenset[Permission]
    by_org: Mapping[str, frozenset[Permission]]

    def may(self, permission: Permission, org_id: str) -> bool:
        """They hold the permission for objects of an organization."""
        return permission in self.everywhere or permission in self.by_org.get(org_id, frozenset())

    def knows(self, org_id: str) -> bool:
        """The organization is their own, or one they have any role in: that it exists is no secret from them."""
        return org_id == self.org_id or org_id in self.by_org or bool(self.everywhere)

    def orgs_where(self, permission: Permission) -> tuple[str, ...]:
        """The single organizations they hold a permission for."""
        return tuple(org_id for org_id, permissions in self.by_org.items() if permission in permissions)


def caller_of(user_id: str, org_id: str, memberships: Iterable[Member]) -> Caller:
    """The caller with everything their memberships allow."""
    everywhere: frozenset[Permission] = frozenset()
    by_org: dict[str, frozenset[Permission]] = {}
    for member in memberships:
        permissions = permissions_of(*member.roles)
        if member.scope is Scope.INSTANCE:
            everywhere |= permissions
        else:
            by_org[member.scope_id] = by_org.get(member.scope_id, frozenset()) | permissions
    return Caller(user_id, org_id, everywhere, by_org)
