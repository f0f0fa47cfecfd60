"""The project grant."""

from __future__ import annotations

from portico_users.kernel.records import Record


class ProjectGrant(Record, frozen=True, kw_only=True):
    """Lets an organization give its users roles of a project that belongs to another one, the grant's owner.

    Attributes:
        granted_org_id: who may give them.
        role_keys: of the project, sorted; without any the organization may only use the project.
    """

    project_id: str
    granted_org_id: str
    role_keys: tuple[str, ...] = ()
