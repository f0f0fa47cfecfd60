"""Tables of an identity provider: what its groups, its other claims and its methods mean here."""

from __future__ import annotations

import msgspec


class GroupRoles(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Roles of a project that people of a group are granted, for as long as they are in it."""

    group: str
    project_id: str
    role_keys: tuple[str, ...]


class MetadataClaim(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A claim, with dots into objects, that is stored as metadata of the user."""

    claim: str
    key: str


class TrustedMethod(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What a method of the provider (a value of its ``amr``, RFC 8176) counts as here."""

    value: str
    methods: tuple[str, ...]


class ClaimTables(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """All of them; each is empty unless an administrator marked the provider by filling it.

    Attributes:
        groups_claim: the claim that lists the groups, with dots into objects.
    """

    groups_claim: str = ""
    groups: tuple[GroupRoles, ...] = ()
    metadata: tuple[MetadataClaim, ...] = ()
    amr: tuple[TrustedMethod, ...] = ()

    def without_trust(self) -> ClaimTables:
        """What stays when another issuer is configured: it gives no roles and no methods until that is stated again."""
        return ClaimTables(metadata=self.metadata)
