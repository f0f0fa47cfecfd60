from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from portico_contracts.subjects import Secret

Id = Annotated[str, Meta(min_length=1, max_length=200)]
Name = Annotated[str, Meta(min_length=1, max_length=200)]
Text = Annotated[str, Meta(max_length=200)]
SecretText = Annotated[Secret, Meta(min_length=1, max_length=200)]


class DeclaredObject(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    def __repr__(self) -> str:
        """Omits values: documents contain passwords and secrets."""
        return f"{type(self).__name__}(...)"


class Key(DeclaredObject, frozen=True):
    """A public key (PEM); ``id`` is the kid, ``expirationDate`` is RFC 3339."""

    public_key: Annotated[str, Meta(min_length=1, max_length=8_000)]
    id: Id | None = None
    expiration_date: Text = ""


class Member(DeclaredObject, frozen=True):
    """Roles of a user in the instance, an organization or a project; ``user`` is an id or a user name."""

    user: Name
    roles: tuple[str, ...]
