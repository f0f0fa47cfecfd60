from __future__ import annotations

from portico_contracts.apply.parts import DeclaredObject, Id, Name


class ScimConnection(DeclaredObject, frozen=True):
    """A directory that sends users and groups by SCIM. Its first secret is generated and shown once."""

    name: Name
    id: Id | None = None
    provisions_users: bool | None = None
    """Whether the directory may send users. Default of a new connection: it may."""
    provisions_groups: bool | None = None
    """Whether the directory may send groups. Default of a new connection: it may."""
    deletes: bool | None = None
    """Whether DELETE deletes the account. Default of a new connection: it deactivates the account."""
