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
    """What happens when an end user signs in with this provider, besides ``autoRegister``."""

    is_linking_allowed: bool = True
    is_creation_allowed: bool = True
    is_auto_update: bool = False
    auto_linking: AutoLinkingOption = AutoLinkingOption.UNSPECIFIED


class GroupGrant(DeclaredObject, frozen=True):
    """Roles of a project of the same organization for the members of a group. ``project`` is an id or a name."""

    group: Name
    project: Name
    role_keys: Annotated[tuple[Name, ...], Meta(min_length=1)]


class ProviderGroups(DeclaredObject, frozen=True):
    """Mapping of groups to roles. ``claim`` is the path of the group list; dots descend into objects."""

    claim: Name
    grants: Annotated[tuple[GroupGrant, ...], Meta(min_length=1)]


class ClaimTables(DeclaredObject, frozen=True, kw_only=True):
    """Mapping of an identity provider's groups, claims and authentication methods. Omitted tables are unchanged.

    ``metadata`` stores claims (dots descend into objects) as user metadata, by key. ``amr`` maps trusted
    values of the provider's ``amr`` to methods.
    """

    groups: ProviderGroups | None = None
    metadata: dict[Name, Name] | None = None
    amr: dict[Name, tuple[Name, ...]] | None = None


class JwtIdp(ClaimTables, frozen=True):
    """An identity provider that sends a JWT, in the authorization header unless ``headerName`` is set."""

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

    The client secret is stored at creation and again when the issuer changes; only then it is required. With
    ``private_key_jwt`` it is the private key, and for the preset ``apple`` too, which also needs ``teamId``
    and ``keyId``. ``issuer`` defaults to the preset's. ``hostedDomains`` (google) and ``tenants`` (entra)
    restrict who may sign in; empty allows all.

    ``trustedEmail`` trusts the provider's verified email addresses: they are verified for new accounts, and
    an existing account with such an address is offered for linking. If omitted, it is unchanged, but reset
    when the issuer changes.
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
    """Paths of claims in the userinfo document of an OAuth 2 provider; dots descend into objects."""

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
    """An OAuth 2 provider that identifies the user by its userinfo endpoint.

    Omitted endpoints and ``claims`` are those of the preset. ``emailsEndpoint`` returns a list of addresses
    as GitHub does; the primary verified one is used. The client secret is required again when the token
    endpoint changes. ``trustedEmail`` works as for OpenID Connect providers.
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
