"""The document of ``portico apply``: what should be there, in the words of the management API.

Unknown keys are refused (by the YAML reader with line and column, by these structs in any case). Every id
may be given; without one it is made. Secrets and passwords may be given; they are set at creation, and a
later apply never overwrites what a person changed.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from portico_contracts.subjects import Secret

Id = Annotated[str, Meta(min_length=1, max_length=200)]
Name = Annotated[str, Meta(min_length=1, max_length=200)]
Text = Annotated[str, Meta(max_length=200)]
SecretText = Annotated[Secret, Meta(min_length=1, max_length=200)]


class Wanted(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="camel"):
    """A part of the document."""

    def __repr__(self) -> str:
        """Names the part only: documents hold passwords and secrets."""
        return f"{type(self).__name__}(...)"


class ResponseTypeName(StrEnum):
    """OIDC_RESPONSE_TYPE_*: what the app may ask for."""

    CODE = "OIDC_RESPONSE_TYPE_CODE"
    ID_TOKEN = "OIDC_RESPONSE_TYPE_ID_TOKEN"
    ID_TOKEN_TOKEN = "OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN"


class GrantTypeName(StrEnum):
    """OIDC_GRANT_TYPE_*: which grants the app may use."""

    AUTHORIZATION_CODE = "OIDC_GRANT_TYPE_AUTHORIZATION_CODE"
    IMPLICIT = "OIDC_GRANT_TYPE_IMPLICIT"
    REFRESH_TOKEN = "OIDC_GRANT_TYPE_REFRESH_TOKEN"


class AppTypeName(StrEnum):
    """OIDC_APP_TYPE_*: where the app runs."""

    WEB = "OIDC_APP_TYPE_WEB"
    USER_AGENT = "OIDC_APP_TYPE_USER_AGENT"
    NATIVE = "OIDC_APP_TYPE_NATIVE"


class AuthMethodName(StrEnum):
    """OIDC_AUTH_METHOD_TYPE_*: how the app authenticates."""

    BASIC = "OIDC_AUTH_METHOD_TYPE_BASIC"
    POST = "OIDC_AUTH_METHOD_TYPE_POST"
    NONE = "OIDC_AUTH_METHOD_TYPE_NONE"
    PRIVATE_KEY_JWT = "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT"


class AccessTokenTypeName(StrEnum):
    """OIDC_TOKEN_TYPE_*: opaque (BEARER) or JWT access tokens."""

    BEARER = "OIDC_TOKEN_TYPE_BEARER"
    JWT = "OIDC_TOKEN_TYPE_JWT"


class Gender(StrEnum):
    """GENDER_*."""

    UNSPECIFIED = "GENDER_UNSPECIFIED"
    FEMALE = "GENDER_FEMALE"
    MALE = "GENDER_MALE"
    DIVERSE = "GENDER_DIVERSE"


class ApiAuthMethodName(StrEnum):
    """API_AUTH_METHOD_TYPE_*: how an API app authenticates."""

    BASIC = "API_AUTH_METHOD_TYPE_BASIC"
    PRIVATE_KEY_JWT = "API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT"


class ClientAssertionAudience(StrEnum):
    """Which audience client assertions may name (RFC 7523, RFC 10070)."""

    ANY = "any"
    """The issuer, or the URL of the endpoint called."""
    ISSUER = "issuer"


class Key(Wanted, frozen=True):
    """A public key somebody signs assertions with. ``publicKey`` is PEM; ``id`` is the kid to be named.

    ``algorithm`` fits the key: RS256 for RSA (2048 bits or more), ES256 for P-256, EdDSA for Ed25519.
    ``expirationDate`` is RFC 3339; without one the key does not expire.
    """

    public_key: Annotated[str, Meta(min_length=1, max_length=8_000)]
    id: Id | None = None
    expiration_date: Text = ""


class ApiApp(Wanted, frozen=True):
    """An API application: it only introspects."""

    name: Name
    id: Id | None = None
    client_id: Id | None = None
    client_secret: Annotated[Secret, Meta(min_length=16, max_length=200)] | None = None
    auth_method_type: ApiAuthMethodName = ApiAuthMethodName.BASIC
    keys: tuple[Key, ...] = ()


class Role(Wanted, frozen=True):
    """A role of a project."""

    role_key: Name
    display_name: Text = ""
    group: Text = ""


class RoleGrant(Wanted, frozen=True):
    """Roles of a project given to a user; ``project`` is the project's id or its name in this organization."""

    project: Name
    role_keys: tuple[str, ...]


class OidcApp(Wanted, frozen=True):
    """An OIDC application. ``clientSecret`` is made and shown once when a secret is needed and none is given."""

    name: Name
    id: Id | None = None
    client_id: Id | None = None
    client_secret: Annotated[Secret, Meta(min_length=16, max_length=200)] | None = None
    redirect_uris: tuple[str, ...] = ()
    post_logout_redirect_uris: tuple[str, ...] = ()
    response_types: tuple[ResponseTypeName, ...] = (ResponseTypeName.CODE,)
    grant_types: tuple[GrantTypeName, ...] = (GrantTypeName.AUTHORIZATION_CODE,)
    app_type: AppTypeName = AppTypeName.WEB
    auth_method_type: AuthMethodName = AuthMethodName.BASIC
    access_token_type: AccessTokenTypeName = AccessTokenTypeName.BEARER
    dev_mode: bool = False
    access_token_role_assertion: bool = False
    id_token_role_assertion: bool = False
    id_token_userinfo_assertion: bool = False
    additional_origins: tuple[str, ...] = ()
    back_channel_logout_uri: Text = ""
    id_token_signed_response_alg: str = "RS256"
    refresh_token_grace_seconds: Annotated[int, Meta(ge=0, le=60)] = 0
    client_assertion_audience: ClientAssertionAudience = ClientAssertionAudience.ANY
    keys: tuple[Key, ...] = ()


class Project(Wanted, frozen=True):
    """A project: the audience its applications share."""

    name: Name
    id: Id | None = None
    project_role_assertion: bool = False
    roles: tuple[Role, ...] = ()
    oidc_apps: tuple[OidcApp, ...] = ()
    api_apps: tuple[ApiApp, ...] = ()


class Profile(Wanted, frozen=True):
    """Who a person is. ``displayName`` defaults to first and last name."""

    first_name: Name
    last_name: Name
    nick_name: Text = ""
    display_name: Text = ""
    preferred_language: Annotated[str, Meta(max_length=10)] = ""
    gender: Gender = Gender.UNSPECIFIED


class Email(Wanted, frozen=True):
    """A mail address, and whether the organization vouches for it."""

    email: Name
    is_verified: bool = False


class Phone(Wanted, frozen=True):
    """A phone number in E.164 form, and whether the organization vouches for it."""

    phone: Name
    is_verified: bool = False


class Address(Wanted, frozen=True):
    """The members of the `address` claim (OIDC Core §5.1.1)."""

    formatted: Text = ""
    street_address: Text = ""
    locality: Text = ""
    region: Text = ""
    postal_code: Text = ""
    country: Text = ""


class Attributes(Wanted, frozen=True):
    """Standard claims beyond the profile."""

    middle_name: Text = ""
    profile_url: Text = ""
    website: Text = ""
    picture: Text = ""
    birthdate: Text = ""
    zoneinfo: Text = ""
    address: Address | None = None


class Password(Wanted, frozen=True):
    """An initial password."""

    password: SecretText
    change_required: bool = False


class Human(Wanted, frozen=True):
    """A person. Without ``username`` the mail address is the user name."""

    profile: Profile
    email: Email
    id: Id | None = None
    username: Name | None = None
    phone: Phone | None = None
    attributes: Attributes | None = None
    password: Password | None = None
    metadata: dict[str, str] = {}
    roles: tuple[str, ...] = ()
    """Membership roles in the organization or, with IAM_*, of the instance."""
    grants: tuple[RoleGrant, ...] = ()


class ServiceUser(Wanted, frozen=True):
    """A user that is a program.

    ``accessTokenAlg`` is what the tokens issued to it are signed with, where they are JWTs: RS256, ES256 or EdDSA.
    """

    username: Name
    name: Name
    id: Id | None = None
    description: Annotated[str, Meta(max_length=500)] = ""
    access_token_type: AccessTokenTypeName = AccessTokenTypeName.BEARER
    access_token_alg: str = "RS256"
    secret: Annotated[Secret, Meta(min_length=16, max_length=200)] | None = None
    keys: tuple[Key, ...] = ()
    roles: tuple[str, ...] = ()
    grants: tuple[RoleGrant, ...] = ()


class JwtIdp(Wanted, frozen=True):
    """An identity provider that hands over a JWT. Without ``headerName`` it comes in the header authorization."""

    name: Name
    jwt_endpoint: Name
    issuer: Name
    keys_endpoint: Name
    header_name: Text = ""
    auto_register: bool = False
    id: Id | None = None


class OidcIdp(Wanted, frozen=True):
    """An OpenID Connect provider. Its secret is stored at creation, and again when the issuer is another one."""

    name: Name
    issuer: Name
    client_id: Name
    client_secret: SecretText
    scopes: tuple[Name, ...] = ()
    auto_register: bool = False
    id: Id | None = None


class LoginPolicy(Wanted, frozen=True):
    """What is demanded at sign-in. What is left out is as the instance has it, and there as it comes by itself.

    ``mayRegister``: people may make an account themselves (true). ``verifiedMail``: a sign-in ends only with a
    verified mail address (false).
    """

    may_register: bool | None = None
    verified_mail: bool | None = None


class Organization(Wanted, frozen=True):
    """An organization with everything that belongs to it."""

    name: Name
    id: Id | None = None
    primary_domain: Text = ""
    """Defaults to a slug of the name, below the issuer's host."""
    projects: tuple[Project, ...] = ()
    humans: tuple[Human, ...] = ()
    service_users: tuple[ServiceUser, ...] = ()
    jwt_idps: tuple[JwtIdp, ...] = ()
    oidc_idps: tuple[OidcIdp, ...] = ()
    login_policy: LoginPolicy | None = None
    mail_link_hosts: tuple[Text, ...] | None = None
    """Host names the links in mails may lead to; empty for any."""


class Document(Wanted, frozen=True):
    """The whole file."""

    organizations: tuple[Organization, ...] = ()
    login_policy: LoginPolicy | None = None
    """Of the instance: for every organization that says nothing else."""
    default_organization: Text = ""
    """Id or name of the one people join who register without naming any; without a word, the oldest."""
