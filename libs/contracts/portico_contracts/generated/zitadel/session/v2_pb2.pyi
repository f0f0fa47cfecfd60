import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from portico_contracts.generated.zitadel.object import v2_pb2 as _v2_pb2
from portico_contracts.generated.zitadel import v1_pb2 as _v1_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SessionFieldName(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SESSION_FIELD_NAME_UNSPECIFIED: _ClassVar[SessionFieldName]
    SESSION_FIELD_NAME_CREATION_DATE: _ClassVar[SessionFieldName]

class UserVerificationRequirement(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    USER_VERIFICATION_REQUIREMENT_UNSPECIFIED: _ClassVar[UserVerificationRequirement]
    USER_VERIFICATION_REQUIREMENT_REQUIRED: _ClassVar[UserVerificationRequirement]
    USER_VERIFICATION_REQUIREMENT_PREFERRED: _ClassVar[UserVerificationRequirement]
    USER_VERIFICATION_REQUIREMENT_DISCOURAGED: _ClassVar[UserVerificationRequirement]
SESSION_FIELD_NAME_UNSPECIFIED: SessionFieldName
SESSION_FIELD_NAME_CREATION_DATE: SessionFieldName
USER_VERIFICATION_REQUIREMENT_UNSPECIFIED: UserVerificationRequirement
USER_VERIFICATION_REQUIREMENT_REQUIRED: UserVerificationRequirement
USER_VERIFICATION_REQUIREMENT_PREFERRED: UserVerificationRequirement
USER_VERIFICATION_REQUIREMENT_DISCOURAGED: UserVerificationRequirement

class Challenges(_message.Message):
    __slots__ = ("web_auth_n", "otp_sms", "otp_email")
    class WebAuthN(_message.Message):
        __slots__ = ("public_key_credential_request_options",)
        PUBLIC_KEY_CREDENTIAL_REQUEST_OPTIONS_FIELD_NUMBER: _ClassVar[int]
        public_key_credential_request_options: _struct_pb2.Struct
        def __init__(self, public_key_credential_request_options: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...
    WEB_AUTH_N_FIELD_NUMBER: _ClassVar[int]
    OTP_SMS_FIELD_NUMBER: _ClassVar[int]
    OTP_EMAIL_FIELD_NUMBER: _ClassVar[int]
    web_auth_n: Challenges.WebAuthN
    otp_sms: str
    otp_email: str
    def __init__(self, web_auth_n: _Optional[_Union[Challenges.WebAuthN, _Mapping]] = ..., otp_sms: _Optional[str] = ..., otp_email: _Optional[str] = ...) -> None: ...

class CheckIDPIntent(_message.Message):
    __slots__ = ("idp_intent_id", "idp_intent_token")
    IDP_INTENT_ID_FIELD_NUMBER: _ClassVar[int]
    IDP_INTENT_TOKEN_FIELD_NUMBER: _ClassVar[int]
    idp_intent_id: str
    idp_intent_token: str
    def __init__(self, idp_intent_id: _Optional[str] = ..., idp_intent_token: _Optional[str] = ...) -> None: ...

class CheckOTP(_message.Message):
    __slots__ = ("code",)
    CODE_FIELD_NUMBER: _ClassVar[int]
    code: str
    def __init__(self, code: _Optional[str] = ...) -> None: ...

class CheckPassword(_message.Message):
    __slots__ = ("password",)
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    password: str
    def __init__(self, password: _Optional[str] = ...) -> None: ...

class CheckTOTP(_message.Message):
    __slots__ = ("code",)
    CODE_FIELD_NUMBER: _ClassVar[int]
    code: str
    def __init__(self, code: _Optional[str] = ...) -> None: ...

class CheckUser(_message.Message):
    __slots__ = ("user_id", "login_name")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    LOGIN_NAME_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    login_name: str
    def __init__(self, user_id: _Optional[str] = ..., login_name: _Optional[str] = ...) -> None: ...

class CheckWebAuthN(_message.Message):
    __slots__ = ("credential_assertion_data",)
    CREDENTIAL_ASSERTION_DATA_FIELD_NUMBER: _ClassVar[int]
    credential_assertion_data: _struct_pb2.Struct
    def __init__(self, credential_assertion_data: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...

class Checks(_message.Message):
    __slots__ = ("user", "password", "web_auth_n", "idp_intent", "totp", "otp_sms", "otp_email")
    USER_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    WEB_AUTH_N_FIELD_NUMBER: _ClassVar[int]
    IDP_INTENT_FIELD_NUMBER: _ClassVar[int]
    TOTP_FIELD_NUMBER: _ClassVar[int]
    OTP_SMS_FIELD_NUMBER: _ClassVar[int]
    OTP_EMAIL_FIELD_NUMBER: _ClassVar[int]
    user: CheckUser
    password: CheckPassword
    web_auth_n: CheckWebAuthN
    idp_intent: CheckIDPIntent
    totp: CheckTOTP
    otp_sms: CheckOTP
    otp_email: CheckOTP
    def __init__(self, user: _Optional[_Union[CheckUser, _Mapping]] = ..., password: _Optional[_Union[CheckPassword, _Mapping]] = ..., web_auth_n: _Optional[_Union[CheckWebAuthN, _Mapping]] = ..., idp_intent: _Optional[_Union[CheckIDPIntent, _Mapping]] = ..., totp: _Optional[_Union[CheckTOTP, _Mapping]] = ..., otp_sms: _Optional[_Union[CheckOTP, _Mapping]] = ..., otp_email: _Optional[_Union[CheckOTP, _Mapping]] = ...) -> None: ...

class CreateSessionRequest(_message.Message):
    __slots__ = ("checks", "metadata", "challenges", "user_agent", "lifetime")
    class MetadataEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: bytes
        def __init__(self, key: _Optional[str] = ..., value: _Optional[bytes] = ...) -> None: ...
    CHECKS_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    CHALLENGES_FIELD_NUMBER: _ClassVar[int]
    USER_AGENT_FIELD_NUMBER: _ClassVar[int]
    LIFETIME_FIELD_NUMBER: _ClassVar[int]
    checks: Checks
    metadata: _containers.ScalarMap[str, bytes]
    challenges: RequestChallenges
    user_agent: UserAgent
    lifetime: _duration_pb2.Duration
    def __init__(self, checks: _Optional[_Union[Checks, _Mapping]] = ..., metadata: _Optional[_Mapping[str, bytes]] = ..., challenges: _Optional[_Union[RequestChallenges, _Mapping]] = ..., user_agent: _Optional[_Union[UserAgent, _Mapping]] = ..., lifetime: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class CreateSessionResponse(_message.Message):
    __slots__ = ("details", "session_id", "session_token", "challenges")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_TOKEN_FIELD_NUMBER: _ClassVar[int]
    CHALLENGES_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2.Details
    session_id: str
    session_token: str
    challenges: Challenges
    def __init__(self, details: _Optional[_Union[_v2_pb2.Details, _Mapping]] = ..., session_id: _Optional[str] = ..., session_token: _Optional[str] = ..., challenges: _Optional[_Union[Challenges, _Mapping]] = ...) -> None: ...

class CreationDateQuery(_message.Message):
    __slots__ = ("creation_date", "method")
    CREATION_DATE_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    creation_date: _timestamp_pb2.Timestamp
    method: _v1_pb2.TimestampQueryMethod
    def __init__(self, creation_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., method: _Optional[_Union[_v1_pb2.TimestampQueryMethod, str]] = ...) -> None: ...

class CreatorQuery(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class DeleteSessionRequest(_message.Message):
    __slots__ = ("session_id", "session_token")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_TOKEN_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    session_token: str
    def __init__(self, session_id: _Optional[str] = ..., session_token: _Optional[str] = ...) -> None: ...

class DeleteSessionResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2.Details
    def __init__(self, details: _Optional[_Union[_v2_pb2.Details, _Mapping]] = ...) -> None: ...

class Factors(_message.Message):
    __slots__ = ("user", "password", "web_auth_n", "intent", "totp", "otp_sms", "otp_email")
    USER_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    WEB_AUTH_N_FIELD_NUMBER: _ClassVar[int]
    INTENT_FIELD_NUMBER: _ClassVar[int]
    TOTP_FIELD_NUMBER: _ClassVar[int]
    OTP_SMS_FIELD_NUMBER: _ClassVar[int]
    OTP_EMAIL_FIELD_NUMBER: _ClassVar[int]
    user: UserFactor
    password: PasswordFactor
    web_auth_n: WebAuthNFactor
    intent: IntentFactor
    totp: TOTPFactor
    otp_sms: OTPFactor
    otp_email: OTPFactor
    def __init__(self, user: _Optional[_Union[UserFactor, _Mapping]] = ..., password: _Optional[_Union[PasswordFactor, _Mapping]] = ..., web_auth_n: _Optional[_Union[WebAuthNFactor, _Mapping]] = ..., intent: _Optional[_Union[IntentFactor, _Mapping]] = ..., totp: _Optional[_Union[TOTPFactor, _Mapping]] = ..., otp_sms: _Optional[_Union[OTPFactor, _Mapping]] = ..., otp_email: _Optional[_Union[OTPFactor, _Mapping]] = ...) -> None: ...

class GetSessionRequest(_message.Message):
    __slots__ = ("session_id", "session_token")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_TOKEN_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    session_token: str
    def __init__(self, session_id: _Optional[str] = ..., session_token: _Optional[str] = ...) -> None: ...

class GetSessionResponse(_message.Message):
    __slots__ = ("session",)
    SESSION_FIELD_NUMBER: _ClassVar[int]
    session: Session
    def __init__(self, session: _Optional[_Union[Session, _Mapping]] = ...) -> None: ...

class IDsQuery(_message.Message):
    __slots__ = ("ids",)
    IDS_FIELD_NUMBER: _ClassVar[int]
    ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, ids: _Optional[_Iterable[str]] = ...) -> None: ...

class IntentFactor(_message.Message):
    __slots__ = ("verified_at",)
    VERIFIED_AT_FIELD_NUMBER: _ClassVar[int]
    verified_at: _timestamp_pb2.Timestamp
    def __init__(self, verified_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListSessionsRequest(_message.Message):
    __slots__ = ("query", "queries", "sorting_column")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    QUERIES_FIELD_NUMBER: _ClassVar[int]
    SORTING_COLUMN_FIELD_NUMBER: _ClassVar[int]
    query: _v2_pb2.ListQuery
    queries: _containers.RepeatedCompositeFieldContainer[SearchQuery]
    sorting_column: SessionFieldName
    def __init__(self, query: _Optional[_Union[_v2_pb2.ListQuery, _Mapping]] = ..., queries: _Optional[_Iterable[_Union[SearchQuery, _Mapping]]] = ..., sorting_column: _Optional[_Union[SessionFieldName, str]] = ...) -> None: ...

class ListSessionsResponse(_message.Message):
    __slots__ = ("details", "sessions")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    SESSIONS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2.ListDetails
    sessions: _containers.RepeatedCompositeFieldContainer[Session]
    def __init__(self, details: _Optional[_Union[_v2_pb2.ListDetails, _Mapping]] = ..., sessions: _Optional[_Iterable[_Union[Session, _Mapping]]] = ...) -> None: ...

class OTPFactor(_message.Message):
    __slots__ = ("verified_at",)
    VERIFIED_AT_FIELD_NUMBER: _ClassVar[int]
    verified_at: _timestamp_pb2.Timestamp
    def __init__(self, verified_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class PasswordFactor(_message.Message):
    __slots__ = ("verified_at",)
    VERIFIED_AT_FIELD_NUMBER: _ClassVar[int]
    verified_at: _timestamp_pb2.Timestamp
    def __init__(self, verified_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class RequestChallenges(_message.Message):
    __slots__ = ("web_auth_n", "otp_sms", "otp_email")
    class OTPEmail(_message.Message):
        __slots__ = ("send_code", "return_code")
        class ReturnCode(_message.Message):
            __slots__ = ()
            def __init__(self) -> None: ...
        class SendCode(_message.Message):
            __slots__ = ("url_template",)
            URL_TEMPLATE_FIELD_NUMBER: _ClassVar[int]
            url_template: str
            def __init__(self, url_template: _Optional[str] = ...) -> None: ...
        SEND_CODE_FIELD_NUMBER: _ClassVar[int]
        RETURN_CODE_FIELD_NUMBER: _ClassVar[int]
        send_code: RequestChallenges.OTPEmail.SendCode
        return_code: RequestChallenges.OTPEmail.ReturnCode
        def __init__(self, send_code: _Optional[_Union[RequestChallenges.OTPEmail.SendCode, _Mapping]] = ..., return_code: _Optional[_Union[RequestChallenges.OTPEmail.ReturnCode, _Mapping]] = ...) -> None: ...
    class OTPSMS(_message.Message):
        __slots__ = ("return_code",)
        RETURN_CODE_FIELD_NUMBER: _ClassVar[int]
        return_code: bool
        def __init__(self, return_code: _Optional[bool] = ...) -> None: ...
    class WebAuthN(_message.Message):
        __slots__ = ("domain", "user_verification_requirement")
        DOMAIN_FIELD_NUMBER: _ClassVar[int]
        USER_VERIFICATION_REQUIREMENT_FIELD_NUMBER: _ClassVar[int]
        domain: str
        user_verification_requirement: UserVerificationRequirement
        def __init__(self, domain: _Optional[str] = ..., user_verification_requirement: _Optional[_Union[UserVerificationRequirement, str]] = ...) -> None: ...
    WEB_AUTH_N_FIELD_NUMBER: _ClassVar[int]
    OTP_SMS_FIELD_NUMBER: _ClassVar[int]
    OTP_EMAIL_FIELD_NUMBER: _ClassVar[int]
    web_auth_n: RequestChallenges.WebAuthN
    otp_sms: RequestChallenges.OTPSMS
    otp_email: RequestChallenges.OTPEmail
    def __init__(self, web_auth_n: _Optional[_Union[RequestChallenges.WebAuthN, _Mapping]] = ..., otp_sms: _Optional[_Union[RequestChallenges.OTPSMS, _Mapping]] = ..., otp_email: _Optional[_Union[RequestChallenges.OTPEmail, _Mapping]] = ...) -> None: ...

class SearchQuery(_message.Message):
    __slots__ = ("ids_query", "user_id_query", "creation_date_query", "creator_query", "user_agent_query")
    IDS_QUERY_FIELD_NUMBER: _ClassVar[int]
    USER_ID_QUERY_FIELD_NUMBER: _ClassVar[int]
    CREATION_DATE_QUERY_FIELD_NUMBER: _ClassVar[int]
    CREATOR_QUERY_FIELD_NUMBER: _ClassVar[int]
    USER_AGENT_QUERY_FIELD_NUMBER: _ClassVar[int]
    ids_query: IDsQuery
    user_id_query: UserIDQuery
    creation_date_query: CreationDateQuery
    creator_query: CreatorQuery
    user_agent_query: UserAgentQuery
    def __init__(self, ids_query: _Optional[_Union[IDsQuery, _Mapping]] = ..., user_id_query: _Optional[_Union[UserIDQuery, _Mapping]] = ..., creation_date_query: _Optional[_Union[CreationDateQuery, _Mapping]] = ..., creator_query: _Optional[_Union[CreatorQuery, _Mapping]] = ..., user_agent_query: _Optional[_Union[UserAgentQuery, _Mapping]] = ...) -> None: ...

class Session(_message.Message):
    __slots__ = ("id", "creation_date", "change_date", "sequence", "factors", "metadata", "user_agent", "expiration_date")
    class MetadataEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: bytes
        def __init__(self, key: _Optional[str] = ..., value: _Optional[bytes] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    CREATION_DATE_FIELD_NUMBER: _ClassVar[int]
    CHANGE_DATE_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    FACTORS_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    USER_AGENT_FIELD_NUMBER: _ClassVar[int]
    EXPIRATION_DATE_FIELD_NUMBER: _ClassVar[int]
    id: str
    creation_date: _timestamp_pb2.Timestamp
    change_date: _timestamp_pb2.Timestamp
    sequence: int
    factors: Factors
    metadata: _containers.ScalarMap[str, bytes]
    user_agent: UserAgent
    expiration_date: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[str] = ..., creation_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., change_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., sequence: _Optional[int] = ..., factors: _Optional[_Union[Factors, _Mapping]] = ..., metadata: _Optional[_Mapping[str, bytes]] = ..., user_agent: _Optional[_Union[UserAgent, _Mapping]] = ..., expiration_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class SetSessionRequest(_message.Message):
    __slots__ = ("session_id", "session_token", "checks", "metadata", "challenges", "lifetime")
    class MetadataEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: bytes
        def __init__(self, key: _Optional[str] = ..., value: _Optional[bytes] = ...) -> None: ...
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_TOKEN_FIELD_NUMBER: _ClassVar[int]
    CHECKS_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    CHALLENGES_FIELD_NUMBER: _ClassVar[int]
    LIFETIME_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    session_token: str
    checks: Checks
    metadata: _containers.ScalarMap[str, bytes]
    challenges: RequestChallenges
    lifetime: _duration_pb2.Duration
    def __init__(self, session_id: _Optional[str] = ..., session_token: _Optional[str] = ..., checks: _Optional[_Union[Checks, _Mapping]] = ..., metadata: _Optional[_Mapping[str, bytes]] = ..., challenges: _Optional[_Union[RequestChallenges, _Mapping]] = ..., lifetime: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class SetSessionResponse(_message.Message):
    __slots__ = ("details", "session_token", "challenges")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    SESSION_TOKEN_FIELD_NUMBER: _ClassVar[int]
    CHALLENGES_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2.Details
    session_token: str
    challenges: Challenges
    def __init__(self, details: _Optional[_Union[_v2_pb2.Details, _Mapping]] = ..., session_token: _Optional[str] = ..., challenges: _Optional[_Union[Challenges, _Mapping]] = ...) -> None: ...

class TOTPFactor(_message.Message):
    __slots__ = ("verified_at",)
    VERIFIED_AT_FIELD_NUMBER: _ClassVar[int]
    verified_at: _timestamp_pb2.Timestamp
    def __init__(self, verified_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class UserAgent(_message.Message):
    __slots__ = ("fingerprint_id", "ip", "description", "header")
    class HeaderEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: UserAgent.HeaderValues
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[UserAgent.HeaderValues, _Mapping]] = ...) -> None: ...
    class HeaderValues(_message.Message):
        __slots__ = ("values",)
        VALUES_FIELD_NUMBER: _ClassVar[int]
        values: _containers.RepeatedScalarFieldContainer[str]
        def __init__(self, values: _Optional[_Iterable[str]] = ...) -> None: ...
    FINGERPRINT_ID_FIELD_NUMBER: _ClassVar[int]
    IP_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    HEADER_FIELD_NUMBER: _ClassVar[int]
    fingerprint_id: str
    ip: str
    description: str
    header: _containers.MessageMap[str, UserAgent.HeaderValues]
    def __init__(self, fingerprint_id: _Optional[str] = ..., ip: _Optional[str] = ..., description: _Optional[str] = ..., header: _Optional[_Mapping[str, UserAgent.HeaderValues]] = ...) -> None: ...

class UserAgentQuery(_message.Message):
    __slots__ = ("fingerprint_id",)
    FINGERPRINT_ID_FIELD_NUMBER: _ClassVar[int]
    fingerprint_id: str
    def __init__(self, fingerprint_id: _Optional[str] = ...) -> None: ...

class UserFactor(_message.Message):
    __slots__ = ("verified_at", "id", "login_name", "display_name", "organization_id")
    VERIFIED_AT_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    LOGIN_NAME_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    verified_at: _timestamp_pb2.Timestamp
    id: str
    login_name: str
    display_name: str
    organization_id: str
    def __init__(self, verified_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., id: _Optional[str] = ..., login_name: _Optional[str] = ..., display_name: _Optional[str] = ..., organization_id: _Optional[str] = ...) -> None: ...

class UserIDQuery(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class WebAuthNFactor(_message.Message):
    __slots__ = ("verified_at", "user_verified")
    VERIFIED_AT_FIELD_NUMBER: _ClassVar[int]
    USER_VERIFIED_FIELD_NUMBER: _ClassVar[int]
    verified_at: _timestamp_pb2.Timestamp
    user_verified: bool
    def __init__(self, verified_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., user_verified: _Optional[bool] = ...) -> None: ...
