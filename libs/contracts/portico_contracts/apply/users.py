from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from portico_contracts.apply.parts import DeclaredObject, Id, Key, Name, SecretText, Text
from portico_contracts.apply.trusted_workloads import TrustedWorkloads
from portico_contracts.apply.vocabulary import AccessTokenTypeName, DpopName, Gender, UserState
from portico_contracts.subjects import Secret

Identity = Annotated[str, Meta(min_length=1, max_length=255)]
"""As long as a ``sub`` may be (OpenID Connect Core section 2)."""


class RoleGrant(DeclaredObject, frozen=True):
    """Roles of a project granted to a user.

    ``project`` and ``organization`` are ids or names; the granting organization may be omitted if it is the
    user's. ``projectGrant`` is the grant's id, or the id or name of the organization that owns the project.
    """

    project: Name
    role_keys: tuple[str, ...]
    organization: Text = ""
    active: bool = True
    project_grant: Text = ""


class GroupRoles(DeclaredObject, frozen=True):
    """Roles of a project that a group gives its members; names and ids as in a role grant of a user."""

    project: Name
    role_keys: tuple[str, ...]
    project_grant: Text = ""


class Group(DeclaredObject, frozen=True):
    """A group. Users name their groups; ``memberOf`` are ids or names of groups that it belongs to.

    ``grants`` sets exactly these roles in each project listed, ``memberOf`` exactly these groups.
    """

    name: Name
    id: Id | None = None
    description: Text = ""
    grants: tuple[GroupRoles, ...] | None = None
    member_of: tuple[Name, ...] | None = None


class Profile(DeclaredObject, frozen=True):
    """A user's profile. ``lastName`` is empty for people with one name. ``displayName`` defaults to both names."""

    first_name: Name
    last_name: Text = ""
    nick_name: Text = ""
    display_name: Annotated[str, Meta(max_length=401)] = ""
    """Earlier releases derived longer ones than the other names from first and last name."""
    preferred_language: Annotated[str, Meta(max_length=10)] = ""
    gender: Gender = Gender.UNSPECIFIED


class Email(DeclaredObject, frozen=True):
    email: Name
    is_verified: bool = False


class Phone(DeclaredObject, frozen=True):
    """A phone number in E.164 format, and whether the organization vouches for it."""

    phone: Name
    is_verified: bool = False


class Address(DeclaredObject, frozen=True):
    """The members of the `address` claim (OIDC Core section 5.1.1)."""

    formatted: Text = ""
    street_address: Text = ""
    locality: Text = ""
    region: Text = ""
    postal_code: Text = ""
    country: Text = ""


class Attributes(DeclaredObject, frozen=True):
    middle_name: Text = ""
    profile_url: Text = ""
    website: Text = ""
    picture: Annotated[str, Meta(max_length=2_000)] = ""
    """Longer than other addresses, because identity providers state it."""
    birthdate: Text = ""
    zoneinfo: Text = ""
    address: Address | None = None


class Password(DeclaredObject, frozen=True):
    password: SecretText
    change_required: bool = False


class HashedPassword(DeclaredObject, frozen=True):
    """An initial password as a hash, in a format that the management API imports."""

    hash: SecretText
    change_required: bool = False


class IdpLink(DeclaredObject, frozen=True):
    """A user's account at an identity provider; ``idp`` is an id or a name, of this organization or the instance."""

    idp: Name
    user_id: Identity
    user_name: Identity


class EndUser(DeclaredObject, frozen=True):
    """An end user. ``username`` defaults to the email address."""

    profile: Profile
    email: Email
    id: Id | None = None
    username: Name | None = None
    phone: Phone | None = None
    attributes: Attributes | None = None
    password: Password | None = None
    hashed_password: HashedPassword | None = None
    metadata: dict[str, str] | None = None
    binary_metadata: dict[str, str] | None = None
    """Binary values, in base64."""
    idp_links: tuple[IdpLink, ...] | None = None
    roles: tuple[str, ...] | None = None
    """Roles in the organization or, with IAM_*, in the instance."""
    grants: tuple[RoleGrant, ...] | None = None
    groups: tuple[Name, ...] | None = None
    """Ids or names of groups of the organization."""
    state: UserState | None = None


class ServiceUser(DeclaredObject, frozen=True):
    """A service user. ``accessTokenAlg`` (RS256, ES256 or EdDSA) signs its JWT access tokens."""

    username: Name
    name: Name
    id: Id | None = None
    description: Annotated[str, Meta(max_length=500)] = ""
    access_token_type: AccessTokenTypeName = AccessTokenTypeName.BEARER
    access_token_alg: str = "RS256"
    dpop: DpopName = DpopName.OFF
    secret: Annotated[Secret, Meta(min_length=16, max_length=200)] | None = None
    keys: tuple[Key, ...] | None = None
    trusted_workloads: TrustedWorkloads | None = None
    roles: tuple[str, ...] | None = None
    grants: tuple[RoleGrant, ...] | None = None
    groups: tuple[Name, ...] | None = None
    """Ids or names of groups of the organization."""
    state: UserState | None = None
