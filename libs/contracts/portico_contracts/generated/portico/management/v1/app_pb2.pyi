import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

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
OIDC_APP_TYPE_WEB: OIDCAppType
OIDC_APP_TYPE_USER_AGENT: OIDCAppType
OIDC_APP_TYPE_NATIVE: OIDCAppType
OIDC_AUTH_METHOD_TYPE_BASIC: OIDCAuthMethodType
OIDC_AUTH_METHOD_TYPE_POST: OIDCAuthMethodType
OIDC_AUTH_METHOD_TYPE_NONE: OIDCAuthMethodType
OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT: OIDCAuthMethodType
OIDC_VERSION_1_0: OIDCVersion
OIDC_TOKEN_TYPE_BEARER: OIDCTokenType
OIDC_TOKEN_TYPE_JWT: OIDCTokenType
API_AUTH_METHOD_TYPE_BASIC: APIAuthMethodType
API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT: APIAuthMethodType
CLIENT_ASSERTION_AUDIENCE_ANY: ClientAssertionAudience
CLIENT_ASSERTION_AUDIENCE_ISSUER: ClientAssertionAudience
CLIENT_ASSERTION_JTI_OPTIONAL: ClientAssertionJti
CLIENT_ASSERTION_JTI_REQUIRED: ClientAssertionJti

class App(_message.Message):
    __slots__ = ("id", "details", "state", "name", "oidc_config", "api_config", "previous_secret_replaced", "previous_secret_until")
    ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    OIDC_CONFIG_FIELD_NUMBER: _ClassVar[int]
    API_CONFIG_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_SECRET_REPLACED_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_SECRET_UNTIL_FIELD_NUMBER: _ClassVar[int]
    id: str
    details: _object_pb2.ObjectDetails
    state: AppState
    name: str
    oidc_config: OIDCConfig
    api_config: APIConfig
    previous_secret_replaced: _timestamp_pb2.Timestamp
    previous_secret_until: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., state: _Optional[_Union[AppState, str]] = ..., name: _Optional[str] = ..., oidc_config: _Optional[_Union[OIDCConfig, _Mapping]] = ..., api_config: _Optional[_Union[APIConfig, _Mapping]] = ..., previous_secret_replaced: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., previous_secret_until: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class OIDCConfig(_message.Message):
    __slots__ = ("redirect_uris", "response_types", "grant_types", "app_type", "client_id", "auth_method_type", "post_logout_redirect_uris", "version", "none_compliant", "compliance_problems", "dev_mode", "access_token_type", "access_token_role_assertion", "id_token_role_assertion", "id_token_userinfo_assertion", "additional_origins", "allowed_origins", "back_channel_logout_uri", "id_token_signed_response_alg", "refresh_token_grace_seconds", "client_assertion_audience", "clock_skew", "client_assertion_jti", "hinted_logout", "logo_uri", "policy_uri", "tos_uri", "management_access", "strict_auth_method", "roles_claim")
    REDIRECT_URIS_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_TYPES_FIELD_NUMBER: _ClassVar[int]
    GRANT_TYPES_FIELD_NUMBER: _ClassVar[int]
    APP_TYPE_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    AUTH_METHOD_TYPE_FIELD_NUMBER: _ClassVar[int]
    POST_LOGOUT_REDIRECT_URIS_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    NONE_COMPLIANT_FIELD_NUMBER: _ClassVar[int]
    COMPLIANCE_PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    DEV_MODE_FIELD_NUMBER: _ClassVar[int]
    ACCESS_TOKEN_TYPE_FIELD_NUMBER: _ClassVar[int]
    ACCESS_TOKEN_ROLE_ASSERTION_FIELD_NUMBER: _ClassVar[int]
    ID_TOKEN_ROLE_ASSERTION_FIELD_NUMBER: _ClassVar[int]
    ID_TOKEN_USERINFO_ASSERTION_FIELD_NUMBER: _ClassVar[int]
    ADDITIONAL_ORIGINS_FIELD_NUMBER: _ClassVar[int]
    ALLOWED_ORIGINS_FIELD_NUMBER: _ClassVar[int]
    BACK_CHANNEL_LOGOUT_URI_FIELD_NUMBER: _ClassVar[int]
    ID_TOKEN_SIGNED_RESPONSE_ALG_FIELD_NUMBER: _ClassVar[int]
    REFRESH_TOKEN_GRACE_SECONDS_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ASSERTION_AUDIENCE_FIELD_NUMBER: _ClassVar[int]
    CLOCK_SKEW_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ASSERTION_JTI_FIELD_NUMBER: _ClassVar[int]
    HINTED_LOGOUT_FIELD_NUMBER: _ClassVar[int]
    LOGO_URI_FIELD_NUMBER: _ClassVar[int]
    POLICY_URI_FIELD_NUMBER: _ClassVar[int]
    TOS_URI_FIELD_NUMBER: _ClassVar[int]
    MANAGEMENT_ACCESS_FIELD_NUMBER: _ClassVar[int]
    STRICT_AUTH_METHOD_FIELD_NUMBER: _ClassVar[int]
    ROLES_CLAIM_FIELD_NUMBER: _ClassVar[int]
    redirect_uris: _containers.RepeatedScalarFieldContainer[str]
    response_types: _containers.RepeatedScalarFieldContainer[OIDCResponseType]
    grant_types: _containers.RepeatedScalarFieldContainer[OIDCGrantType]
    app_type: OIDCAppType
    client_id: str
    auth_method_type: OIDCAuthMethodType
    post_logout_redirect_uris: _containers.RepeatedScalarFieldContainer[str]
    version: OIDCVersion
    none_compliant: bool
    compliance_problems: _containers.RepeatedCompositeFieldContainer[ComplianceProblem]
    dev_mode: bool
    access_token_type: OIDCTokenType
    access_token_role_assertion: bool
    id_token_role_assertion: bool
    id_token_userinfo_assertion: bool
    additional_origins: _containers.RepeatedScalarFieldContainer[str]
    allowed_origins: _containers.RepeatedScalarFieldContainer[str]
    back_channel_logout_uri: str
    id_token_signed_response_alg: str
    refresh_token_grace_seconds: int
    client_assertion_audience: ClientAssertionAudience
    clock_skew: _duration_pb2.Duration
    client_assertion_jti: ClientAssertionJti
    hinted_logout: bool
    logo_uri: str
    policy_uri: str
    tos_uri: str
    management_access: bool
    strict_auth_method: bool
    roles_claim: str
    def __init__(self, redirect_uris: _Optional[_Iterable[str]] = ..., response_types: _Optional[_Iterable[_Union[OIDCResponseType, str]]] = ..., grant_types: _Optional[_Iterable[_Union[OIDCGrantType, str]]] = ..., app_type: _Optional[_Union[OIDCAppType, str]] = ..., client_id: _Optional[str] = ..., auth_method_type: _Optional[_Union[OIDCAuthMethodType, str]] = ..., post_logout_redirect_uris: _Optional[_Iterable[str]] = ..., version: _Optional[_Union[OIDCVersion, str]] = ..., none_compliant: _Optional[bool] = ..., compliance_problems: _Optional[_Iterable[_Union[ComplianceProblem, _Mapping]]] = ..., dev_mode: _Optional[bool] = ..., access_token_type: _Optional[_Union[OIDCTokenType, str]] = ..., access_token_role_assertion: _Optional[bool] = ..., id_token_role_assertion: _Optional[bool] = ..., id_token_userinfo_assertion: _Optional[bool] = ..., additional_origins: _Optional[_Iterable[str]] = ..., allowed_origins: _Optional[_Iterable[str]] = ..., back_channel_logout_uri: _Optional[str] = ..., id_token_signed_response_alg: _Optional[str] = ..., refresh_token_grace_seconds: _Optional[int] = ..., client_assertion_audience: _Optional[_Union[ClientAssertionAudience, str]] = ..., clock_skew: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., client_assertion_jti: _Optional[_Union[ClientAssertionJti, str]] = ..., hinted_logout: _Optional[bool] = ..., logo_uri: _Optional[str] = ..., policy_uri: _Optional[str] = ..., tos_uri: _Optional[str] = ..., management_access: _Optional[bool] = ..., strict_auth_method: _Optional[bool] = ..., roles_claim: _Optional[str] = ...) -> None: ...

class APIConfig(_message.Message):
    __slots__ = ("client_id", "auth_method_type", "client_assertion_jti")
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    AUTH_METHOD_TYPE_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ASSERTION_JTI_FIELD_NUMBER: _ClassVar[int]
    client_id: str
    auth_method_type: APIAuthMethodType
    client_assertion_jti: ClientAssertionJti
    def __init__(self, client_id: _Optional[str] = ..., auth_method_type: _Optional[_Union[APIAuthMethodType, str]] = ..., client_assertion_jti: _Optional[_Union[ClientAssertionJti, str]] = ...) -> None: ...

class ComplianceProblem(_message.Message):
    __slots__ = ("key", "localized_message")
    KEY_FIELD_NUMBER: _ClassVar[int]
    LOCALIZED_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    key: str
    localized_message: str
    def __init__(self, key: _Optional[str] = ..., localized_message: _Optional[str] = ...) -> None: ...
