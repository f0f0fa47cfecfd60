from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from portico_contracts.apply.idps import ProviderGroups, ProviderOptions
from portico_contracts.apply.parts import DeclaredObject, Id, Name, SecretText, Text
from portico_contracts.apply.vocabulary import ObjectState, StylingType

DistinguishedName = Annotated[str, Meta(min_length=1, max_length=1_000)]
Seconds = Annotated[str, Meta(max_length=20)]


class LdapAttributes(DeclaredObject, frozen=True):
    """The entry's attributes; ``idAttribute`` (by default ``entryUUID``) identifies the user."""

    id_attribute: Text = ""
    first_name_attribute: Text = ""
    last_name_attribute: Text = ""
    display_name_attribute: Text = ""
    preferred_username_attribute: Text = ""
    email_attribute: Text = ""
    email_verified_attribute: Text = ""
    preferred_language_attribute: Text = ""
    avatar_url_attribute: Text = ""


class LdapIdp(DeclaredObject, frozen=True):
    """``bindPassword`` is required again when servers, bind user or certificates change; ``timeout`` is like ``5s``."""

    name: Name
    servers: tuple[Name, ...]
    base_dn: DistinguishedName
    bind_dn: DistinguishedName
    user_filters: tuple[Name, ...]
    bind_password: SecretText | None = None
    start_tls: bool = False
    user_object_classes: tuple[Name, ...] = ()
    timeout: Seconds = ""
    groups: ProviderGroups | None = None
    root_ca: Annotated[str, Meta(max_length=20_000)] = ""
    attributes: LdapAttributes = LdapAttributes()
    auto_register: bool = False
    provider_options: ProviderOptions | None = None
    styling_type: StylingType | None = None
    id: Id | None = None
    state: ObjectState | None = None
