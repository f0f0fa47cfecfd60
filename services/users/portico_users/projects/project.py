"""The project."""

from __future__ import annotations

from portico_users.domain.records import Record


class Project(Record, frozen=True, kw_only=True):
    """A project of an organization.

    Attributes:
        role_assertion: tokens for it carry the roles of the user.
    """

    name: str
    project_role_assertion: bool = False
