import datetime

from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from portico_contracts.generated.portico.management.v1 import app_pb2 as _app_pb2
from portico_contracts.generated.portico.management.v1 import claim_rule_pb2 as _claim_rule_pb2
from portico_contracts.generated.portico.management.v1 import keys_pb2 as _keys_pb2
from portico_contracts.generated.portico.management.v1 import trusted_workload_pb2 as _trusted_workload_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from portico_contracts.generated.portico.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class App(_message.Message):
    __slots__ = ("id", "details", "state", "name", "oidc_config", "api_config", "previous_secret_replaced", "previous_secret_until", "secrets")
    ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    OIDC_CONFIG_FIELD_NUMBER: _ClassVar[int]
    API_CONFIG_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_SECRET_REPLACED_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_SECRET_UNTIL_FIELD_NUMBER: _ClassVar[int]
    SECRETS_FIELD_NUMBER: _ClassVar[int]
    id: str
    details: _object_pb2.ObjectDetails
    state: _app_pb2.AppState
    name: str
    oidc_config: OIDCConfig
    api_config: APIConfig
    previous_secret_replaced: _timestamp_pb2.Timestamp
    previous_secret_until: _timestamp_pb2.Timestamp
    secrets: _containers.RepeatedCompositeFieldContainer[ClientSecret]
    def __init__(self, id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., state: _Optional[_Union[_app_pb2.AppState, str]] = ..., name: _Optional[str] = ..., oidc_config: _Optional[_Union[OIDCConfig, _Mapping]] = ..., api_config: _Optional[_Union[APIConfig, _Mapping]] = ..., previous_secret_replaced: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., previous_secret_until: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., secrets: _Optional[_Iterable[_Union[ClientSecret, _Mapping]]] = ...) -> None: ...

class ClientSecret(_message.Message):
    __slots__ = ("is_previous", "creation_date", "expiration_date", "last_used")
    IS_PREVIOUS_FIELD_NUMBER: _ClassVar[int]
    CREATION_DATE_FIELD_NUMBER: _ClassVar[int]
    EXPIRATION_DATE_FIELD_NUMBER: _ClassVar[int]
    LAST_USED_FIELD_NUMBER: _ClassVar[int]
    is_previous: bool
    creation_date: _timestamp_pb2.Timestamp
    expiration_date: _timestamp_pb2.Timestamp
    last_used: _timestamp_pb2.Timestamp
    def __init__(self, is_previous: _Optional[bool] = ..., creation_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., expiration_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., last_used: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class OIDCConfig(_message.Message):
    __slots__ = ("redirect_uris", "response_types", "grant_types", "app_type", "client_id", "auth_method_type", "post_logout_redirect_uris", "version", "none_compliant", "compliance_problems", "dev_mode", "access_token_type", "access_token_role_assertion", "id_token_role_assertion", "id_token_userinfo_assertion", "additional_origins", "allowed_origins", "back_channel_logout_uri", "id_token_signed_response_alg", "refresh_token_grace_seconds", "client_assertion_audience", "clock_skew", "client_assertion_jti", "hinted_logout", "logo_uri", "policy_uri", "tos_uri", "management_access", "strict_auth_method", "roles_claim", "apis", "consent", "plain_oauth", "require_pushed_authorization_requests", "loopback_ports", "plain_schemes", "groups_claim", "default_max_age_seconds", "session_seconds", "session_idle_seconds", "access_token_seconds", "id_token_seconds", "refresh_token_idle_seconds", "refresh_token_seconds", "minimum_acr", "access_token_acr_assertion", "claim_rules", "dpop", "security_profile", "dpop_nonce", "agent", "certificate_subject")
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
    APIS_FIELD_NUMBER: _ClassVar[int]
    CONSENT_FIELD_NUMBER: _ClassVar[int]
    PLAIN_OAUTH_FIELD_NUMBER: _ClassVar[int]
    REQUIRE_PUSHED_AUTHORIZATION_REQUESTS_FIELD_NUMBER: _ClassVar[int]
    LOOPBACK_PORTS_FIELD_NUMBER: _ClassVar[int]
    PLAIN_SCHEMES_FIELD_NUMBER: _ClassVar[int]
    GROUPS_CLAIM_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_MAX_AGE_SECONDS_FIELD_NUMBER: _ClassVar[int]
    SESSION_SECONDS_FIELD_NUMBER: _ClassVar[int]
    SESSION_IDLE_SECONDS_FIELD_NUMBER: _ClassVar[int]
    ACCESS_TOKEN_SECONDS_FIELD_NUMBER: _ClassVar[int]
    ID_TOKEN_SECONDS_FIELD_NUMBER: _ClassVar[int]
    REFRESH_TOKEN_IDLE_SECONDS_FIELD_NUMBER: _ClassVar[int]
    REFRESH_TOKEN_SECONDS_FIELD_NUMBER: _ClassVar[int]
    MINIMUM_ACR_FIELD_NUMBER: _ClassVar[int]
    ACCESS_TOKEN_ACR_ASSERTION_FIELD_NUMBER: _ClassVar[int]
    CLAIM_RULES_FIELD_NUMBER: _ClassVar[int]
    DPOP_FIELD_NUMBER: _ClassVar[int]
    SECURITY_PROFILE_FIELD_NUMBER: _ClassVar[int]
    DPOP_NONCE_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    CERTIFICATE_SUBJECT_FIELD_NUMBER: _ClassVar[int]
    redirect_uris: _containers.RepeatedScalarFieldContainer[str]
    response_types: _containers.RepeatedScalarFieldContainer[_app_pb2.OIDCResponseType]
    grant_types: _containers.RepeatedScalarFieldContainer[_app_pb2.OIDCGrantType]
    app_type: _app_pb2.OIDCAppType
    client_id: str
    auth_method_type: _app_pb2.OIDCAuthMethodType
    post_logout_redirect_uris: _containers.RepeatedScalarFieldContainer[str]
    version: _app_pb2.OIDCVersion
    none_compliant: bool
    compliance_problems: _containers.RepeatedCompositeFieldContainer[ComplianceProblem]
    dev_mode: bool
    access_token_type: _app_pb2.OIDCTokenType
    access_token_role_assertion: bool
    id_token_role_assertion: bool
    id_token_userinfo_assertion: bool
    additional_origins: _containers.RepeatedScalarFieldContainer[str]
    allowed_origins: _containers.RepeatedScalarFieldContainer[str]
    back_channel_logout_uri: str
    id_token_signed_response_alg: str
    refresh_token_grace_seconds: int
    client_assertion_audience: _app_pb2.ClientAssertionAudience
    clock_skew: _duration_pb2.Duration
    client_assertion_jti: _app_pb2.ClientAssertionJti
    hinted_logout: bool
    logo_uri: str
    policy_uri: str
    tos_uri: str
    management_access: bool
    strict_auth_method: bool
    roles_claim: str
    apis: _containers.RepeatedScalarFieldContainer[str]
    consent: _app_pb2.Consent
    plain_oauth: bool
    require_pushed_authorization_requests: bool
    loopback_ports: _app_pb2.LoopbackPorts
    plain_schemes: bool
    groups_claim: str
    default_max_age_seconds: int
    session_seconds: int
    session_idle_seconds: int
    access_token_seconds: int
    id_token_seconds: int
    refresh_token_idle_seconds: int
    refresh_token_seconds: int
    minimum_acr: _app_pb2.MinimumAcr
    access_token_acr_assertion: bool
    claim_rules: _containers.RepeatedCompositeFieldContainer[_claim_rule_pb2.ClaimRule]
    dpop: _app_pb2.Dpop
    security_profile: _app_pb2.SecurityProfile
    dpop_nonce: bool
    agent: bool
    certificate_subject: str
    def __init__(self, redirect_uris: _Optional[_Iterable[str]] = ..., response_types: _Optional[_Iterable[_Union[_app_pb2.OIDCResponseType, str]]] = ..., grant_types: _Optional[_Iterable[_Union[_app_pb2.OIDCGrantType, str]]] = ..., app_type: _Optional[_Union[_app_pb2.OIDCAppType, str]] = ..., client_id: _Optional[str] = ..., auth_method_type: _Optional[_Union[_app_pb2.OIDCAuthMethodType, str]] = ..., post_logout_redirect_uris: _Optional[_Iterable[str]] = ..., version: _Optional[_Union[_app_pb2.OIDCVersion, str]] = ..., none_compliant: _Optional[bool] = ..., compliance_problems: _Optional[_Iterable[_Union[ComplianceProblem, _Mapping]]] = ..., dev_mode: _Optional[bool] = ..., access_token_type: _Optional[_Union[_app_pb2.OIDCTokenType, str]] = ..., access_token_role_assertion: _Optional[bool] = ..., id_token_role_assertion: _Optional[bool] = ..., id_token_userinfo_assertion: _Optional[bool] = ..., additional_origins: _Optional[_Iterable[str]] = ..., allowed_origins: _Optional[_Iterable[str]] = ..., back_channel_logout_uri: _Optional[str] = ..., id_token_signed_response_alg: _Optional[str] = ..., refresh_token_grace_seconds: _Optional[int] = ..., client_assertion_audience: _Optional[_Union[_app_pb2.ClientAssertionAudience, str]] = ..., clock_skew: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., client_assertion_jti: _Optional[_Union[_app_pb2.ClientAssertionJti, str]] = ..., hinted_logout: _Optional[bool] = ..., logo_uri: _Optional[str] = ..., policy_uri: _Optional[str] = ..., tos_uri: _Optional[str] = ..., management_access: _Optional[bool] = ..., strict_auth_method: _Optional[bool] = ..., roles_claim: _Optional[str] = ..., apis: _Optional[_Iterable[str]] = ..., consent: _Optional[_Union[_app_pb2.Consent, str]] = ..., plain_oauth: _Optional[bool] = ..., require_pushed_authorization_requests: _Optional[bool] = ..., loopback_ports: _Optional[_Union[_app_pb2.LoopbackPorts, str]] = ..., plain_schemes: _Optional[bool] = ..., groups_claim: _Optional[str] = ..., default_max_age_seconds: _Optional[int] = ..., session_seconds: _Optional[int] = ..., session_idle_seconds: _Optional[int] = ..., access_token_seconds: _Optional[int] = ..., id_token_seconds: _Optional[int] = ..., refresh_token_idle_seconds: _Optional[int] = ..., refresh_token_seconds: _Optional[int] = ..., minimum_acr: _Optional[_Union[_app_pb2.MinimumAcr, str]] = ..., access_token_acr_assertion: _Optional[bool] = ..., claim_rules: _Optional[_Iterable[_Union[_claim_rule_pb2.ClaimRule, _Mapping]]] = ..., dpop: _Optional[_Union[_app_pb2.Dpop, str]] = ..., security_profile: _Optional[_Union[_app_pb2.SecurityProfile, str]] = ..., dpop_nonce: _Optional[bool] = ..., agent: _Optional[bool] = ..., certificate_subject: _Optional[str] = ...) -> None: ...

class APIScope(_message.Message):
    __slots__ = ("scope", "title", "description", "granted_by_default", "roles")
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    GRANTED_BY_DEFAULT_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    scope: str
    title: str
    description: str
    granted_by_default: bool
    roles: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, scope: _Optional[str] = ..., title: _Optional[str] = ..., description: _Optional[str] = ..., granted_by_default: _Optional[bool] = ..., roles: _Optional[_Iterable[str]] = ...) -> None: ...

class APIConfig(_message.Message):
    __slots__ = ("client_id", "auth_method_type", "client_assertion_jti", "resources", "scopes", "token_exchange", "certificate_subject")
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    AUTH_METHOD_TYPE_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ASSERTION_JTI_FIELD_NUMBER: _ClassVar[int]
    RESOURCES_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    TOKEN_EXCHANGE_FIELD_NUMBER: _ClassVar[int]
    CERTIFICATE_SUBJECT_FIELD_NUMBER: _ClassVar[int]
    client_id: str
    auth_method_type: _app_pb2.APIAuthMethodType
    client_assertion_jti: _app_pb2.ClientAssertionJti
    resources: _containers.RepeatedScalarFieldContainer[str]
    scopes: _containers.RepeatedCompositeFieldContainer[APIScope]
    token_exchange: bool
    certificate_subject: str
    def __init__(self, client_id: _Optional[str] = ..., auth_method_type: _Optional[_Union[_app_pb2.APIAuthMethodType, str]] = ..., client_assertion_jti: _Optional[_Union[_app_pb2.ClientAssertionJti, str]] = ..., resources: _Optional[_Iterable[str]] = ..., scopes: _Optional[_Iterable[_Union[APIScope, _Mapping]]] = ..., token_exchange: _Optional[bool] = ..., certificate_subject: _Optional[str] = ...) -> None: ...

class ComplianceProblem(_message.Message):
    __slots__ = ("key", "localized_message")
    KEY_FIELD_NUMBER: _ClassVar[int]
    LOCALIZED_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    key: str
    localized_message: str
    def __init__(self, key: _Optional[str] = ..., localized_message: _Optional[str] = ...) -> None: ...

class AddOIDCAppRequest(_message.Message):
    __slots__ = ("project_id", "name", "redirect_uris", "response_types", "grant_types", "app_type", "auth_method_type", "post_logout_redirect_uris", "version", "dev_mode", "access_token_type", "access_token_role_assertion", "id_token_role_assertion", "id_token_userinfo_assertion", "additional_origins", "back_channel_logout_uri", "id_token_signed_response_alg", "refresh_token_grace_seconds", "client_assertion_audience", "clock_skew", "client_assertion_jti", "hinted_logout", "logo_uri", "policy_uri", "tos_uri", "management_access", "strict_auth_method", "roles_claim", "apis", "consent", "plain_oauth", "require_pushed_authorization_requests", "loopback_ports", "plain_schemes", "groups_claim", "default_max_age_seconds", "session_seconds", "session_idle_seconds", "access_token_seconds", "id_token_seconds", "refresh_token_idle_seconds", "refresh_token_seconds", "minimum_acr", "dpop", "access_token_acr_assertion", "security_profile", "dpop_nonce", "agent", "certificate_subject")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    REDIRECT_URIS_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_TYPES_FIELD_NUMBER: _ClassVar[int]
    GRANT_TYPES_FIELD_NUMBER: _ClassVar[int]
    APP_TYPE_FIELD_NUMBER: _ClassVar[int]
    AUTH_METHOD_TYPE_FIELD_NUMBER: _ClassVar[int]
    POST_LOGOUT_REDIRECT_URIS_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    DEV_MODE_FIELD_NUMBER: _ClassVar[int]
    ACCESS_TOKEN_TYPE_FIELD_NUMBER: _ClassVar[int]
    ACCESS_TOKEN_ROLE_ASSERTION_FIELD_NUMBER: _ClassVar[int]
    ID_TOKEN_ROLE_ASSERTION_FIELD_NUMBER: _ClassVar[int]
    ID_TOKEN_USERINFO_ASSERTION_FIELD_NUMBER: _ClassVar[int]
    ADDITIONAL_ORIGINS_FIELD_NUMBER: _ClassVar[int]
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
    APIS_FIELD_NUMBER: _ClassVar[int]
    CONSENT_FIELD_NUMBER: _ClassVar[int]
    PLAIN_OAUTH_FIELD_NUMBER: _ClassVar[int]
    REQUIRE_PUSHED_AUTHORIZATION_REQUESTS_FIELD_NUMBER: _ClassVar[int]
    LOOPBACK_PORTS_FIELD_NUMBER: _ClassVar[int]
    PLAIN_SCHEMES_FIELD_NUMBER: _ClassVar[int]
    GROUPS_CLAIM_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_MAX_AGE_SECONDS_FIELD_NUMBER: _ClassVar[int]
    SESSION_SECONDS_FIELD_NUMBER: _ClassVar[int]
    SESSION_IDLE_SECONDS_FIELD_NUMBER: _ClassVar[int]
    ACCESS_TOKEN_SECONDS_FIELD_NUMBER: _ClassVar[int]
    ID_TOKEN_SECONDS_FIELD_NUMBER: _ClassVar[int]
    REFRESH_TOKEN_IDLE_SECONDS_FIELD_NUMBER: _ClassVar[int]
    REFRESH_TOKEN_SECONDS_FIELD_NUMBER: _ClassVar[int]
    MINIMUM_ACR_FIELD_NUMBER: _ClassVar[int]
    DPOP_FIELD_NUMBER: _ClassVar[int]
    ACCESS_TOKEN_ACR_ASSERTION_FIELD_NUMBER: _ClassVar[int]
    SECURITY_PROFILE_FIELD_NUMBER: _ClassVar[int]
    DPOP_NONCE_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    CERTIFICATE_SUBJECT_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    name: str
    redirect_uris: _containers.RepeatedScalarFieldContainer[str]
    response_types: _containers.RepeatedScalarFieldContainer[_app_pb2.OIDCResponseType]
    grant_types: _containers.RepeatedScalarFieldContainer[_app_pb2.OIDCGrantType]
    app_type: _app_pb2.OIDCAppType
    auth_method_type: _app_pb2.OIDCAuthMethodType
    post_logout_redirect_uris: _containers.RepeatedScalarFieldContainer[str]
    version: _app_pb2.OIDCVersion
    dev_mode: bool
    access_token_type: _app_pb2.OIDCTokenType
    access_token_role_assertion: bool
    id_token_role_assertion: bool
    id_token_userinfo_assertion: bool
    additional_origins: _containers.RepeatedScalarFieldContainer[str]
    back_channel_logout_uri: str
    id_token_signed_response_alg: str
    refresh_token_grace_seconds: int
    client_assertion_audience: _app_pb2.ClientAssertionAudience
    clock_skew: _duration_pb2.Duration
    client_assertion_jti: _app_pb2.ClientAssertionJti
    hinted_logout: bool
    logo_uri: str
    policy_uri: str
    tos_uri: str
    management_access: bool
    strict_auth_method: bool
    roles_claim: str
    apis: _containers.RepeatedScalarFieldContainer[str]
    consent: _app_pb2.Consent
    plain_oauth: bool
    require_pushed_authorization_requests: bool
    loopback_ports: _app_pb2.LoopbackPorts
    plain_schemes: bool
    groups_claim: str
    default_max_age_seconds: int
    session_seconds: int
    session_idle_seconds: int
    access_token_seconds: int
    id_token_seconds: int
    refresh_token_idle_seconds: int
    refresh_token_seconds: int
    minimum_acr: _app_pb2.MinimumAcr
    dpop: _app_pb2.Dpop
    access_token_acr_assertion: bool
    security_profile: _app_pb2.SecurityProfile
    dpop_nonce: bool
    agent: bool
    certificate_subject: str
    def __init__(self, project_id: _Optional[str] = ..., name: _Optional[str] = ..., redirect_uris: _Optional[_Iterable[str]] = ..., response_types: _Optional[_Iterable[_Union[_app_pb2.OIDCResponseType, str]]] = ..., grant_types: _Optional[_Iterable[_Union[_app_pb2.OIDCGrantType, str]]] = ..., app_type: _Optional[_Union[_app_pb2.OIDCAppType, str]] = ..., auth_method_type: _Optional[_Union[_app_pb2.OIDCAuthMethodType, str]] = ..., post_logout_redirect_uris: _Optional[_Iterable[str]] = ..., version: _Optional[_Union[_app_pb2.OIDCVersion, str]] = ..., dev_mode: _Optional[bool] = ..., access_token_type: _Optional[_Union[_app_pb2.OIDCTokenType, str]] = ..., access_token_role_assertion: _Optional[bool] = ..., id_token_role_assertion: _Optional[bool] = ..., id_token_userinfo_assertion: _Optional[bool] = ..., additional_origins: _Optional[_Iterable[str]] = ..., back_channel_logout_uri: _Optional[str] = ..., id_token_signed_response_alg: _Optional[str] = ..., refresh_token_grace_seconds: _Optional[int] = ..., client_assertion_audience: _Optional[_Union[_app_pb2.ClientAssertionAudience, str]] = ..., clock_skew: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., client_assertion_jti: _Optional[_Union[_app_pb2.ClientAssertionJti, str]] = ..., hinted_logout: _Optional[bool] = ..., logo_uri: _Optional[str] = ..., policy_uri: _Optional[str] = ..., tos_uri: _Optional[str] = ..., management_access: _Optional[bool] = ..., strict_auth_method: _Optional[bool] = ..., roles_claim: _Optional[str] = ..., apis: _Optional[_Iterable[str]] = ..., consent: _Optional[_Union[_app_pb2.Consent, str]] = ..., plain_oauth: _Optional[bool] = ..., require_pushed_authorization_requests: _Optional[bool] = ..., loopback_ports: _Optional[_Union[_app_pb2.LoopbackPorts, str]] = ..., plain_schemes: _Optional[bool] = ..., groups_claim: _Optional[str] = ..., default_max_age_seconds: _Optional[int] = ..., session_seconds: _Optional[int] = ..., session_idle_seconds: _Optional[int] = ..., access_token_seconds: _Optional[int] = ..., id_token_seconds: _Optional[int] = ..., refresh_token_idle_seconds: _Optional[int] = ..., refresh_token_seconds: _Optional[int] = ..., minimum_acr: _Optional[_Union[_app_pb2.MinimumAcr, str]] = ..., dpop: _Optional[_Union[_app_pb2.Dpop, str]] = ..., access_token_acr_assertion: _Optional[bool] = ..., security_profile: _Optional[_Union[_app_pb2.SecurityProfile, str]] = ..., dpop_nonce: _Optional[bool] = ..., agent: _Optional[bool] = ..., certificate_subject: _Optional[str] = ...) -> None: ...

class AddOIDCAppResponse(_message.Message):
    __slots__ = ("app_id", "details", "client_id", "client_secret", "none_compliant", "compliance_problems")
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SECRET_FIELD_NUMBER: _ClassVar[int]
    NONE_COMPLIANT_FIELD_NUMBER: _ClassVar[int]
    COMPLIANCE_PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    app_id: str
    details: _object_pb2.ObjectDetails
    client_id: str
    client_secret: str
    none_compliant: bool
    compliance_problems: _containers.RepeatedCompositeFieldContainer[ComplianceProblem]
    def __init__(self, app_id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., client_id: _Optional[str] = ..., client_secret: _Optional[str] = ..., none_compliant: _Optional[bool] = ..., compliance_problems: _Optional[_Iterable[_Union[ComplianceProblem, _Mapping]]] = ...) -> None: ...

class AddAPIAppRequest(_message.Message):
    __slots__ = ("project_id", "name", "auth_method_type", "client_assertion_jti", "resources", "scopes", "token_exchange", "certificate_subject")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    AUTH_METHOD_TYPE_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ASSERTION_JTI_FIELD_NUMBER: _ClassVar[int]
    RESOURCES_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    TOKEN_EXCHANGE_FIELD_NUMBER: _ClassVar[int]
    CERTIFICATE_SUBJECT_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    name: str
    auth_method_type: _app_pb2.APIAuthMethodType
    client_assertion_jti: _app_pb2.ClientAssertionJti
    resources: _containers.RepeatedScalarFieldContainer[str]
    scopes: _containers.RepeatedCompositeFieldContainer[APIScope]
    token_exchange: bool
    certificate_subject: str
    def __init__(self, project_id: _Optional[str] = ..., name: _Optional[str] = ..., auth_method_type: _Optional[_Union[_app_pb2.APIAuthMethodType, str]] = ..., client_assertion_jti: _Optional[_Union[_app_pb2.ClientAssertionJti, str]] = ..., resources: _Optional[_Iterable[str]] = ..., scopes: _Optional[_Iterable[_Union[APIScope, _Mapping]]] = ..., token_exchange: _Optional[bool] = ..., certificate_subject: _Optional[str] = ...) -> None: ...

class AddAPIAppResponse(_message.Message):
    __slots__ = ("app_id", "details", "client_id", "client_secret")
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SECRET_FIELD_NUMBER: _ClassVar[int]
    app_id: str
    details: _object_pb2.ObjectDetails
    client_id: str
    client_secret: str
    def __init__(self, app_id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., client_id: _Optional[str] = ..., client_secret: _Optional[str] = ...) -> None: ...

class GetAppByIDRequest(_message.Message):
    __slots__ = ("project_id", "app_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ...) -> None: ...

class GetAppByIDResponse(_message.Message):
    __slots__ = ("app",)
    APP_FIELD_NUMBER: _ClassVar[int]
    app: App
    def __init__(self, app: _Optional[_Union[App, _Mapping]] = ...) -> None: ...

class UpdateAppRequest(_message.Message):
    __slots__ = ("project_id", "app_id", "name")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    name: str
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class UpdateAppResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class DeactivateAppRequest(_message.Message):
    __slots__ = ("project_id", "app_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ...) -> None: ...

class DeactivateAppResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class ReactivateAppRequest(_message.Message):
    __slots__ = ("project_id", "app_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ...) -> None: ...

class ReactivateAppResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class RemoveAppRequest(_message.Message):
    __slots__ = ("project_id", "app_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ...) -> None: ...

class RemoveAppResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class ListAppsRequest(_message.Message):
    __slots__ = ("project_id", "query", "queries")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    QUERIES_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    query: _object_pb2.ListQuery
    queries: _containers.RepeatedCompositeFieldContainer[AppQuery]
    def __init__(self, project_id: _Optional[str] = ..., query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ..., queries: _Optional[_Iterable[_Union[AppQuery, _Mapping]]] = ...) -> None: ...

class ListAppsResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[App]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[App, _Mapping]]] = ...) -> None: ...

class ListOrgAppsRequest(_message.Message):
    __slots__ = ("query", "queries")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    QUERIES_FIELD_NUMBER: _ClassVar[int]
    query: _object_pb2.ListQuery
    queries: _containers.RepeatedCompositeFieldContainer[AppQuery]
    def __init__(self, query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ..., queries: _Optional[_Iterable[_Union[AppQuery, _Mapping]]] = ...) -> None: ...

class ListOrgAppsResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[OrgApp]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[OrgApp, _Mapping]]] = ...) -> None: ...

class OrgApp(_message.Message):
    __slots__ = ("app", "project_id", "project_name")
    APP_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_NAME_FIELD_NUMBER: _ClassVar[int]
    app: App
    project_id: str
    project_name: str
    def __init__(self, app: _Optional[_Union[App, _Mapping]] = ..., project_id: _Optional[str] = ..., project_name: _Optional[str] = ...) -> None: ...

class AppQuery(_message.Message):
    __slots__ = ("name_query", "words_query", "api_query")
    NAME_QUERY_FIELD_NUMBER: _ClassVar[int]
    WORDS_QUERY_FIELD_NUMBER: _ClassVar[int]
    API_QUERY_FIELD_NUMBER: _ClassVar[int]
    name_query: AppNameQuery
    words_query: _object_pb2.WordsQuery
    api_query: AppAPIQuery
    def __init__(self, name_query: _Optional[_Union[AppNameQuery, _Mapping]] = ..., words_query: _Optional[_Union[_object_pb2.WordsQuery, _Mapping]] = ..., api_query: _Optional[_Union[AppAPIQuery, _Mapping]] = ...) -> None: ...

class AppAPIQuery(_message.Message):
    __slots__ = ("client_id",)
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    client_id: str
    def __init__(self, client_id: _Optional[str] = ...) -> None: ...

class AppNameQuery(_message.Message):
    __slots__ = ("name", "method")
    NAME_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    name: str
    method: _object_pb2.TextQueryMethod
    def __init__(self, name: _Optional[str] = ..., method: _Optional[_Union[_object_pb2.TextQueryMethod, str]] = ...) -> None: ...

class UpdateOIDCAppConfigRequest(_message.Message):
    __slots__ = ("project_id", "app_id", "redirect_uris", "response_types", "grant_types", "app_type", "auth_method_type", "post_logout_redirect_uris", "version", "dev_mode", "access_token_type", "access_token_role_assertion", "id_token_role_assertion", "id_token_userinfo_assertion", "additional_origins", "back_channel_logout_uri", "id_token_signed_response_alg", "refresh_token_grace_seconds", "client_assertion_audience", "clock_skew", "client_assertion_jti", "hinted_logout", "logo_uri", "policy_uri", "tos_uri", "management_access", "strict_auth_method", "roles_claim", "apis", "consent", "plain_oauth", "require_pushed_authorization_requests", "loopback_ports", "plain_schemes", "groups_claim", "default_max_age_seconds", "session_seconds", "session_idle_seconds", "access_token_seconds", "id_token_seconds", "refresh_token_idle_seconds", "refresh_token_seconds", "minimum_acr", "dpop", "access_token_acr_assertion", "security_profile", "dpop_nonce", "agent", "certificate_subject")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    REDIRECT_URIS_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_TYPES_FIELD_NUMBER: _ClassVar[int]
    GRANT_TYPES_FIELD_NUMBER: _ClassVar[int]
    APP_TYPE_FIELD_NUMBER: _ClassVar[int]
    AUTH_METHOD_TYPE_FIELD_NUMBER: _ClassVar[int]
    POST_LOGOUT_REDIRECT_URIS_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    DEV_MODE_FIELD_NUMBER: _ClassVar[int]
    ACCESS_TOKEN_TYPE_FIELD_NUMBER: _ClassVar[int]
    ACCESS_TOKEN_ROLE_ASSERTION_FIELD_NUMBER: _ClassVar[int]
    ID_TOKEN_ROLE_ASSERTION_FIELD_NUMBER: _ClassVar[int]
    ID_TOKEN_USERINFO_ASSERTION_FIELD_NUMBER: _ClassVar[int]
    ADDITIONAL_ORIGINS_FIELD_NUMBER: _ClassVar[int]
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
    APIS_FIELD_NUMBER: _ClassVar[int]
    CONSENT_FIELD_NUMBER: _ClassVar[int]
    PLAIN_OAUTH_FIELD_NUMBER: _ClassVar[int]
    REQUIRE_PUSHED_AUTHORIZATION_REQUESTS_FIELD_NUMBER: _ClassVar[int]
    LOOPBACK_PORTS_FIELD_NUMBER: _ClassVar[int]
    PLAIN_SCHEMES_FIELD_NUMBER: _ClassVar[int]
    GROUPS_CLAIM_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_MAX_AGE_SECONDS_FIELD_NUMBER: _ClassVar[int]
    SESSION_SECONDS_FIELD_NUMBER: _ClassVar[int]
    SESSION_IDLE_SECONDS_FIELD_NUMBER: _ClassVar[int]
    ACCESS_TOKEN_SECONDS_FIELD_NUMBER: _ClassVar[int]
    ID_TOKEN_SECONDS_FIELD_NUMBER: _ClassVar[int]
    REFRESH_TOKEN_IDLE_SECONDS_FIELD_NUMBER: _ClassVar[int]
    REFRESH_TOKEN_SECONDS_FIELD_NUMBER: _ClassVar[int]
    MINIMUM_ACR_FIELD_NUMBER: _ClassVar[int]
    DPOP_FIELD_NUMBER: _ClassVar[int]
    ACCESS_TOKEN_ACR_ASSERTION_FIELD_NUMBER: _ClassVar[int]
    SECURITY_PROFILE_FIELD_NUMBER: _ClassVar[int]
    DPOP_NONCE_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    CERTIFICATE_SUBJECT_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    redirect_uris: _containers.RepeatedScalarFieldContainer[str]
    response_types: _containers.RepeatedScalarFieldContainer[_app_pb2.OIDCResponseType]
    grant_types: _containers.RepeatedScalarFieldContainer[_app_pb2.OIDCGrantType]
    app_type: _app_pb2.OIDCAppType
    auth_method_type: _app_pb2.OIDCAuthMethodType
    post_logout_redirect_uris: _containers.RepeatedScalarFieldContainer[str]
    version: _app_pb2.OIDCVersion
    dev_mode: bool
    access_token_type: _app_pb2.OIDCTokenType
    access_token_role_assertion: bool
    id_token_role_assertion: bool
    id_token_userinfo_assertion: bool
    additional_origins: _containers.RepeatedScalarFieldContainer[str]
    back_channel_logout_uri: str
    id_token_signed_response_alg: str
    refresh_token_grace_seconds: int
    client_assertion_audience: _app_pb2.ClientAssertionAudience
    clock_skew: _duration_pb2.Duration
    client_assertion_jti: _app_pb2.ClientAssertionJti
    hinted_logout: bool
    logo_uri: str
    policy_uri: str
    tos_uri: str
    management_access: bool
    strict_auth_method: bool
    roles_claim: str
    apis: _containers.RepeatedScalarFieldContainer[str]
    consent: _app_pb2.Consent
    plain_oauth: bool
    require_pushed_authorization_requests: bool
    loopback_ports: _app_pb2.LoopbackPorts
    plain_schemes: bool
    groups_claim: str
    default_max_age_seconds: int
    session_seconds: int
    session_idle_seconds: int
    access_token_seconds: int
    id_token_seconds: int
    refresh_token_idle_seconds: int
    refresh_token_seconds: int
    minimum_acr: _app_pb2.MinimumAcr
    dpop: _app_pb2.Dpop
    access_token_acr_assertion: bool
    security_profile: _app_pb2.SecurityProfile
    dpop_nonce: bool
    agent: bool
    certificate_subject: str
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ..., redirect_uris: _Optional[_Iterable[str]] = ..., response_types: _Optional[_Iterable[_Union[_app_pb2.OIDCResponseType, str]]] = ..., grant_types: _Optional[_Iterable[_Union[_app_pb2.OIDCGrantType, str]]] = ..., app_type: _Optional[_Union[_app_pb2.OIDCAppType, str]] = ..., auth_method_type: _Optional[_Union[_app_pb2.OIDCAuthMethodType, str]] = ..., post_logout_redirect_uris: _Optional[_Iterable[str]] = ..., version: _Optional[_Union[_app_pb2.OIDCVersion, str]] = ..., dev_mode: _Optional[bool] = ..., access_token_type: _Optional[_Union[_app_pb2.OIDCTokenType, str]] = ..., access_token_role_assertion: _Optional[bool] = ..., id_token_role_assertion: _Optional[bool] = ..., id_token_userinfo_assertion: _Optional[bool] = ..., additional_origins: _Optional[_Iterable[str]] = ..., back_channel_logout_uri: _Optional[str] = ..., id_token_signed_response_alg: _Optional[str] = ..., refresh_token_grace_seconds: _Optional[int] = ..., client_assertion_audience: _Optional[_Union[_app_pb2.ClientAssertionAudience, str]] = ..., clock_skew: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., client_assertion_jti: _Optional[_Union[_app_pb2.ClientAssertionJti, str]] = ..., hinted_logout: _Optional[bool] = ..., logo_uri: _Optional[str] = ..., policy_uri: _Optional[str] = ..., tos_uri: _Optional[str] = ..., management_access: _Optional[bool] = ..., strict_auth_method: _Optional[bool] = ..., roles_claim: _Optional[str] = ..., apis: _Optional[_Iterable[str]] = ..., consent: _Optional[_Union[_app_pb2.Consent, str]] = ..., plain_oauth: _Optional[bool] = ..., require_pushed_authorization_requests: _Optional[bool] = ..., loopback_ports: _Optional[_Union[_app_pb2.LoopbackPorts, str]] = ..., plain_schemes: _Optional[bool] = ..., groups_claim: _Optional[str] = ..., default_max_age_seconds: _Optional[int] = ..., session_seconds: _Optional[int] = ..., session_idle_seconds: _Optional[int] = ..., access_token_seconds: _Optional[int] = ..., id_token_seconds: _Optional[int] = ..., refresh_token_idle_seconds: _Optional[int] = ..., refresh_token_seconds: _Optional[int] = ..., minimum_acr: _Optional[_Union[_app_pb2.MinimumAcr, str]] = ..., dpop: _Optional[_Union[_app_pb2.Dpop, str]] = ..., access_token_acr_assertion: _Optional[bool] = ..., security_profile: _Optional[_Union[_app_pb2.SecurityProfile, str]] = ..., dpop_nonce: _Optional[bool] = ..., agent: _Optional[bool] = ..., certificate_subject: _Optional[str] = ...) -> None: ...

class UpdateOIDCAppConfigResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class UpdateAPIAppConfigRequest(_message.Message):
    __slots__ = ("project_id", "app_id", "auth_method_type", "client_assertion_jti", "token_exchange", "certificate_subject")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    AUTH_METHOD_TYPE_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ASSERTION_JTI_FIELD_NUMBER: _ClassVar[int]
    TOKEN_EXCHANGE_FIELD_NUMBER: _ClassVar[int]
    CERTIFICATE_SUBJECT_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    auth_method_type: _app_pb2.APIAuthMethodType
    client_assertion_jti: _app_pb2.ClientAssertionJti
    token_exchange: bool
    certificate_subject: str
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ..., auth_method_type: _Optional[_Union[_app_pb2.APIAuthMethodType, str]] = ..., client_assertion_jti: _Optional[_Union[_app_pb2.ClientAssertionJti, str]] = ..., token_exchange: _Optional[bool] = ..., certificate_subject: _Optional[str] = ...) -> None: ...

class UpdateAPIAppConfigResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class SetAppClaimRulesRequest(_message.Message):
    __slots__ = ("project_id", "app_id", "claim_rules")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    CLAIM_RULES_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    claim_rules: _containers.RepeatedCompositeFieldContainer[_claim_rule_pb2.ClaimRule]
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ..., claim_rules: _Optional[_Iterable[_Union[_claim_rule_pb2.ClaimRule, _Mapping]]] = ...) -> None: ...

class SetAppClaimRulesResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class PreviewTokensRequest(_message.Message):
    __slots__ = ("project_id", "app_id", "user_id", "scope", "change", "roles")
    class Change(_message.Message):
        __slots__ = ("claim_rules",)
        CLAIM_RULES_FIELD_NUMBER: _ClassVar[int]
        claim_rules: _containers.RepeatedCompositeFieldContainer[_claim_rule_pb2.ClaimRule]
        def __init__(self, claim_rules: _Optional[_Iterable[_Union[_claim_rule_pb2.ClaimRule, _Mapping]]] = ...) -> None: ...
    class Roles(_message.Message):
        __slots__ = ("project_id", "role_keys")
        PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
        ROLE_KEYS_FIELD_NUMBER: _ClassVar[int]
        project_id: str
        role_keys: _containers.RepeatedScalarFieldContainer[str]
        def __init__(self, project_id: _Optional[str] = ..., role_keys: _Optional[_Iterable[str]] = ...) -> None: ...
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    CHANGE_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    user_id: str
    scope: str
    change: PreviewTokensRequest.Change
    roles: _containers.RepeatedCompositeFieldContainer[PreviewTokensRequest.Roles]
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ..., user_id: _Optional[str] = ..., scope: _Optional[str] = ..., change: _Optional[_Union[PreviewTokensRequest.Change, _Mapping]] = ..., roles: _Optional[_Iterable[_Union[PreviewTokensRequest.Roles, _Mapping]]] = ...) -> None: ...

class PreviewTokensResponse(_message.Message):
    __slots__ = ("current", "changed")
    CURRENT_FIELD_NUMBER: _ClassVar[int]
    CHANGED_FIELD_NUMBER: _ClassVar[int]
    current: _claim_rule_pb2.TokenPreview
    changed: _claim_rule_pb2.TokenPreview
    def __init__(self, current: _Optional[_Union[_claim_rule_pb2.TokenPreview, _Mapping]] = ..., changed: _Optional[_Union[_claim_rule_pb2.TokenPreview, _Mapping]] = ...) -> None: ...

class SetAppTrustedWorkloadsRequest(_message.Message):
    __slots__ = ("project_id", "app_id", "trusted_workloads")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_WORKLOADS_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    trusted_workloads: _containers.RepeatedCompositeFieldContainer[_trusted_workload_pb2.TrustedWorkload]
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ..., trusted_workloads: _Optional[_Iterable[_Union[_trusted_workload_pb2.TrustedWorkload, _Mapping]]] = ...) -> None: ...

class SetAppTrustedWorkloadsResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class GetAppTrustedWorkloadsRequest(_message.Message):
    __slots__ = ("project_id", "app_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ...) -> None: ...

class GetAppTrustedWorkloadsResponse(_message.Message):
    __slots__ = ("details", "trusted_workloads", "last_refused", "last_uses")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_WORKLOADS_FIELD_NUMBER: _ClassVar[int]
    LAST_REFUSED_FIELD_NUMBER: _ClassVar[int]
    LAST_USES_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    trusted_workloads: _containers.RepeatedCompositeFieldContainer[_trusted_workload_pb2.TrustedWorkload]
    last_refused: _trusted_workload_pb2.RefusedWorkloadToken
    last_uses: _containers.RepeatedCompositeFieldContainer[_trusted_workload_pb2.WorkloadUse]
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., trusted_workloads: _Optional[_Iterable[_Union[_trusted_workload_pb2.TrustedWorkload, _Mapping]]] = ..., last_refused: _Optional[_Union[_trusted_workload_pb2.RefusedWorkloadToken, _Mapping]] = ..., last_uses: _Optional[_Iterable[_Union[_trusted_workload_pb2.WorkloadUse, _Mapping]]] = ...) -> None: ...

class SetAPIScopesRequest(_message.Message):
    __slots__ = ("project_id", "app_id", "resources", "scopes")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    RESOURCES_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    resources: _containers.RepeatedScalarFieldContainer[str]
    scopes: _containers.RepeatedCompositeFieldContainer[APIScope]
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ..., resources: _Optional[_Iterable[str]] = ..., scopes: _Optional[_Iterable[_Union[APIScope, _Mapping]]] = ...) -> None: ...

class SetAPIScopesResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class ListAppAPIsRequest(_message.Message):
    __slots__ = ("project_id", "app_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ...) -> None: ...

class ListAppAPIsResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[UsableAPI]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[UsableAPI, _Mapping]]] = ...) -> None: ...

class UsableAPI(_message.Message):
    __slots__ = ("client_id", "app_id", "name", "project_id", "project_name", "org_id", "org_name", "resources", "scopes")
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_NAME_FIELD_NUMBER: _ClassVar[int]
    ORG_ID_FIELD_NUMBER: _ClassVar[int]
    ORG_NAME_FIELD_NUMBER: _ClassVar[int]
    RESOURCES_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    client_id: str
    app_id: str
    name: str
    project_id: str
    project_name: str
    org_id: str
    org_name: str
    resources: _containers.RepeatedScalarFieldContainer[str]
    scopes: _containers.RepeatedCompositeFieldContainer[APIScope]
    def __init__(self, client_id: _Optional[str] = ..., app_id: _Optional[str] = ..., name: _Optional[str] = ..., project_id: _Optional[str] = ..., project_name: _Optional[str] = ..., org_id: _Optional[str] = ..., org_name: _Optional[str] = ..., resources: _Optional[_Iterable[str]] = ..., scopes: _Optional[_Iterable[_Union[APIScope, _Mapping]]] = ...) -> None: ...

class AddAppAPIRequest(_message.Message):
    __slots__ = ("project_id", "app_id", "client_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    client_id: str
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ..., client_id: _Optional[str] = ...) -> None: ...

class AddAppAPIResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class RemoveAppAPIRequest(_message.Message):
    __slots__ = ("project_id", "app_id", "client_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    client_id: str
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ..., client_id: _Optional[str] = ...) -> None: ...

class RemoveAppAPIResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class RegenerateOIDCClientSecretRequest(_message.Message):
    __slots__ = ("project_id", "app_id", "keep_seconds", "expires_after_days")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    KEEP_SECONDS_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AFTER_DAYS_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    keep_seconds: int
    expires_after_days: int
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ..., keep_seconds: _Optional[int] = ..., expires_after_days: _Optional[int] = ...) -> None: ...

class RegenerateOIDCClientSecretResponse(_message.Message):
    __slots__ = ("client_secret", "details", "previous_secret_until")
    CLIENT_SECRET_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_SECRET_UNTIL_FIELD_NUMBER: _ClassVar[int]
    client_secret: str
    details: _object_pb2.ObjectDetails
    previous_secret_until: _timestamp_pb2.Timestamp
    def __init__(self, client_secret: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., previous_secret_until: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class RegenerateAPIClientSecretRequest(_message.Message):
    __slots__ = ("project_id", "app_id", "keep_seconds", "expires_after_days")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    KEEP_SECONDS_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AFTER_DAYS_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    keep_seconds: int
    expires_after_days: int
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ..., keep_seconds: _Optional[int] = ..., expires_after_days: _Optional[int] = ...) -> None: ...

class RegenerateAPIClientSecretResponse(_message.Message):
    __slots__ = ("client_secret", "details", "previous_secret_until")
    CLIENT_SECRET_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_SECRET_UNTIL_FIELD_NUMBER: _ClassVar[int]
    client_secret: str
    details: _object_pb2.ObjectDetails
    previous_secret_until: _timestamp_pb2.Timestamp
    def __init__(self, client_secret: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., previous_secret_until: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class RemovePreviousClientSecretRequest(_message.Message):
    __slots__ = ("project_id", "app_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ...) -> None: ...

class RemovePreviousClientSecretResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class AddAppKeyRequest(_message.Message):
    __slots__ = ("project_id", "app_id", "type", "expiration_date", "public_key")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    EXPIRATION_DATE_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_KEY_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    type: _keys_pb2.KeyType
    expiration_date: _timestamp_pb2.Timestamp
    public_key: bytes
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ..., type: _Optional[_Union[_keys_pb2.KeyType, str]] = ..., expiration_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., public_key: _Optional[bytes] = ...) -> None: ...

class AddAppKeyResponse(_message.Message):
    __slots__ = ("id", "details", "key_details")
    ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    KEY_DETAILS_FIELD_NUMBER: _ClassVar[int]
    id: str
    details: _object_pb2.ObjectDetails
    key_details: bytes
    def __init__(self, id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., key_details: _Optional[bytes] = ...) -> None: ...

class GetAppKeyRequest(_message.Message):
    __slots__ = ("project_id", "app_id", "key_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    KEY_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    key_id: str
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ..., key_id: _Optional[str] = ...) -> None: ...

class GetAppKeyResponse(_message.Message):
    __slots__ = ("key",)
    KEY_FIELD_NUMBER: _ClassVar[int]
    key: _keys_pb2.Key
    def __init__(self, key: _Optional[_Union[_keys_pb2.Key, _Mapping]] = ...) -> None: ...

class RemoveAppKeyRequest(_message.Message):
    __slots__ = ("project_id", "app_id", "key_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    KEY_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    key_id: str
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ..., key_id: _Optional[str] = ...) -> None: ...

class RemoveAppKeyResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class ListAppKeysRequest(_message.Message):
    __slots__ = ("project_id", "app_id", "query")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    query: _object_pb2.ListQuery
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ..., query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ...) -> None: ...

class ListAppKeysResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[_keys_pb2.Key]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[_keys_pb2.Key, _Mapping]]] = ...) -> None: ...
