import datetime

from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from portico_contracts.generated.portico.object.v2 import object_pb2 as _object_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2_1
from portico_contracts.generated.portico.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PasskeyAuthenticator(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PASSKEY_AUTHENTICATOR_UNSPECIFIED: _ClassVar[PasskeyAuthenticator]
    PASSKEY_AUTHENTICATOR_PLATFORM: _ClassVar[PasskeyAuthenticator]
    PASSKEY_AUTHENTICATOR_CROSS_PLATFORM: _ClassVar[PasskeyAuthenticator]

class AuthFactorState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    AUTH_FACTOR_STATE_UNSPECIFIED: _ClassVar[AuthFactorState]
    AUTH_FACTOR_STATE_NOT_READY: _ClassVar[AuthFactorState]
    AUTH_FACTOR_STATE_READY: _ClassVar[AuthFactorState]
    AUTH_FACTOR_STATE_REMOVED: _ClassVar[AuthFactorState]

class AuthenticationMethodType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    AUTHENTICATION_METHOD_TYPE_UNSPECIFIED: _ClassVar[AuthenticationMethodType]
    AUTHENTICATION_METHOD_TYPE_PASSWORD: _ClassVar[AuthenticationMethodType]
    AUTHENTICATION_METHOD_TYPE_PASSKEY: _ClassVar[AuthenticationMethodType]
    AUTHENTICATION_METHOD_TYPE_IDP: _ClassVar[AuthenticationMethodType]
    AUTHENTICATION_METHOD_TYPE_TOTP: _ClassVar[AuthenticationMethodType]
    AUTHENTICATION_METHOD_TYPE_U2F: _ClassVar[AuthenticationMethodType]
    AUTHENTICATION_METHOD_TYPE_OTP_SMS: _ClassVar[AuthenticationMethodType]
    AUTHENTICATION_METHOD_TYPE_OTP_EMAIL: _ClassVar[AuthenticationMethodType]
    AUTHENTICATION_METHOD_TYPE_RECOVERY_CODE: _ClassVar[AuthenticationMethodType]
PASSKEY_AUTHENTICATOR_UNSPECIFIED: PasskeyAuthenticator
PASSKEY_AUTHENTICATOR_PLATFORM: PasskeyAuthenticator
PASSKEY_AUTHENTICATOR_CROSS_PLATFORM: PasskeyAuthenticator
AUTH_FACTOR_STATE_UNSPECIFIED: AuthFactorState
AUTH_FACTOR_STATE_NOT_READY: AuthFactorState
AUTH_FACTOR_STATE_READY: AuthFactorState
AUTH_FACTOR_STATE_REMOVED: AuthFactorState
AUTHENTICATION_METHOD_TYPE_UNSPECIFIED: AuthenticationMethodType
AUTHENTICATION_METHOD_TYPE_PASSWORD: AuthenticationMethodType
AUTHENTICATION_METHOD_TYPE_PASSKEY: AuthenticationMethodType
AUTHENTICATION_METHOD_TYPE_IDP: AuthenticationMethodType
AUTHENTICATION_METHOD_TYPE_TOTP: AuthenticationMethodType
AUTHENTICATION_METHOD_TYPE_U2F: AuthenticationMethodType
AUTHENTICATION_METHOD_TYPE_OTP_SMS: AuthenticationMethodType
AUTHENTICATION_METHOD_TYPE_OTP_EMAIL: AuthenticationMethodType
AUTHENTICATION_METHOD_TYPE_RECOVERY_CODE: AuthenticationMethodType

class RegisterU2FRequest(_message.Message):
    __slots__ = ("user_id", "domain")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    DOMAIN_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    domain: str
    def __init__(self, user_id: _Optional[str] = ..., domain: _Optional[str] = ...) -> None: ...

class RegisterU2FResponse(_message.Message):
    __slots__ = ("details", "u2f_id", "public_key_credential_creation_options")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    U2F_ID_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_KEY_CREDENTIAL_CREATION_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    u2f_id: str
    public_key_credential_creation_options: _struct_pb2.Struct
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ..., u2f_id: _Optional[str] = ..., public_key_credential_creation_options: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...

class VerifyU2FRegistrationRequest(_message.Message):
    __slots__ = ("user_id", "u2f_id", "public_key_credential", "token_name")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    U2F_ID_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_KEY_CREDENTIAL_FIELD_NUMBER: _ClassVar[int]
    TOKEN_NAME_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    u2f_id: str
    public_key_credential: _struct_pb2.Struct
    token_name: str
    def __init__(self, user_id: _Optional[str] = ..., u2f_id: _Optional[str] = ..., public_key_credential: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., token_name: _Optional[str] = ...) -> None: ...

class VerifyU2FRegistrationResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ...) -> None: ...

class RemoveU2FRequest(_message.Message):
    __slots__ = ("user_id", "u2f_id")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    U2F_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    u2f_id: str
    def __init__(self, user_id: _Optional[str] = ..., u2f_id: _Optional[str] = ...) -> None: ...

class RemoveU2FResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ...) -> None: ...

class RenameU2FRequest(_message.Message):
    __slots__ = ("user_id", "u2f_id", "token_name")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    U2F_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_NAME_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    u2f_id: str
    token_name: str
    def __init__(self, user_id: _Optional[str] = ..., u2f_id: _Optional[str] = ..., token_name: _Optional[str] = ...) -> None: ...

class RenameU2FResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ...) -> None: ...

class PasskeyRegistrationCode(_message.Message):
    __slots__ = ("id", "code")
    ID_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    id: str
    code: str
    def __init__(self, id: _Optional[str] = ..., code: _Optional[str] = ...) -> None: ...

class RegisterPasskeyRequest(_message.Message):
    __slots__ = ("user_id", "code", "authenticator", "domain")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    AUTHENTICATOR_FIELD_NUMBER: _ClassVar[int]
    DOMAIN_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    code: PasskeyRegistrationCode
    authenticator: PasskeyAuthenticator
    domain: str
    def __init__(self, user_id: _Optional[str] = ..., code: _Optional[_Union[PasskeyRegistrationCode, _Mapping]] = ..., authenticator: _Optional[_Union[PasskeyAuthenticator, str]] = ..., domain: _Optional[str] = ...) -> None: ...

class RegisterPasskeyResponse(_message.Message):
    __slots__ = ("details", "passkey_id", "public_key_credential_creation_options")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    PASSKEY_ID_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_KEY_CREDENTIAL_CREATION_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    passkey_id: str
    public_key_credential_creation_options: _struct_pb2.Struct
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ..., passkey_id: _Optional[str] = ..., public_key_credential_creation_options: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...

class VerifyPasskeyRegistrationRequest(_message.Message):
    __slots__ = ("user_id", "passkey_id", "public_key_credential", "passkey_name")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    PASSKEY_ID_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_KEY_CREDENTIAL_FIELD_NUMBER: _ClassVar[int]
    PASSKEY_NAME_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    passkey_id: str
    public_key_credential: _struct_pb2.Struct
    passkey_name: str
    def __init__(self, user_id: _Optional[str] = ..., passkey_id: _Optional[str] = ..., public_key_credential: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., passkey_name: _Optional[str] = ...) -> None: ...

class VerifyPasskeyRegistrationResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ...) -> None: ...

class RemovePasskeyRequest(_message.Message):
    __slots__ = ("user_id", "passkey_id")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    PASSKEY_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    passkey_id: str
    def __init__(self, user_id: _Optional[str] = ..., passkey_id: _Optional[str] = ...) -> None: ...

class RemovePasskeyResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ...) -> None: ...

class RenamePasskeyRequest(_message.Message):
    __slots__ = ("user_id", "passkey_id", "passkey_name")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    PASSKEY_ID_FIELD_NUMBER: _ClassVar[int]
    PASSKEY_NAME_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    passkey_id: str
    passkey_name: str
    def __init__(self, user_id: _Optional[str] = ..., passkey_id: _Optional[str] = ..., passkey_name: _Optional[str] = ...) -> None: ...

class RenamePasskeyResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ...) -> None: ...

class ListPasskeysRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class ListPasskeysResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2_1.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[Passkey]
    def __init__(self, details: _Optional[_Union[_object_pb2_1.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[Passkey, _Mapping]]] = ...) -> None: ...

class Passkey(_message.Message):
    __slots__ = ("id", "state", "name", "creation_date", "last_used", "authenticator")
    ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    CREATION_DATE_FIELD_NUMBER: _ClassVar[int]
    LAST_USED_FIELD_NUMBER: _ClassVar[int]
    AUTHENTICATOR_FIELD_NUMBER: _ClassVar[int]
    id: str
    state: AuthFactorState
    name: str
    creation_date: _timestamp_pb2.Timestamp
    last_used: _timestamp_pb2.Timestamp
    authenticator: str
    def __init__(self, id: _Optional[str] = ..., state: _Optional[_Union[AuthFactorState, str]] = ..., name: _Optional[str] = ..., creation_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., last_used: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., authenticator: _Optional[str] = ...) -> None: ...

class CreatePasskeyRegistrationLinkRequest(_message.Message):
    __slots__ = ("user_id", "send_link", "return_code")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    SEND_LINK_FIELD_NUMBER: _ClassVar[int]
    RETURN_CODE_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    send_link: SendPasskeyRegistrationLink
    return_code: ReturnPasskeyRegistrationCode
    def __init__(self, user_id: _Optional[str] = ..., send_link: _Optional[_Union[SendPasskeyRegistrationLink, _Mapping]] = ..., return_code: _Optional[_Union[ReturnPasskeyRegistrationCode, _Mapping]] = ...) -> None: ...

class SendPasskeyRegistrationLink(_message.Message):
    __slots__ = ("url_template",)
    URL_TEMPLATE_FIELD_NUMBER: _ClassVar[int]
    url_template: str
    def __init__(self, url_template: _Optional[str] = ...) -> None: ...

class ReturnPasskeyRegistrationCode(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class CreatePasskeyRegistrationLinkResponse(_message.Message):
    __slots__ = ("details", "code")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    code: PasskeyRegistrationCode
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ..., code: _Optional[_Union[PasskeyRegistrationCode, _Mapping]] = ...) -> None: ...

class RegisterTOTPRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class RegisterTOTPResponse(_message.Message):
    __slots__ = ("details", "uri", "secret")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    URI_FIELD_NUMBER: _ClassVar[int]
    SECRET_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    uri: str
    secret: str
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ..., uri: _Optional[str] = ..., secret: _Optional[str] = ...) -> None: ...

class VerifyTOTPRegistrationRequest(_message.Message):
    __slots__ = ("user_id", "code")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    code: str
    def __init__(self, user_id: _Optional[str] = ..., code: _Optional[str] = ...) -> None: ...

class VerifyTOTPRegistrationResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ...) -> None: ...

class RemoveTOTPRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class RemoveTOTPResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ...) -> None: ...

class AddOTPEmailRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class AddOTPEmailResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ...) -> None: ...

class RemoveOTPEmailRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class RemoveOTPEmailResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ...) -> None: ...

class AddOTPSMSRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class AddOTPSMSResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ...) -> None: ...

class RemoveOTPSMSRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class RemoveOTPSMSResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ...) -> None: ...

class GenerateRecoveryCodesRequest(_message.Message):
    __slots__ = ("user_id", "count")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    count: int
    def __init__(self, user_id: _Optional[str] = ..., count: _Optional[int] = ...) -> None: ...

class GenerateRecoveryCodesResponse(_message.Message):
    __slots__ = ("details", "recovery_codes")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RECOVERY_CODES_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    recovery_codes: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ..., recovery_codes: _Optional[_Iterable[str]] = ...) -> None: ...

class CountRecoveryCodesRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class CountRecoveryCodesResponse(_message.Message):
    __slots__ = ("details", "count")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    count: int
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ..., count: _Optional[int] = ...) -> None: ...

class RemoveRecoveryCodesRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class RemoveRecoveryCodesResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ...) -> None: ...

class RemoveCredentialsRequest(_message.Message):
    __slots__ = ("user_id", "passkey_ids", "u2f_ids", "totp", "otp_email", "otp_sms", "recovery_codes", "end_sessions", "send_passkey_link")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    PASSKEY_IDS_FIELD_NUMBER: _ClassVar[int]
    U2F_IDS_FIELD_NUMBER: _ClassVar[int]
    TOTP_FIELD_NUMBER: _ClassVar[int]
    OTP_EMAIL_FIELD_NUMBER: _ClassVar[int]
    OTP_SMS_FIELD_NUMBER: _ClassVar[int]
    RECOVERY_CODES_FIELD_NUMBER: _ClassVar[int]
    END_SESSIONS_FIELD_NUMBER: _ClassVar[int]
    SEND_PASSKEY_LINK_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    passkey_ids: _containers.RepeatedScalarFieldContainer[str]
    u2f_ids: _containers.RepeatedScalarFieldContainer[str]
    totp: bool
    otp_email: bool
    otp_sms: bool
    recovery_codes: bool
    end_sessions: bool
    send_passkey_link: bool
    def __init__(self, user_id: _Optional[str] = ..., passkey_ids: _Optional[_Iterable[str]] = ..., u2f_ids: _Optional[_Iterable[str]] = ..., totp: _Optional[bool] = ..., otp_email: _Optional[bool] = ..., otp_sms: _Optional[bool] = ..., recovery_codes: _Optional[bool] = ..., end_sessions: _Optional[bool] = ..., send_passkey_link: _Optional[bool] = ...) -> None: ...

class RemoveCredentialsResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ...) -> None: ...

class ListAuthenticationMethodTypesRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class ListAuthenticationMethodTypesResponse(_message.Message):
    __slots__ = ("details", "auth_method_types", "password_not_allowed")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    AUTH_METHOD_TYPES_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_NOT_ALLOWED_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2_1.ListDetails
    auth_method_types: _containers.RepeatedScalarFieldContainer[AuthenticationMethodType]
    password_not_allowed: bool
    def __init__(self, details: _Optional[_Union[_object_pb2_1.ListDetails, _Mapping]] = ..., auth_method_types: _Optional[_Iterable[_Union[AuthenticationMethodType, str]]] = ..., password_not_allowed: _Optional[bool] = ...) -> None: ...

class ListAuthenticationFactorsRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class ListAuthenticationFactorsResponse(_message.Message):
    __slots__ = ("result", "otp_sms_available")
    RESULT_FIELD_NUMBER: _ClassVar[int]
    OTP_SMS_AVAILABLE_FIELD_NUMBER: _ClassVar[int]
    result: _containers.RepeatedCompositeFieldContainer[AuthFactor]
    otp_sms_available: bool
    def __init__(self, result: _Optional[_Iterable[_Union[AuthFactor, _Mapping]]] = ..., otp_sms_available: _Optional[bool] = ...) -> None: ...

class AuthFactor(_message.Message):
    __slots__ = ("state", "otp", "u2f", "otp_sms", "otp_email")
    STATE_FIELD_NUMBER: _ClassVar[int]
    OTP_FIELD_NUMBER: _ClassVar[int]
    U2F_FIELD_NUMBER: _ClassVar[int]
    OTP_SMS_FIELD_NUMBER: _ClassVar[int]
    OTP_EMAIL_FIELD_NUMBER: _ClassVar[int]
    state: AuthFactorState
    otp: AuthFactorOTP
    u2f: AuthFactorU2F
    otp_sms: AuthFactorOTPSMS
    otp_email: AuthFactorOTPEmail
    def __init__(self, state: _Optional[_Union[AuthFactorState, str]] = ..., otp: _Optional[_Union[AuthFactorOTP, _Mapping]] = ..., u2f: _Optional[_Union[AuthFactorU2F, _Mapping]] = ..., otp_sms: _Optional[_Union[AuthFactorOTPSMS, _Mapping]] = ..., otp_email: _Optional[_Union[AuthFactorOTPEmail, _Mapping]] = ...) -> None: ...

class AuthFactorOTP(_message.Message):
    __slots__ = ("creation_date", "last_used")
    CREATION_DATE_FIELD_NUMBER: _ClassVar[int]
    LAST_USED_FIELD_NUMBER: _ClassVar[int]
    creation_date: _timestamp_pb2.Timestamp
    last_used: _timestamp_pb2.Timestamp
    def __init__(self, creation_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., last_used: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class AuthFactorOTPEmail(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class AuthFactorOTPSMS(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class AuthFactorU2F(_message.Message):
    __slots__ = ("id", "name", "creation_date", "last_used", "authenticator")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    CREATION_DATE_FIELD_NUMBER: _ClassVar[int]
    LAST_USED_FIELD_NUMBER: _ClassVar[int]
    AUTHENTICATOR_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    creation_date: _timestamp_pb2.Timestamp
    last_used: _timestamp_pb2.Timestamp
    authenticator: str
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., creation_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., last_used: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., authenticator: _Optional[str] = ...) -> None: ...
