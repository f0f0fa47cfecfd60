from __future__ import annotations

import msgspec


class GroupRoles(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Project roles that users have while they are in a group."""

    group: str
    project_id: str
    role_keys: tuple[str, ...]


class MappedGroup(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A group of the provider whose members are put into a group of the organization."""

    group: str
    group_id: str


class MetadataClaim(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A claim stored as user metadata; dots select members of objects."""

    claim: str
    key: str


class TrustedMethod(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The local equivalent of a provider's authentication method (``amr`` value, RFC 8176)."""

    value: str
    methods: tuple[str, ...]


class ClaimTables(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """Mappings an administrator fills, and thereby trusts the provider; dots in ``groups_claim`` select members."""

    groups_claim: str = ""
    groups: tuple[GroupRoles, ...] = ()
    memberships: tuple[MappedGroup, ...] = ()
    metadata: tuple[MetadataClaim, ...] = ()
    amr: tuple[TrustedMethod, ...] = ()

    @property
    def group_names(self) -> set[str]:
        return {line.group for line in self.groups} | {line.group for line in self.memberships}

    def without_group(self, id: str) -> ClaimTables:
        """Removes the mappings to a group, and with the last mapping the claim."""
        left = tuple(line for line in self.memberships if line.group_id != id)
        claim = self.groups_claim if left or self.groups else ""
        return msgspec.structs.replace(self, memberships=left, groups_claim=claim)

    def without_trust(self) -> ClaimTables:
        """Removes role, group and method mappings, which another issuer must not inherit."""
        return ClaimTables(metadata=self.metadata)
