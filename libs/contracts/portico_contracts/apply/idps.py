"""Identity providers."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from portico_contracts.apply.parts import DeclaredObject, Id, Name, SecretText, Text
from portico_contracts.apply.vocabulary import (
    AutoLinkingOption,
    MappingField,
    Oauth2PresetName,
    ObjectState,
    OidcPresetName,
    ProviderAuthMethod,
    StylingType,
)
from portico_contracts.subjects import Secret

SecretOrKey = Annotated[Secret, Meta(min_length=1, max_length=8_000)]
"""A client secret, or a private key as PEM or JWK."""


class ProviderOptions(DeclaredObject, frozen=True):
    """What happens with an end user who comes from there, besides ``autoRegister``."""

    is_linking_allowed: bool = True
    is_creation_allowed: bool = True
    is_auto_update: bool = False
    auto_linking: AutoLinkingOption = AutoLinkingOption.UNSPECIFIED


class GroupGrant(DeclaredObject, frozen=True):
    """Roles of a project of the same organization, for the end users of a group. ``project`` is an id or a name."""

    group: Name
    project: Name
    role_keys: Annotated[tuple[Name, ...], Meta(min_length=1)]


class ProviderGroups(DeclaredObject, frozen=True):
    """Which groups give which roles; ``claim`` lists the groups, with dots into objects."""

    claim: Name
    grants: Annotated[tuple[GroupGrant, ...], Meta(min_length=1)]


class ClaimTables(DeclaredObject, frozen=True, kw_only=True):
    """What groups, claims and methods of an identity provider mean here. A table that is left out stays.

    ``metadata`` stores claims (with dots into objects) as metadata of the user, by key. ``amr`` trusts the provider with
    methods: what each value of its ``amr`` counts as.
    """

    groups: ProviderGroups | None = None
    metadata: dict[Name, Name] | None = None
    amr: dict[Name, tuple[Name, ...]] | None = None


class JwtIdp(ClaimTables, frozen=True):
    """An identity provider that sends a JWT. Without ``headerName`` it comes in the header authorization."""

    name: Name
    jwt_endpoint: Name
    issuer: Name
    keys_endpoint: Name
    header_name: Text = ""
    auto_register: bool = False
    provider_options: ProviderOptions | None = None
    styling_type: StylingType | None = None
    id: Id | None = None
    state: ObjectState | None = None


class OidcIdp(ClaimTables, frozen=True):
    """An OpenID Connect provider.

    Its secret is stored at creation, and again when the issuer is another one; only then it is needed. In its place is
    the private key of ``private_key_jwt``, and of the preset ``apple``, whose ``teamId`` and ``keyId`` are needed too.
    Without ``issuer`` it is the one of the preset. ``hostedDomains`` (google) and ``tenants`` (entra) are whose end users
    may sign in; empty for all.
    ``trustedEmail`` makes it an authority for the addresses it states as verified: new accounts have them as verified, and
    an account with such an address is offered to be linked. Left out it stays, but another issuer is not trusted.
    """

    name: Name
    client_id: Name
    issuer: Text = ""
    client_secret: SecretOrKey | None = None
    preset: OidcPresetName | None = None
    auth_method: ProviderAuthMethod | None = None
    hosted_domains: tuple[Name, ...] | None = None
    tenants: tuple[Name, ...] | None = None
    team_id: Text | None = None
    key_id: Text | None = None
    scopes: tuple[Name, ...] = ()
    display_name_mapping: MappingField | None = None
    username_mapping: MappingField | None = None
    trusted_email: bool | None = None
    auto_register: bool = False
    provider_options: ProviderOptions | None = None
    styling_type: StylingType | None = None
    id: Id | None = None
    state: ObjectState | None = None


class UserinfoClaims(DeclaredObject, frozen=True):
    """Where the userinfo document of an OAuth 2 provider has what: names of members, with dots into objects."""

    subject: Name
    email: Text = ""
    email_verified: Text = ""
    user_name: Text = ""
    first_name: Text = ""
    last_name: Text = ""
    display_name: Text = ""
    picture: Text = ""
    language: Text = ""


class Oauth2Idp(ClaimTables, frozen=True):
    """An OAuth 2 provider, which states who signed in by a document at its userinfo endpoint.

    Addresses and ``claims`` that are left out are those of the preset. ``emailsEndpoint`` answers a list of addresses as
    GitHub does, of which the one that is primary and verified counts. Its secret is needed again when the token endpoint is
    another one. ``trustedEmail`` is as of OpenID Connect providers, for these endpoints.
    """

    name: Name
    client_id: Name
    client_secret: SecretText | None = None
    preset: Oauth2PresetName | None = None
    authorization_endpoint: Text = ""
    token_endpoint: Text = ""
    userinfo_endpoint: Text = ""
    emails_endpoint: Text = ""
    auth_method: ProviderAuthMethod | None = None
    scopes: tuple[Name, ...] = ()
    claims: UserinfoClaims | None = None
    trusted_email: bool | None = None
    auto_register: bool = False
    provider_options: ProviderOptions | None = None
    styling_type: StylingType | None = None
    id: Id | None = None
    state: ObjectState | None = None
