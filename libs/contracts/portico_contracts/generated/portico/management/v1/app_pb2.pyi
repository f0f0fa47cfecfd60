from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor

class AppState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    APP_STATE_UNSPECIFIED: _ClassVar[AppState]
    APP_STATE_ACTIVE: _ClassVar[AppState]
    APP_STATE_INACTIVE: _ClassVar[AppState]

class OIDCResponseType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OIDC_RESPONSE_TYPE_CODE: _ClassVar[OIDCResponseType]
    OIDC_RESPONSE_TYPE_ID_TOKEN: _ClassVar[OIDCResponseType]
    OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN: _ClassVar[OIDCResponseType]

class OIDCGrantType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OIDC_GRANT_TYPE_AUTHORIZATION_CODE: _ClassVar[OIDCGrantType]
    OIDC_GRANT_TYPE_IMPLICIT: _ClassVar[OIDCGrantType]
    OIDC_GRANT_TYPE_REFRESH_TOKEN: _ClassVar[OIDCGrantType]
    OIDC_GRANT_TYPE_DEVICE_CODE: _ClassVar[OIDCGrantType]
    OIDC_GRANT_TYPE_TOKEN_EXCHANGE: _ClassVar[OIDCGrantType]

class OIDCAppType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OIDC_APP_TYPE_WEB: _ClassVar[OIDCAppType]
    OIDC_APP_TYPE_USER_AGENT: _ClassVar[OIDCAppType]
    OIDC_APP_TYPE_NATIVE: _ClassVar[OIDCAppType]

class OIDCAuthMethodType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OIDC_AUTH_METHOD_TYPE_BASIC: _ClassVar[OIDCAuthMethodType]
    OIDC_AUTH_METHOD_TYPE_POST: _ClassVar[OIDCAuthMethodType]
    OIDC_AUTH_METHOD_TYPE_NONE: _ClassVar[OIDCAuthMethodType]
    OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT: _ClassVar[OIDCAuthMethodType]
    OIDC_AUTH_METHOD_TYPE_TLS_CLIENT_AUTH: _ClassVar[OIDCAuthMethodType]
    OIDC_AUTH_METHOD_TYPE_SELF_SIGNED_TLS_CLIENT_AUTH: _ClassVar[OIDCAuthMethodType]

class OIDCVersion(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OIDC_VERSION_1_0: _ClassVar[OIDCVersion]

class OIDCTokenType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OIDC_TOKEN_TYPE_BEARER: _ClassVar[OIDCTokenType]
    OIDC_TOKEN_TYPE_JWT: _ClassVar[OIDCTokenType]

class APIAuthMethodType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    API_AUTH_METHOD_TYPE_BASIC: _ClassVar[APIAuthMethodType]
    API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT: _ClassVar[APIAuthMethodType]
    API_AUTH_METHOD_TYPE_TLS_CLIENT_AUTH: _ClassVar[APIAuthMethodType]
    API_AUTH_METHOD_TYPE_SELF_SIGNED_TLS_CLIENT_AUTH: _ClassVar[APIAuthMethodType]

class Consent(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CONSENT_NONE: _ClassVar[Consent]
    CONSENT_ONCE: _ClassVar[Consent]
    CONSENT_ALWAYS: _ClassVar[Consent]

class MinimumAcr(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MINIMUM_ACR_ANY: _ClassVar[MinimumAcr]
    MINIMUM_ACR_MFA: _ClassVar[MinimumAcr]
    MINIMUM_ACR_PHR: _ClassVar[MinimumAcr]
    MINIMUM_ACR_PHRH: _ClassVar[MinimumAcr]

class LoopbackPorts(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LOOPBACK_PORTS_EXACT: _ClassVar[LoopbackPorts]
    LOOPBACK_PORTS_ANY: _ClassVar[LoopbackPorts]

class Dpop(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DPOP_OFF: _ClassVar[Dpop]
    DPOP_ALLOWED: _ClassVar[Dpop]
    DPOP_REQUIRED: _ClassVar[Dpop]

class SecurityProfile(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SECURITY_PROFILE_NONE: _ClassVar[SecurityProfile]
    SECURITY_PROFILE_FAPI2: _ClassVar[SecurityProfile]

class ClientAssertionAudience(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CLIENT_ASSERTION_AUDIENCE_ANY: _ClassVar[ClientAssertionAudience]
    CLIENT_ASSERTION_AUDIENCE_ISSUER: _ClassVar[ClientAssertionAudience]

class ClientAssertionJti(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CLIENT_ASSERTION_JTI_OPTIONAL: _ClassVar[ClientAssertionJti]
    CLIENT_ASSERTION_JTI_REQUIRED: _ClassVar[ClientAssertionJti]
APP_STATE_UNSPECIFIED: AppState
APP_STATE_ACTIVE: AppState
APP_STATE_INACTIVE: AppState
OIDC_RESPONSE_TYPE_CODE: OIDCResponseType
OIDC_RESPONSE_TYPE_ID_TOKEN: OIDCResponseType
OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN: OIDCResponseType
OIDC_GRANT_TYPE_AUTHORIZATION_CODE: OIDCGrantType
OIDC_GRANT_TYPE_IMPLICIT: OIDCGrantType
OIDC_GRANT_TYPE_REFRESH_TOKEN: OIDCGrantType
OIDC_GRANT_TYPE_DEVICE_CODE: OIDCGrantType
OIDC_GRANT_TYPE_TOKEN_EXCHANGE: OIDCGrantType
OIDC_APP_TYPE_WEB: OIDCAppType
OIDC_APP_TYPE_USER_AGENT: OIDCAppType
OIDC_APP_TYPE_NATIVE: OIDCAppType
OIDC_AUTH_METHOD_TYPE_BASIC: OIDCAuthMethodType
OIDC_AUTH_METHOD_TYPE_POST: OIDCAuthMethodType
OIDC_AUTH_METHOD_TYPE_NONE: OIDCAuthMethodType
OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT: OIDCAuthMethodType
OIDC_AUTH_METHOD_TYPE_TLS_CLIENT_AUTH: OIDCAuthMethodType
OIDC_AUTH_METHOD_TYPE_SELF_SIGNED_TLS_CLIENT_AUTH: OIDCAuthMethodType
OIDC_VERSION_1_0: OIDCVersion
OIDC_TOKEN_TYPE_BEARER: OIDCTokenType
OIDC_TOKEN_TYPE_JWT: OIDCTokenType
API_AUTH_METHOD_TYPE_BASIC: APIAuthMethodType
API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT: APIAuthMethodType
API_AUTH_METHOD_TYPE_TLS_CLIENT_AUTH: APIAuthMethodType
API_AUTH_METHOD_TYPE_SELF_SIGNED_TLS_CLIENT_AUTH: APIAuthMethodType
CONSENT_NONE: Consent
CONSENT_ONCE: Consent
CONSENT_ALWAYS: Consent
MINIMUM_ACR_ANY: MinimumAcr
MINIMUM_ACR_MFA: MinimumAcr
MINIMUM_ACR_PHR: MinimumAcr
MINIMUM_ACR_PHRH: MinimumAcr
LOOPBACK_PORTS_EXACT: LoopbackPorts
LOOPBACK_PORTS_ANY: LoopbackPorts
DPOP_OFF: Dpop
DPOP_ALLOWED: Dpop
DPOP_REQUIRED: Dpop
SECURITY_PROFILE_NONE: SecurityProfile
SECURITY_PROFILE_FAPI2: SecurityProfile
CLIENT_ASSERTION_AUDIENCE_ANY: ClientAssertionAudience
CLIENT_ASSERTION_AUDIENCE_ISSUER: ClientAssertionAudience
CLIENT_ASSERTION_JTI_OPTIONAL: ClientAssertionJti
CLIENT_ASSERTION_JTI_REQUIRED: ClientAssertionJti
