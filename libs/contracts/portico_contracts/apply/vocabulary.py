from __future__ import annotations

from enum import StrEnum
from typing import Literal

ClockSkew = Literal["0s", "1s", "2s", "3s", "4s", "5s"]
"""Tolerated clock skew as a proto3 JSON duration."""


class EnrolmentName(StrEnum):
    EMAIL = "email"
    PASSWORD = "password"


class FirstFactorName(StrEnum):
    """How a sign-in may begin."""

    PASSWORD = "password"
    PASSKEY = "passkey"
    EMAIL_CODE = "email_code"
    PROVIDER = "provider"


class PlaceActionName(StrEnum):
    """What applies to sign-ins from a network or country."""

    ALLOW = "allow"
    SECOND_FACTOR = "second_factor"
    REFUSE = "refuse"


class ResponseTypeName(StrEnum):
    CODE = "OIDC_RESPONSE_TYPE_CODE"
    ID_TOKEN = "OIDC_RESPONSE_TYPE_ID_TOKEN"
    ID_TOKEN_TOKEN = "OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN"


class AppTypeName(StrEnum):
    WEB = "OIDC_APP_TYPE_WEB"
    USER_AGENT = "OIDC_APP_TYPE_USER_AGENT"
    NATIVE = "OIDC_APP_TYPE_NATIVE"


class AuthMethodName(StrEnum):
    BASIC = "OIDC_AUTH_METHOD_TYPE_BASIC"
    POST = "OIDC_AUTH_METHOD_TYPE_POST"
    NONE = "OIDC_AUTH_METHOD_TYPE_NONE"
    PRIVATE_KEY_JWT = "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT"
    TLS_CLIENT_AUTH = "OIDC_AUTH_METHOD_TYPE_TLS_CLIENT_AUTH"
    SELF_SIGNED_TLS_CLIENT_AUTH = "OIDC_AUTH_METHOD_TYPE_SELF_SIGNED_TLS_CLIENT_AUTH"


class AccessTokenTypeName(StrEnum):
    BEARER = "OIDC_TOKEN_TYPE_BEARER"
    JWT = "OIDC_TOKEN_TYPE_JWT"


class Gender(StrEnum):
    UNSPECIFIED = "GENDER_UNSPECIFIED"
    FEMALE = "GENDER_FEMALE"
    MALE = "GENDER_MALE"
    DIVERSE = "GENDER_DIVERSE"


class ApiAuthMethodName(StrEnum):
    BASIC = "API_AUTH_METHOD_TYPE_BASIC"
    PRIVATE_KEY_JWT = "API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT"
    TLS_CLIENT_AUTH = "API_AUTH_METHOD_TYPE_TLS_CLIENT_AUTH"
    SELF_SIGNED_TLS_CLIENT_AUTH = "API_AUTH_METHOD_TYPE_SELF_SIGNED_TLS_CLIENT_AUTH"


class ClientAssertionAudience(StrEnum):
    """Which audience client assertions may name (RFC 7523, RFC 10070)."""

    ANY = "any"
    """The issuer or the URL of the called endpoint; every member of an array must be one of them."""
    ISSUER = "issuer"
    """Only the issuer, as one string."""


class ClientAssertionJti(StrEnum):
    """Whether client assertions need a `jti` (RFC 7523 section 3)."""

    OPTIONAL = "optional"
    """An assertion without `jti` can be replayed for a short time."""
    REQUIRED = "required"


class ConsentName(StrEnum):
    """When users are asked what an application may do."""

    NONE = "none"
    ONCE = "once"
    ALWAYS = "always"


class MinimumAcr(StrEnum):
    """The weakest sign-in that an application accepts, by its `acr`."""

    ANY = "any"
    MFA = "mfa"
    PHR = "phr"
    PHRH = "phrh"


class OnFailureName(StrEnum):
    """What happens to a request when its token hook fails."""

    CLOSED = "closed"
    """It is refused."""
    OPEN = "open"
    """Tokens are issued without the claims of the hook."""


class DpopName(StrEnum):
    """Whether access tokens are bound to a key of the application (RFC 9449)."""

    OFF = "off"
    ALLOWED = "allowed"
    """Tokens of requests with a proof."""
    REQUIRED = "required"
    """All tokens: requests without a proof are refused."""


class SecurityProfile(StrEnum):
    """A bundle of settings that an application must have."""

    NONE = "none"
    FAPI2 = "fapi2"
    """FAPI 2.0 Security Profile."""


class LoopbackPorts(StrEnum):
    """Ports of redirect URIs on a loopback host."""

    EXACT = "exact"
    ANY = "any"


class PrivateLabelingSetting(StrEnum):
    UNSPECIFIED = "PRIVATE_LABELING_SETTING_UNSPECIFIED"
    ENFORCE_PROJECT = "PRIVATE_LABELING_SETTING_ENFORCE_PROJECT_RESOURCE_OWNER_POLICY"
    ALLOW_LOGIN_USER = "PRIVATE_LABELING_SETTING_ALLOW_LOGIN_USER_RESOURCE_OWNER_POLICY"


class StylingType(StrEnum):
    UNSPECIFIED = "STYLING_TYPE_UNSPECIFIED"
    GOOGLE = "STYLING_TYPE_GOOGLE"


class OidcPresetName(StrEnum):
    OIDC = "oidc"
    GOOGLE = "google"
    ENTRA = "entra"
    APPLE = "apple"
    GITLAB = "gitlab"
    OKTA = "okta"
    AUTH0 = "auth0"
    KEYCLOAK = "keycloak"
    SLACK = "slack"
    LINKEDIN = "linkedin"
    GITLAB_SELF_MANAGED = "gitlab-self-managed"


class Oauth2PresetName(StrEnum):
    OAUTH2 = "oauth2"
    GITHUB = "github"
    DISCORD = "discord"
    FACEBOOK = "facebook"
    X = "x"
    GITHUB_ENTERPRISE = "github-enterprise"


class ProviderAuthMethod(StrEnum):
    """Client authentication at an identity provider, by the registered names."""

    AUTO = "auto"
    """Client secret, by the method that the provider's metadata names."""
    CLIENT_SECRET_BASIC = "client_secret_basic"
    CLIENT_SECRET_POST = "client_secret_post"
    PRIVATE_KEY_JWT = "private_key_jwt"
    NONE = "none"


class MappingField(StrEnum):
    UNSPECIFIED = "OIDC_MAPPING_FIELD_UNSPECIFIED"
    PREFERRED_USERNAME = "OIDC_MAPPING_FIELD_PREFERRED_USERNAME"
    EMAIL = "OIDC_MAPPING_FIELD_EMAIL"


class ObjectState(StrEnum):
    ACTIVE = "active"
    INACTIVE = "inactive"


class UserState(StrEnum):
    ACTIVE = "active"
    INACTIVE = "inactive"
    LOCKED = "locked"


class AutoLinkingOption(StrEnum):
    UNSPECIFIED = "AUTO_LINKING_OPTION_UNSPECIFIED"
    USERNAME = "AUTO_LINKING_OPTION_USERNAME"
    EMAIL = "AUTO_LINKING_OPTION_EMAIL"


class SecondFactorName(StrEnum):
    OTP = "SECOND_FACTOR_TYPE_OTP"
    U2F = "SECOND_FACTOR_TYPE_U2F"
    OTP_EMAIL = "SECOND_FACTOR_TYPE_OTP_EMAIL"
    OTP_SMS = "SECOND_FACTOR_TYPE_OTP_SMS"


class MultiFactorName(StrEnum):
    U2F_WITH_VERIFICATION = "MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION"


class ClaimSourceName(StrEnum):
    FIXED = "fixed"
    METADATA = "metadata"
    ATTRIBUTE = "attribute"
    GROUPS = "groups"
    ROLES = "roles"
    ORGANIZATION = "organization"


class ClaimFormatName(StrEnum):
    TEXT = "text"
    JSON = "json"
    LIST = "list"


class ClaimPlaceName(StrEnum):
    ID_TOKEN = "id_token"
    ACCESS_TOKEN = "access_token"
    USERINFO = "userinfo"
    INTROSPECTION = "introspection"


class ConditionMatchName(StrEnum):
    EXACT = "exact"
    PREFIX = "prefix"


class OutsidePeopleName(StrEnum):
    SELECTED = "selected"
    ORGANIZATION = "organization"
