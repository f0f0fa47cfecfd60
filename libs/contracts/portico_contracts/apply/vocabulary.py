"""The names of the management API that the document uses."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

ClockSkew = Literal["0s", "1s", "2s", "3s", "4s", "5s"]
"""By how much a clock may be off, as proto3 JSON writes a duration."""


class EnrolmentName(StrEnum):
    """What a user without the second factor that is demanded needs to register one at sign-in, beside the password."""

    EMAIL = "email"
    PASSWORD = "password"


class ResponseTypeName(StrEnum):
    """OIDC_RESPONSE_TYPE_*: what the app may request."""

    CODE = "OIDC_RESPONSE_TYPE_CODE"
    ID_TOKEN = "OIDC_RESPONSE_TYPE_ID_TOKEN"
    ID_TOKEN_TOKEN = "OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN"


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
    """The issuer, or the URL of the endpoint called; every member of an array must be one of the two."""
    ISSUER = "issuer"
    """The issuer alone, as one string."""


class ClientAssertionJti(StrEnum):
    """Whether client assertions need a `jti` (RFC 7523 §3)."""

    OPTIONAL = "optional"
    """An assertion without one may be repeated for a short time."""
    REQUIRED = "required"


class PrivateLabelingSetting(StrEnum):
    """PRIVATE_LABELING_SETTING_*: whose branding the login pages of a project's applications show."""

    UNSPECIFIED = "PRIVATE_LABELING_SETTING_UNSPECIFIED"
    ENFORCE_PROJECT = "PRIVATE_LABELING_SETTING_ENFORCE_PROJECT_RESOURCE_OWNER_POLICY"
    ALLOW_LOGIN_USER = "PRIVATE_LABELING_SETTING_ALLOW_LOGIN_USER_RESOURCE_OWNER_POLICY"


class StylingType(StrEnum):
    """STYLING_TYPE_*: how the button of an identity provider looks."""

    UNSPECIFIED = "STYLING_TYPE_UNSPECIFIED"
    GOOGLE = "STYLING_TYPE_GOOGLE"


class OidcPresetName(StrEnum):
    """What is known of an OpenID Connect provider beforehand."""

    OIDC = "oidc"
    GOOGLE = "google"
    ENTRA = "entra"
    APPLE = "apple"
    GITLAB = "gitlab"
    GITLAB_SELF_MANAGED = "gitlab-self-managed"


class Oauth2PresetName(StrEnum):
    """What is known of an OAuth 2 provider beforehand."""

    OAUTH2 = "oauth2"
    GITHUB = "github"
    GITHUB_ENTERPRISE = "github-enterprise"


class ProviderAuthMethod(StrEnum):
    """How Portico authenticates at an identity provider, by the standard's names."""

    AUTO = "auto"
    """With the secret, the way the provider's metadata names."""
    CLIENT_SECRET_BASIC = "client_secret_basic"
    CLIENT_SECRET_POST = "client_secret_post"
    PRIVATE_KEY_JWT = "private_key_jwt"
    NONE = "none"


class MappingField(StrEnum):
    """OIDC_MAPPING_FIELD_*: the claim of an OpenID Connect provider that becomes a name of the user."""

    UNSPECIFIED = "OIDC_MAPPING_FIELD_UNSPECIFIED"
    PREFERRED_USERNAME = "OIDC_MAPPING_FIELD_PREFERRED_USERNAME"
    EMAIL = "OIDC_MAPPING_FIELD_EMAIL"


class ObjectState(StrEnum):
    """Whether something may be used."""

    ACTIVE = "active"
    INACTIVE = "inactive"


class UserState(StrEnum):
    """Whether a user may act."""

    ACTIVE = "active"
    INACTIVE = "inactive"
    LOCKED = "locked"


class AutoLinkingOption(StrEnum):
    """AUTO_LINKING_OPTION_*: which account is offered to an end user who comes from an identity provider."""

    UNSPECIFIED = "AUTO_LINKING_OPTION_UNSPECIFIED"
    USERNAME = "AUTO_LINKING_OPTION_USERNAME"
    EMAIL = "AUTO_LINKING_OPTION_EMAIL"


class SecondFactorName(StrEnum):
    """SECOND_FACTOR_TYPE_*: what counts after a password."""

    OTP = "SECOND_FACTOR_TYPE_OTP"
    U2F = "SECOND_FACTOR_TYPE_U2F"
    OTP_EMAIL = "SECOND_FACTOR_TYPE_OTP_EMAIL"


class MultiFactorName(StrEnum):
    """MULTI_FACTOR_TYPE_*: what is several factors in one."""

    U2F_WITH_VERIFICATION = "MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION"
