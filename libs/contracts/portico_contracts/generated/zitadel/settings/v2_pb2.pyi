import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import struct_pb2 as _struct_pb2
from portico_contracts.generated.zitadel.idp import v2_pb2 as _v2_pb2
from portico_contracts.generated.zitadel.object import v2_pb2 as _v2_pb2_1
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class IdentityProviderType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    IDENTITY_PROVIDER_TYPE_UNSPECIFIED: _ClassVar[IdentityProviderType]
    IDENTITY_PROVIDER_TYPE_OIDC: _ClassVar[IdentityProviderType]
    IDENTITY_PROVIDER_TYPE_JWT: _ClassVar[IdentityProviderType]
    IDENTITY_PROVIDER_TYPE_LDAP: _ClassVar[IdentityProviderType]
    IDENTITY_PROVIDER_TYPE_OAUTH: _ClassVar[IdentityProviderType]
    IDENTITY_PROVIDER_TYPE_AZURE_AD: _ClassVar[IdentityProviderType]
    IDENTITY_PROVIDER_TYPE_GITHUB: _ClassVar[IdentityProviderType]
    IDENTITY_PROVIDER_TYPE_GITHUB_ES: _ClassVar[IdentityProviderType]
    IDENTITY_PROVIDER_TYPE_GITLAB: _ClassVar[IdentityProviderType]
    IDENTITY_PROVIDER_TYPE_GITLAB_SELF_HOSTED: _ClassVar[IdentityProviderType]
    IDENTITY_PROVIDER_TYPE_GOOGLE: _ClassVar[IdentityProviderType]
    IDENTITY_PROVIDER_TYPE_SAML: _ClassVar[IdentityProviderType]
    IDENTITY_PROVIDER_TYPE_APPLE: _ClassVar[IdentityProviderType]

class MultiFactorType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MULTI_FACTOR_TYPE_UNSPECIFIED: _ClassVar[MultiFactorType]
    MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION: _ClassVar[MultiFactorType]

class PasskeysType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PASSKEYS_TYPE_NOT_ALLOWED: _ClassVar[PasskeysType]
    PASSKEYS_TYPE_ALLOWED: _ClassVar[PasskeysType]

class ResourceOwnerType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RESOURCE_OWNER_TYPE_UNSPECIFIED: _ClassVar[ResourceOwnerType]
    RESOURCE_OWNER_TYPE_INSTANCE: _ClassVar[ResourceOwnerType]
    RESOURCE_OWNER_TYPE_ORG: _ClassVar[ResourceOwnerType]

class SecondFactorType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SECOND_FACTOR_TYPE_UNSPECIFIED: _ClassVar[SecondFactorType]
    SECOND_FACTOR_TYPE_OTP: _ClassVar[SecondFactorType]
    SECOND_FACTOR_TYPE_U2F: _ClassVar[SecondFactorType]
    SECOND_FACTOR_TYPE_OTP_EMAIL: _ClassVar[SecondFactorType]
    SECOND_FACTOR_TYPE_OTP_SMS: _ClassVar[SecondFactorType]

class ThemeMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    THEME_MODE_UNSPECIFIED: _ClassVar[ThemeMode]
    THEME_MODE_AUTO: _ClassVar[ThemeMode]
    THEME_MODE_LIGHT: _ClassVar[ThemeMode]
    THEME_MODE_DARK: _ClassVar[ThemeMode]
IDENTITY_PROVIDER_TYPE_UNSPECIFIED: IdentityProviderType
IDENTITY_PROVIDER_TYPE_OIDC: IdentityProviderType
IDENTITY_PROVIDER_TYPE_JWT: IdentityProviderType
IDENTITY_PROVIDER_TYPE_LDAP: IdentityProviderType
IDENTITY_PROVIDER_TYPE_OAUTH: IdentityProviderType
IDENTITY_PROVIDER_TYPE_AZURE_AD: IdentityProviderType
IDENTITY_PROVIDER_TYPE_GITHUB: IdentityProviderType
IDENTITY_PROVIDER_TYPE_GITHUB_ES: IdentityProviderType
IDENTITY_PROVIDER_TYPE_GITLAB: IdentityProviderType
IDENTITY_PROVIDER_TYPE_GITLAB_SELF_HOSTED: IdentityProviderType
IDENTITY_PROVIDER_TYPE_GOOGLE: IdentityProviderType
IDENTITY_PROVIDER_TYPE_SAML: IdentityProviderType
IDENTITY_PROVIDER_TYPE_APPLE: IdentityProviderType
MULTI_FACTOR_TYPE_UNSPECIFIED: MultiFactorType
MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION: MultiFactorType
PASSKEYS_TYPE_NOT_ALLOWED: PasskeysType
PASSKEYS_TYPE_ALLOWED: PasskeysType
RESOURCE_OWNER_TYPE_UNSPECIFIED: ResourceOwnerType
RESOURCE_OWNER_TYPE_INSTANCE: ResourceOwnerType
RESOURCE_OWNER_TYPE_ORG: ResourceOwnerType
SECOND_FACTOR_TYPE_UNSPECIFIED: SecondFactorType
SECOND_FACTOR_TYPE_OTP: SecondFactorType
SECOND_FACTOR_TYPE_U2F: SecondFactorType
SECOND_FACTOR_TYPE_OTP_EMAIL: SecondFactorType
SECOND_FACTOR_TYPE_OTP_SMS: SecondFactorType
THEME_MODE_UNSPECIFIED: ThemeMode
THEME_MODE_AUTO: ThemeMode
THEME_MODE_LIGHT: ThemeMode
THEME_MODE_DARK: ThemeMode

class BrandingSettings(_message.Message):
    __slots__ = ("light_theme", "dark_theme", "font_url", "hide_login_name_suffix", "disable_watermark", "resource_owner_type", "theme_mode")
    LIGHT_THEME_FIELD_NUMBER: _ClassVar[int]
    DARK_THEME_FIELD_NUMBER: _ClassVar[int]
    FONT_URL_FIELD_NUMBER: _ClassVar[int]
    HIDE_LOGIN_NAME_SUFFIX_FIELD_NUMBER: _ClassVar[int]
    DISABLE_WATERMARK_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_OWNER_TYPE_FIELD_NUMBER: _ClassVar[int]
    THEME_MODE_FIELD_NUMBER: _ClassVar[int]
    light_theme: Theme
    dark_theme: Theme
    font_url: str
    hide_login_name_suffix: bool
    disable_watermark: bool
    resource_owner_type: ResourceOwnerType
    theme_mode: ThemeMode
    def __init__(self, light_theme: _Optional[_Union[Theme, _Mapping]] = ..., dark_theme: _Optional[_Union[Theme, _Mapping]] = ..., font_url: _Optional[str] = ..., hide_login_name_suffix: _Optional[bool] = ..., disable_watermark: _Optional[bool] = ..., resource_owner_type: _Optional[_Union[ResourceOwnerType, str]] = ..., theme_mode: _Optional[_Union[ThemeMode, str]] = ...) -> None: ...

class DomainSettings(_message.Message):
    __slots__ = ("login_name_includes_domain", "require_org_domain_verification", "smtp_sender_address_matches_instance_domain", "resource_owner_type")
    LOGIN_NAME_INCLUDES_DOMAIN_FIELD_NUMBER: _ClassVar[int]
    REQUIRE_ORG_DOMAIN_VERIFICATION_FIELD_NUMBER: _ClassVar[int]
    SMTP_SENDER_ADDRESS_MATCHES_INSTANCE_DOMAIN_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_OWNER_TYPE_FIELD_NUMBER: _ClassVar[int]
    login_name_includes_domain: bool
    require_org_domain_verification: bool
    smtp_sender_address_matches_instance_domain: bool
    resource_owner_type: ResourceOwnerType
    def __init__(self, login_name_includes_domain: _Optional[bool] = ..., require_org_domain_verification: _Optional[bool] = ..., smtp_sender_address_matches_instance_domain: _Optional[bool] = ..., resource_owner_type: _Optional[_Union[ResourceOwnerType, str]] = ...) -> None: ...

class EmbeddedIframeSettings(_message.Message):
    __slots__ = ("enabled", "allowed_origins")
    ENABLED_FIELD_NUMBER: _ClassVar[int]
    ALLOWED_ORIGINS_FIELD_NUMBER: _ClassVar[int]
    enabled: bool
    allowed_origins: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, enabled: _Optional[bool] = ..., allowed_origins: _Optional[_Iterable[str]] = ...) -> None: ...

class GetActiveIdentityProvidersRequest(_message.Message):
    __slots__ = ("ctx", "creation_allowed", "linking_allowed", "auto_creation", "auto_linking")
    CTX_FIELD_NUMBER: _ClassVar[int]
    CREATION_ALLOWED_FIELD_NUMBER: _ClassVar[int]
    LINKING_ALLOWED_FIELD_NUMBER: _ClassVar[int]
    AUTO_CREATION_FIELD_NUMBER: _ClassVar[int]
    AUTO_LINKING_FIELD_NUMBER: _ClassVar[int]
    ctx: _v2_pb2_1.RequestContext
    creation_allowed: bool
    linking_allowed: bool
    auto_creation: bool
    auto_linking: bool
    def __init__(self, ctx: _Optional[_Union[_v2_pb2_1.RequestContext, _Mapping]] = ..., creation_allowed: _Optional[bool] = ..., linking_allowed: _Optional[bool] = ..., auto_creation: _Optional[bool] = ..., auto_linking: _Optional[bool] = ...) -> None: ...

class GetActiveIdentityProvidersResponse(_message.Message):
    __slots__ = ("details", "identity_providers")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    IDENTITY_PROVIDERS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1.ListDetails
    identity_providers: _containers.RepeatedCompositeFieldContainer[IdentityProvider]
    def __init__(self, details: _Optional[_Union[_v2_pb2_1.ListDetails, _Mapping]] = ..., identity_providers: _Optional[_Iterable[_Union[IdentityProvider, _Mapping]]] = ...) -> None: ...

class GetBrandingSettingsRequest(_message.Message):
    __slots__ = ("ctx",)
    CTX_FIELD_NUMBER: _ClassVar[int]
    ctx: _v2_pb2_1.RequestContext
    def __init__(self, ctx: _Optional[_Union[_v2_pb2_1.RequestContext, _Mapping]] = ...) -> None: ...

class GetBrandingSettingsResponse(_message.Message):
    __slots__ = ("details", "settings")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1.Details
    settings: BrandingSettings
    def __init__(self, details: _Optional[_Union[_v2_pb2_1.Details, _Mapping]] = ..., settings: _Optional[_Union[BrandingSettings, _Mapping]] = ...) -> None: ...

class GetDomainSettingsRequest(_message.Message):
    __slots__ = ("ctx",)
    CTX_FIELD_NUMBER: _ClassVar[int]
    ctx: _v2_pb2_1.RequestContext
    def __init__(self, ctx: _Optional[_Union[_v2_pb2_1.RequestContext, _Mapping]] = ...) -> None: ...

class GetDomainSettingsResponse(_message.Message):
    __slots__ = ("details", "settings")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1.Details
    settings: DomainSettings
    def __init__(self, details: _Optional[_Union[_v2_pb2_1.Details, _Mapping]] = ..., settings: _Optional[_Union[DomainSettings, _Mapping]] = ...) -> None: ...

class GetGeneralSettingsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetGeneralSettingsResponse(_message.Message):
    __slots__ = ("default_org_id", "default_language", "supported_languages")
    DEFAULT_ORG_ID_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    SUPPORTED_LANGUAGES_FIELD_NUMBER: _ClassVar[int]
    default_org_id: str
    default_language: str
    supported_languages: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, default_org_id: _Optional[str] = ..., default_language: _Optional[str] = ..., supported_languages: _Optional[_Iterable[str]] = ...) -> None: ...

class GetHostedLoginTranslationRequest(_message.Message):
    __slots__ = ("system", "instance", "organization_id", "locale", "ignore_inheritance")
    SYSTEM_FIELD_NUMBER: _ClassVar[int]
    INSTANCE_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    IGNORE_INHERITANCE_FIELD_NUMBER: _ClassVar[int]
    system: bool
    instance: bool
    organization_id: str
    locale: str
    ignore_inheritance: bool
    def __init__(self, system: _Optional[bool] = ..., instance: _Optional[bool] = ..., organization_id: _Optional[str] = ..., locale: _Optional[str] = ..., ignore_inheritance: _Optional[bool] = ...) -> None: ...

class GetHostedLoginTranslationResponse(_message.Message):
    __slots__ = ("etag", "translations")
    ETAG_FIELD_NUMBER: _ClassVar[int]
    TRANSLATIONS_FIELD_NUMBER: _ClassVar[int]
    etag: str
    translations: _struct_pb2.Struct
    def __init__(self, etag: _Optional[str] = ..., translations: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...

class GetLegalAndSupportSettingsRequest(_message.Message):
    __slots__ = ("ctx",)
    CTX_FIELD_NUMBER: _ClassVar[int]
    ctx: _v2_pb2_1.RequestContext
    def __init__(self, ctx: _Optional[_Union[_v2_pb2_1.RequestContext, _Mapping]] = ...) -> None: ...

class GetLegalAndSupportSettingsResponse(_message.Message):
    __slots__ = ("details", "settings")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1.Details
    settings: LegalAndSupportSettings
    def __init__(self, details: _Optional[_Union[_v2_pb2_1.Details, _Mapping]] = ..., settings: _Optional[_Union[LegalAndSupportSettings, _Mapping]] = ...) -> None: ...

class GetLockoutSettingsRequest(_message.Message):
    __slots__ = ("ctx",)
    CTX_FIELD_NUMBER: _ClassVar[int]
    ctx: _v2_pb2_1.RequestContext
    def __init__(self, ctx: _Optional[_Union[_v2_pb2_1.RequestContext, _Mapping]] = ...) -> None: ...

class GetLockoutSettingsResponse(_message.Message):
    __slots__ = ("details", "settings")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1.Details
    settings: LockoutSettings
    def __init__(self, details: _Optional[_Union[_v2_pb2_1.Details, _Mapping]] = ..., settings: _Optional[_Union[LockoutSettings, _Mapping]] = ...) -> None: ...

class GetLoginSettingsRequest(_message.Message):
    __slots__ = ("ctx",)
    CTX_FIELD_NUMBER: _ClassVar[int]
    ctx: _v2_pb2_1.RequestContext
    def __init__(self, ctx: _Optional[_Union[_v2_pb2_1.RequestContext, _Mapping]] = ...) -> None: ...

class GetLoginSettingsResponse(_message.Message):
    __slots__ = ("details", "settings")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1.Details
    settings: LoginSettings
    def __init__(self, details: _Optional[_Union[_v2_pb2_1.Details, _Mapping]] = ..., settings: _Optional[_Union[LoginSettings, _Mapping]] = ...) -> None: ...

class GetPasswordComplexitySettingsRequest(_message.Message):
    __slots__ = ("ctx",)
    CTX_FIELD_NUMBER: _ClassVar[int]
    ctx: _v2_pb2_1.RequestContext
    def __init__(self, ctx: _Optional[_Union[_v2_pb2_1.RequestContext, _Mapping]] = ...) -> None: ...

class GetPasswordComplexitySettingsResponse(_message.Message):
    __slots__ = ("details", "settings")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1.Details
    settings: PasswordComplexitySettings
    def __init__(self, details: _Optional[_Union[_v2_pb2_1.Details, _Mapping]] = ..., settings: _Optional[_Union[PasswordComplexitySettings, _Mapping]] = ...) -> None: ...

class GetPasswordExpirySettingsRequest(_message.Message):
    __slots__ = ("ctx",)
    CTX_FIELD_NUMBER: _ClassVar[int]
    ctx: _v2_pb2_1.RequestContext
    def __init__(self, ctx: _Optional[_Union[_v2_pb2_1.RequestContext, _Mapping]] = ...) -> None: ...

class GetPasswordExpirySettingsResponse(_message.Message):
    __slots__ = ("details", "settings")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1.Details
    settings: PasswordExpirySettings
    def __init__(self, details: _Optional[_Union[_v2_pb2_1.Details, _Mapping]] = ..., settings: _Optional[_Union[PasswordExpirySettings, _Mapping]] = ...) -> None: ...

class GetSecuritySettingsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetSecuritySettingsResponse(_message.Message):
    __slots__ = ("details", "settings")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1.Details
    settings: SecuritySettings
    def __init__(self, details: _Optional[_Union[_v2_pb2_1.Details, _Mapping]] = ..., settings: _Optional[_Union[SecuritySettings, _Mapping]] = ...) -> None: ...

class IdentityProvider(_message.Message):
    __slots__ = ("id", "name", "type", "options")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    type: IdentityProviderType
    options: _v2_pb2.Options
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., type: _Optional[_Union[IdentityProviderType, str]] = ..., options: _Optional[_Union[_v2_pb2.Options, _Mapping]] = ...) -> None: ...

class LegalAndSupportSettings(_message.Message):
    __slots__ = ("tos_link", "privacy_policy_link", "help_link", "support_email", "resource_owner_type", "docs_link", "custom_link", "custom_link_text")
    TOS_LINK_FIELD_NUMBER: _ClassVar[int]
    PRIVACY_POLICY_LINK_FIELD_NUMBER: _ClassVar[int]
    HELP_LINK_FIELD_NUMBER: _ClassVar[int]
    SUPPORT_EMAIL_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_OWNER_TYPE_FIELD_NUMBER: _ClassVar[int]
    DOCS_LINK_FIELD_NUMBER: _ClassVar[int]
    CUSTOM_LINK_FIELD_NUMBER: _ClassVar[int]
    CUSTOM_LINK_TEXT_FIELD_NUMBER: _ClassVar[int]
    tos_link: str
    privacy_policy_link: str
    help_link: str
    support_email: str
    resource_owner_type: ResourceOwnerType
    docs_link: str
    custom_link: str
    custom_link_text: str
    def __init__(self, tos_link: _Optional[str] = ..., privacy_policy_link: _Optional[str] = ..., help_link: _Optional[str] = ..., support_email: _Optional[str] = ..., resource_owner_type: _Optional[_Union[ResourceOwnerType, str]] = ..., docs_link: _Optional[str] = ..., custom_link: _Optional[str] = ..., custom_link_text: _Optional[str] = ...) -> None: ...

class LockoutSettings(_message.Message):
    __slots__ = ("max_password_attempts", "resource_owner_type", "max_otp_attempts")
    MAX_PASSWORD_ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_OWNER_TYPE_FIELD_NUMBER: _ClassVar[int]
    MAX_OTP_ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    max_password_attempts: int
    resource_owner_type: ResourceOwnerType
    max_otp_attempts: int
    def __init__(self, max_password_attempts: _Optional[int] = ..., resource_owner_type: _Optional[_Union[ResourceOwnerType, str]] = ..., max_otp_attempts: _Optional[int] = ...) -> None: ...

class LoginSettings(_message.Message):
    __slots__ = ("allow_username_password", "allow_register", "allow_external_idp", "force_mfa", "passkeys_type", "hide_password_reset", "ignore_unknown_usernames", "default_redirect_uri", "password_check_lifetime", "external_login_check_lifetime", "mfa_init_skip_lifetime", "second_factor_check_lifetime", "multi_factor_check_lifetime", "second_factors", "multi_factors", "allow_domain_discovery", "disable_login_with_email", "disable_login_with_phone", "resource_owner_type", "force_mfa_local_only")
    ALLOW_USERNAME_PASSWORD_FIELD_NUMBER: _ClassVar[int]
    ALLOW_REGISTER_FIELD_NUMBER: _ClassVar[int]
    ALLOW_EXTERNAL_IDP_FIELD_NUMBER: _ClassVar[int]
    FORCE_MFA_FIELD_NUMBER: _ClassVar[int]
    PASSKEYS_TYPE_FIELD_NUMBER: _ClassVar[int]
    HIDE_PASSWORD_RESET_FIELD_NUMBER: _ClassVar[int]
    IGNORE_UNKNOWN_USERNAMES_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_REDIRECT_URI_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_CHECK_LIFETIME_FIELD_NUMBER: _ClassVar[int]
    EXTERNAL_LOGIN_CHECK_LIFETIME_FIELD_NUMBER: _ClassVar[int]
    MFA_INIT_SKIP_LIFETIME_FIELD_NUMBER: _ClassVar[int]
    SECOND_FACTOR_CHECK_LIFETIME_FIELD_NUMBER: _ClassVar[int]
    MULTI_FACTOR_CHECK_LIFETIME_FIELD_NUMBER: _ClassVar[int]
    SECOND_FACTORS_FIELD_NUMBER: _ClassVar[int]
    MULTI_FACTORS_FIELD_NUMBER: _ClassVar[int]
    ALLOW_DOMAIN_DISCOVERY_FIELD_NUMBER: _ClassVar[int]
    DISABLE_LOGIN_WITH_EMAIL_FIELD_NUMBER: _ClassVar[int]
    DISABLE_LOGIN_WITH_PHONE_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_OWNER_TYPE_FIELD_NUMBER: _ClassVar[int]
    FORCE_MFA_LOCAL_ONLY_FIELD_NUMBER: _ClassVar[int]
    allow_username_password: bool
    allow_register: bool
    allow_external_idp: bool
    force_mfa: bool
    passkeys_type: PasskeysType
    hide_password_reset: bool
    ignore_unknown_usernames: bool
    default_redirect_uri: str
    password_check_lifetime: _duration_pb2.Duration
    external_login_check_lifetime: _duration_pb2.Duration
    mfa_init_skip_lifetime: _duration_pb2.Duration
    second_factor_check_lifetime: _duration_pb2.Duration
    multi_factor_check_lifetime: _duration_pb2.Duration
    second_factors: _containers.RepeatedScalarFieldContainer[SecondFactorType]
    multi_factors: _containers.RepeatedScalarFieldContainer[MultiFactorType]
    allow_domain_discovery: bool
    disable_login_with_email: bool
    disable_login_with_phone: bool
    resource_owner_type: ResourceOwnerType
    force_mfa_local_only: bool
    def __init__(self, allow_username_password: _Optional[bool] = ..., allow_register: _Optional[bool] = ..., allow_external_idp: _Optional[bool] = ..., force_mfa: _Optional[bool] = ..., passkeys_type: _Optional[_Union[PasskeysType, str]] = ..., hide_password_reset: _Optional[bool] = ..., ignore_unknown_usernames: _Optional[bool] = ..., default_redirect_uri: _Optional[str] = ..., password_check_lifetime: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., external_login_check_lifetime: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., mfa_init_skip_lifetime: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., second_factor_check_lifetime: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., multi_factor_check_lifetime: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., second_factors: _Optional[_Iterable[_Union[SecondFactorType, str]]] = ..., multi_factors: _Optional[_Iterable[_Union[MultiFactorType, str]]] = ..., allow_domain_discovery: _Optional[bool] = ..., disable_login_with_email: _Optional[bool] = ..., disable_login_with_phone: _Optional[bool] = ..., resource_owner_type: _Optional[_Union[ResourceOwnerType, str]] = ..., force_mfa_local_only: _Optional[bool] = ...) -> None: ...

class PasswordComplexitySettings(_message.Message):
    __slots__ = ("min_length", "requires_uppercase", "requires_lowercase", "requires_number", "requires_symbol", "resource_owner_type")
    MIN_LENGTH_FIELD_NUMBER: _ClassVar[int]
    REQUIRES_UPPERCASE_FIELD_NUMBER: _ClassVar[int]
    REQUIRES_LOWERCASE_FIELD_NUMBER: _ClassVar[int]
    REQUIRES_NUMBER_FIELD_NUMBER: _ClassVar[int]
    REQUIRES_SYMBOL_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_OWNER_TYPE_FIELD_NUMBER: _ClassVar[int]
    min_length: int
    requires_uppercase: bool
    requires_lowercase: bool
    requires_number: bool
    requires_symbol: bool
    resource_owner_type: ResourceOwnerType
    def __init__(self, min_length: _Optional[int] = ..., requires_uppercase: _Optional[bool] = ..., requires_lowercase: _Optional[bool] = ..., requires_number: _Optional[bool] = ..., requires_symbol: _Optional[bool] = ..., resource_owner_type: _Optional[_Union[ResourceOwnerType, str]] = ...) -> None: ...

class PasswordExpirySettings(_message.Message):
    __slots__ = ("max_age_days", "expire_warn_days", "resource_owner_type")
    MAX_AGE_DAYS_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_WARN_DAYS_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_OWNER_TYPE_FIELD_NUMBER: _ClassVar[int]
    max_age_days: int
    expire_warn_days: int
    resource_owner_type: ResourceOwnerType
    def __init__(self, max_age_days: _Optional[int] = ..., expire_warn_days: _Optional[int] = ..., resource_owner_type: _Optional[_Union[ResourceOwnerType, str]] = ...) -> None: ...

class SecuritySettings(_message.Message):
    __slots__ = ("embedded_iframe", "enable_impersonation")
    EMBEDDED_IFRAME_FIELD_NUMBER: _ClassVar[int]
    ENABLE_IMPERSONATION_FIELD_NUMBER: _ClassVar[int]
    embedded_iframe: EmbeddedIframeSettings
    enable_impersonation: bool
    def __init__(self, embedded_iframe: _Optional[_Union[EmbeddedIframeSettings, _Mapping]] = ..., enable_impersonation: _Optional[bool] = ...) -> None: ...

class SetHostedLoginTranslationRequest(_message.Message):
    __slots__ = ("instance", "organization_id", "locale", "translations")
    INSTANCE_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    TRANSLATIONS_FIELD_NUMBER: _ClassVar[int]
    instance: bool
    organization_id: str
    locale: str
    translations: _struct_pb2.Struct
    def __init__(self, instance: _Optional[bool] = ..., organization_id: _Optional[str] = ..., locale: _Optional[str] = ..., translations: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...

class SetHostedLoginTranslationResponse(_message.Message):
    __slots__ = ("etag",)
    ETAG_FIELD_NUMBER: _ClassVar[int]
    etag: str
    def __init__(self, etag: _Optional[str] = ...) -> None: ...

class SetSecuritySettingsRequest(_message.Message):
    __slots__ = ("embedded_iframe", "enable_impersonation")
    EMBEDDED_IFRAME_FIELD_NUMBER: _ClassVar[int]
    ENABLE_IMPERSONATION_FIELD_NUMBER: _ClassVar[int]
    embedded_iframe: EmbeddedIframeSettings
    enable_impersonation: bool
    def __init__(self, embedded_iframe: _Optional[_Union[EmbeddedIframeSettings, _Mapping]] = ..., enable_impersonation: _Optional[bool] = ...) -> None: ...

class SetSecuritySettingsResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1.Details
    def __init__(self, details: _Optional[_Union[_v2_pb2_1.Details, _Mapping]] = ...) -> None: ...

class Theme(_message.Message):
    __slots__ = ("primary_color", "background_color", "warn_color", "font_color", "logo_url", "icon_url")
    PRIMARY_COLOR_FIELD_NUMBER: _ClassVar[int]
    BACKGROUND_COLOR_FIELD_NUMBER: _ClassVar[int]
    WARN_COLOR_FIELD_NUMBER: _ClassVar[int]
    FONT_COLOR_FIELD_NUMBER: _ClassVar[int]
    LOGO_URL_FIELD_NUMBER: _ClassVar[int]
    ICON_URL_FIELD_NUMBER: _ClassVar[int]
    primary_color: str
    background_color: str
    warn_color: str
    font_color: str
    logo_url: str
    icon_url: str
    def __init__(self, primary_color: _Optional[str] = ..., background_color: _Optional[str] = ..., warn_color: _Optional[str] = ..., font_color: _Optional[str] = ..., logo_url: _Optional[str] = ..., icon_url: _Optional[str] = ...) -> None: ...
