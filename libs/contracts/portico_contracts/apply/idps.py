from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from portico_contracts.apply.accepted_assertions import AcceptedAssertions
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


class MappedGroup(DeclaredObject, frozen=True):
    """Puts the members of a group of the provider into a group of the organization; ``to`` is its id or name."""

    group: Name
    to: Name


class ProviderGroups(DeclaredObject, frozen=True):
    """Mapping of groups to roles and groups, at least one.

    ``claim`` is the path of the group list; dots descend into objects. Of a directory it is the attribute.
    """

    claim: Name
    grants: tuple[GroupGrant, ...] = ()
    groups: tuple[MappedGroup, ...] = ()


class ClaimTables(DeclaredObject, frozen=True, kw_only=True):
    """Omitted tables are unchanged; in ``metadata``, dots in a claim's name descend into objects."""

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

    The client secret (the private key with ``private_key_jwt`` and the preset ``apple``) is stored at
    creation and again when the issuer changes; only then it is required. ``trustedEmail`` verifies addresses
    of new accounts and offers linking to existing ones; if omitted it is unchanged, but reset when the issuer
    changes. ``acceptedAssertions`` are unchanged and reset in the same way.
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
    accepted_assertions: AcceptedAssertions | None = None
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
    """An OAuth 2 provider; its client secret is required again when the token endpoint changes."""

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
