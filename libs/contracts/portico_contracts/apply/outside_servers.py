from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from portico_contracts.apply.parts import DeclaredObject, Id, Name
from portico_contracts.apply.vocabulary import OutsidePeopleName

_Address = Annotated[str, Meta(min_length=1, max_length=2_000)]
_Scope = Annotated[str, Meta(min_length=1, max_length=200)]


class OutsideApplication(DeclaredObject, frozen=True):
    """An application by its client id. ``outsideClientId``, its client id at the server, defaults to the same."""

    client_id: Name
    outside_client_id: Annotated[str, Meta(max_length=500)] = ""


class OutsideRole(DeclaredObject, frozen=True):
    """Users with a role of a project."""

    project_id: Name
    role_key: Name


class OutsideServer(DeclaredObject, frozen=True):
    """An outside authorization server, and who gets assertions for it. Omitted lists are empty.

    ``people`` is ``selected`` for the members of ``groups`` (ids or names) and those with one of ``roles``, or
    ``organization`` for all users.
    """

    name: Name
    issuer: _Address
    applications: Annotated[tuple[OutsideApplication, ...], Meta(min_length=1, max_length=100)]
    resources: Annotated[tuple[_Address, ...], Meta(min_length=1, max_length=50)]
    id: Id | None = None
    scopes: Annotated[tuple[_Scope, ...], Meta(max_length=100)] = ()
    people: OutsidePeopleName = OutsidePeopleName.SELECTED
    groups: Annotated[tuple[Name, ...], Meta(max_length=50)] = ()
    roles: Annotated[tuple[OutsideRole, ...], Meta(max_length=50)] = ()
    sends_email: bool = False
