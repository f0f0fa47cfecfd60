from __future__ import annotations

from typing import Final

import msgspec

DEFAULT_SUBJECT: Final = "entryUUID"
"""RFC 4530; used by OpenLDAP, 389 Directory Server and others."""

GUID: Final = "objectGUID"
"""Active Directory's attribute; 16 bytes."""

SUBJECT_ATTRIBUTES: Final = (DEFAULT_SUBJECT, GUID, "nsUniqueId", "ipaUniqueID")
"""Permanent identifiers assigned by the LDAP server and never reused, unlike DNs and addresses."""

LDAP_SECONDS: Final = 5
"""Maximum time for all requests of one sign-in to one server."""


ISSUER_PREFIX: Final = "ldap:///"


class LdapAttributes(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The mapped attributes. Only LDAP administrators may be allowed to write ``email_verified``."""

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
        return self.id or DEFAULT_SUBJECT


class LdapConfig(msgspec.Struct, frozen=True, kw_only=True, rename="camel", tag="ldap"):
    """How to find entries and verify passwords.

    Attributes:
        servers: ``ldaps://host`` or, with ``start_tls``, ``ldap://host``, with an optional port; tried in this order.
        bind_dn: account for searches; its password is the encrypted secret.
        user_object_classes: an entry must have all of them.
        user_filters: attributes, one of which must equal the login name.
        timeout: seconds per server, at most `LDAP_SECONDS`; 0 for that.
        root_ca: PEM certificates that replace the system's trust store; empty for the system's.
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
        """Returns the issuer of identities: base DN and subject attribute as a URL without a server (RFC 4516)."""
        return f"{ISSUER_PREFIX}{self.base_dn}?{self.attributes.subject}"

    @property
    def sealed_for(self) -> str:
        """Returns the binding of the password: it is sent to no other server and trusts no other root_ca."""
        return "\n".join((*self.servers, f"starttls={self.start_tls}", self.bind_dn, self.root_ca))

    @property
    def seconds(self) -> int:
        return self.timeout or LDAP_SECONDS
