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
    """A public key (PEM) for assertions of a client or service user; ``id`` is the kid.

    ``algorithm`` must fit the key: RS256 for RSA (2048 bits or more), ES256 for P-256, EdDSA for Ed25519.
    ``expirationDate`` is RFC 3339; a key without one does not expire.
    """

    public_key: Annotated[str, Meta(min_length=1, max_length=8_000)]
    id: Id | None = None
    expiration_date: Text = ""


class Member(DeclaredObject, frozen=True):
    """Roles of a user in the instance, an organization or a project; ``user`` is an id or a user name."""

    user: Name
    roles: tuple[str, ...]
