"""The configuration of a directory that people sign in with: LDAP, Active Directory."""

from __future__ import annotations

from typing import Final

import msgspec

DEFAULT_SUBJECT: Final = "entryUUID"
"""RFC 4530; of OpenLDAP, 389 Directory Server and others."""

GUID: Final = "objectGUID"
"""Active Directory's: 16 bytes."""

SUBJECT_ATTRIBUTES: Final = (DEFAULT_SUBJECT, GUID, "nsUniqueId", "ipaUniqueID")
"""What names an entry for good: the directory assigns them, and never to another entry. Neither a DN nor an address does."""

LDAP_SECONDS: Final = 5
"""The longest time for all that one sign-in asks of one server."""


class LdapAttributes(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The attributes that become the details of an account; an empty one is not read.

    Attributes:
        id: one of `SUBJECT_ATTRIBUTES`; empty for the first of them.
        email_verified: its value TRUE makes the address a verified one; only administrators of the directory may write it.
    """

    id: str = ""
    first_name: str = ""
    last_name: str = ""
    display_name: str = ""
    preferred_username: str = ""
    email: str = ""
    email_verified: str = ""
    preferred_language: str = ""
    avatar_url: str = ""

    @property
    def subject(self) -> str:
        """The attribute whose value names the person."""
        return self.id or DEFAULT_SUBJECT


class LdapConfig(msgspec.Struct, frozen=True, kw_only=True, rename="camel", tag="ldap"):
    """How entries are found in a directory, and passwords checked.

    Attributes:
        servers: ``ldaps://host`` or, with ``start_tls``, ``ldap://host``, with a port where it is not the usual one; tried
            in this order.
        base_dn: entries are searched below it.
        bind_dn: who searches, with the sealed secret as password.
        user_object_classes: all of them an entry must have.
        user_filters: attributes of which one must equal the login name.
        timeout: seconds for one server, at most `LDAP_SECONDS`; 0 for that.
        root_ca: certificates in PEM, the only authorities that count then; empty for those of the machine.
    """

    servers: tuple[str, ...]
    start_tls: bool = False
    base_dn: str
    bind_dn: str
    user_object_classes: tuple[str, ...] = ()
    user_filters: tuple[str, ...]
    timeout: int = 0
    root_ca: str = ""
    attributes: LdapAttributes = LdapAttributes()

    @property
    def issuer(self) -> str:
        """What identities are pinned to: the tree and the attribute that names people, as a URL (RFC 4516) without a server."""
        return f"ldap:///{self.base_dn}?{self.attributes.subject}"

    @property
    def sealed_for(self) -> str:
        """What the password of ``bind_dn`` is bound to: sent to no other server, and to none of another authority."""
        return "\n".join((*self.servers, f"starttls={self.start_tls}", self.bind_dn, self.root_ca))

    @property
    def seconds(self) -> int:
        """The time for one server."""
        return self.timeout or LDAP_SECONDS
