"""What an entry states: the subject, which the directory never gives to another entry, and the details of an account."""

from __future__ import annotations

import uuid
from typing import Any

from portico_contracts.users import Profile

from portico_users.directory.identity_providers.ldap import GUID, LdapAttributes
from portico_users.federation.claims import profile_of
from portico_users.federation.ldap.messages import Entry
from portico_users.federation.refusals import NO_ENTRY_SUBJECT

_TRUE = b"TRUE"
"""RFC 4517 §3.3.3."""

_CLAIMS = {
    "preferred_username": "preferred_username",
    "first_name": "given_name",
    "last_name": "family_name",
    "display_name": "name",
    "email": "email",
    "preferred_language": "locale",
    "avatar_url": "picture",
}


def attributes_of(names: LdapAttributes) -> tuple[str, ...]:
    """The attributes a search requests."""
    wanted = (names.subject, *(getattr(names, field) for field in _CLAIMS), names.email_verified)
    return tuple(dict.fromkeys(filter(None, wanted)))


def subject_in(entry: Entry, names: LdapAttributes) -> str:
    """The one value that names the person for good, UUIDs in lower case and Active Directory's 16 octets as one.

    Raises:
        ServiceError: USER-384 without one, with several, and for one that is none.
    """
    values = entry.attributes.get(names.subject.lower(), ())
    if len(values) != 1 or not values[0]:
        raise NO_ENTRY_SUBJECT.error(attribute=names.subject, values=len(values))
    try:
        if names.subject.lower() == GUID.lower():
            return str(uuid.UUID(bytes_le=values[0]))
        text = values[0].decode("ascii").lower()
    except ValueError:
        raise NO_ENTRY_SUBJECT.error(attribute=names.subject, cause="no such value") from None
    if not text.isprintable() or len(text) > 100:
        raise NO_ENTRY_SUBJECT.error(attribute=names.subject, cause="no such value")
    return text


def profile_in(entry: Entry, names: LdapAttributes) -> Profile:
    """The details, cut to what an account may have; of an attribute with several values the first."""
    claims: dict[str, Any] = {claim: _text(entry, getattr(names, field)) for field, claim in _CLAIMS.items()}
    verified = entry.attributes.get(names.email_verified.lower(), ()) if names.email_verified else ()
    # Of several addresses it is not known which one was verified.
    several = len(entry.attributes.get(names.email.lower(), ())) > 1
    return profile_of(claims | {"email_verified": verified == (_TRUE,) and not several})


def _text(entry: Entry, name: str) -> str:
    values = entry.attributes.get(name.lower(), ()) if name else ()
    try:
        return values[0].decode() if values else ""
    except UnicodeDecodeError:
        return ""
