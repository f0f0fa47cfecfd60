"""The membership."""

from __future__ import annotations

from typing import NamedTuple

from portico_users.directory.members.roles import Scope
from portico_users.kernel.records import Record


class Member(Record, frozen=True, kw_only=True):
    """The roles of one user in one scope; the resource owner is its organization, in the instance that of the user.

    That of a project grant is the organization the project is granted to.

    Attributes:
        scope_id: id of the organization, the project or the project grant, or ``instance``.
        roles: names from `ROLES`, sorted.
    """

    user_id: str
    scope: Scope
    scope_id: str
    roles: tuple[str, ...]


class MemberScope(NamedTuple):
    """Where members have their roles.

    Attributes:
        id: of the organization, project or project grant, or of the instance.
        org_id: the organization it belongs to; empty for the instance.
    """

    kind: Scope
    id: str
    org_id: str = ""
