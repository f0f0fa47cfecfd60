import datetime

from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from portico_contracts.generated.zitadel.filter import v2_pb2 as _v2_pb2
from portico_contracts.generated.zitadel.metadata import v2_pb2 as _v2_pb2_1
from portico_contracts.generated.zitadel.object import v2_pb2 as _v2_pb2_1_1
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AccessTokenType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ACCESS_TOKEN_TYPE_BEARER: _ClassVar[AccessTokenType]
    ACCESS_TOKEN_TYPE_JWT: _ClassVar[AccessTokenType]

class AuthFactorState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    AUTH_FACTOR_STATE_UNSPECIFIED: _ClassVar[AuthFactorState]
    AUTH_FACTOR_STATE_NOT_READY: _ClassVar[AuthFactorState]
    AUTH_FACTOR_STATE_READY: _ClassVar[AuthFactorState]
    AUTH_FACTOR_STATE_REMOVED: _ClassVar[AuthFactorState]

class AuthFactors(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OTP: _ClassVar[AuthFactors]
    OTP_SMS: _ClassVar[AuthFactors]
    OTP_EMAIL: _ClassVar[AuthFactors]
    U2F: _ClassVar[AuthFactors]

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

class Gender(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GENDER_UNSPECIFIED: _ClassVar[Gender]
    GENDER_FEMALE: _ClassVar[Gender]
    GENDER_MALE: _ClassVar[Gender]
    GENDER_DIVERSE: _ClassVar[Gender]

class KeyFieldName(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    KEY_FIELD_NAME_UNSPECIFIED: _ClassVar[KeyFieldName]
    KEY_FIELD_NAME_CREATED_DATE: _ClassVar[KeyFieldName]
    KEY_FIELD_NAME_ID: _ClassVar[KeyFieldName]
    KEY_FIELD_NAME_USER_ID: _ClassVar[KeyFieldName]
    KEY_FIELD_NAME_ORGANIZATION_ID: _ClassVar[KeyFieldName]
    KEY_FIELD_NAME_KEY_EXPIRATION_DATE: _ClassVar[KeyFieldName]

class NotificationType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    NOTIFICATION_TYPE_Unspecified: _ClassVar[NotificationType]
    NOTIFICATION_TYPE_Email: _ClassVar[NotificationType]
    NOTIFICATION_TYPE_SMS: _ClassVar[NotificationType]

class PasskeyAuthenticator(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PASSKEY_AUTHENTICATOR_UNSPECIFIED: _ClassVar[PasskeyAuthenticator]
    PASSKEY_AUTHENTICATOR_PLATFORM: _ClassVar[PasskeyAuthenticator]
    PASSKEY_AUTHENTICATOR_CROSS_PLATFORM: _ClassVar[PasskeyAuthenticator]

class PersonalAccessTokenFieldName(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PERSONAL_ACCESS_TOKEN_FIELD_NAME_UNSPECIFIED: _ClassVar[PersonalAccessTokenFieldName]
    PERSONAL_ACCESS_TOKEN_FIELD_NAME_CREATED_DATE: _ClassVar[PersonalAccessTokenFieldName]
    PERSONAL_ACCESS_TOKEN_FIELD_NAME_ID: _ClassVar[PersonalAccessTokenFieldName]
    PERSONAL_ACCESS_TOKEN_FIELD_NAME_USER_ID: _ClassVar[PersonalAccessTokenFieldName]
    PERSONAL_ACCESS_TOKEN_FIELD_NAME_ORGANIZATION_ID: _ClassVar[PersonalAccessTokenFieldName]
    PERSONAL_ACCESS_TOKEN_FIELD_NAME_EXPIRATION_DATE: _ClassVar[PersonalAccessTokenFieldName]

class Type(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TYPE_UNSPECIFIED: _ClassVar[Type]
    TYPE_HUMAN: _ClassVar[Type]
    TYPE_MACHINE: _ClassVar[Type]

class UserFieldName(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    USER_FIELD_NAME_UNSPECIFIED: _ClassVar[UserFieldName]
    USER_FIELD_NAME_USER_NAME: _ClassVar[UserFieldName]
    USER_FIELD_NAME_FIRST_NAME: _ClassVar[UserFieldName]
    USER_FIELD_NAME_LAST_NAME: _ClassVar[UserFieldName]
    USER_FIELD_NAME_NICK_NAME: _ClassVar[UserFieldName]
    USER_FIELD_NAME_DISPLAY_NAME: _ClassVar[UserFieldName]
    USER_FIELD_NAME_EMAIL: _ClassVar[UserFieldName]
    USER_FIELD_NAME_STATE: _ClassVar[UserFieldName]
    USER_FIELD_NAME_TYPE: _ClassVar[UserFieldName]
    USER_FIELD_NAME_CREATION_DATE: _ClassVar[UserFieldName]

class UserState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    USER_STATE_UNSPECIFIED: _ClassVar[UserState]
    USER_STATE_ACTIVE: _ClassVar[UserState]
    USER_STATE_INACTIVE: _ClassVar[UserState]
    USER_STATE_DELETED: _ClassVar[UserState]
    USER_STATE_LOCKED: _ClassVar[UserState]
    USER_STATE_INITIAL: _ClassVar[UserState]
ACCESS_TOKEN_TYPE_BEARER: AccessTokenType
ACCESS_TOKEN_TYPE_JWT: AccessTokenType
AUTH_FACTOR_STATE_UNSPECIFIED: AuthFactorState
AUTH_FACTOR_STATE_NOT_READY: AuthFactorState
AUTH_FACTOR_STATE_READY: AuthFactorState
AUTH_FACTOR_STATE_REMOVED: AuthFactorState
OTP: AuthFactors
OTP_SMS: AuthFactors
OTP_EMAIL: AuthFactors
U2F: AuthFactors
AUTHENTICATION_METHOD_TYPE_UNSPECIFIED: AuthenticationMethodType
AUTHENTICATION_METHOD_TYPE_PASSWORD: AuthenticationMethodType
AUTHENTICATION_METHOD_TYPE_PASSKEY: AuthenticationMethodType
AUTHENTICATION_METHOD_TYPE_IDP: AuthenticationMethodType
AUTHENTICATION_METHOD_TYPE_TOTP: AuthenticationMethodType
AUTHENTICATION_METHOD_TYPE_U2F: AuthenticationMethodType
AUTHENTICATION_METHOD_TYPE_OTP_SMS: AuthenticationMethodType
AUTHENTICATION_METHOD_TYPE_OTP_EMAIL: AuthenticationMethodType
GENDER_UNSPECIFIED: Gender
GENDER_FEMALE: Gender
GENDER_MALE: Gender
GENDER_DIVERSE: Gender
KEY_FIELD_NAME_UNSPECIFIED: KeyFieldName
KEY_FIELD_NAME_CREATED_DATE: KeyFieldName
KEY_FIELD_NAME_ID: KeyFieldName
KEY_FIELD_NAME_USER_ID: KeyFieldName
KEY_FIELD_NAME_ORGANIZATION_ID: KeyFieldName
KEY_FIELD_NAME_KEY_EXPIRATION_DATE: KeyFieldName
NOTIFICATION_TYPE_Unspecified: NotificationType
NOTIFICATION_TYPE_Email: NotificationType
NOTIFICATION_TYPE_SMS: NotificationType
PASSKEY_AUTHENTICATOR_UNSPECIFIED: PasskeyAuthenticator
PASSKEY_AUTHENTICATOR_PLATFORM: PasskeyAuthenticator
PASSKEY_AUTHENTICATOR_CROSS_PLATFORM: PasskeyAuthenticator
PERSONAL_ACCESS_TOKEN_FIELD_NAME_UNSPECIFIED: PersonalAccessTokenFieldName
PERSONAL_ACCESS_TOKEN_FIELD_NAME_CREATED_DATE: PersonalAccessTokenFieldName
PERSONAL_ACCESS_TOKEN_FIELD_NAME_ID: PersonalAccessTokenFieldName
PERSONAL_ACCESS_TOKEN_FIELD_NAME_USER_ID: PersonalAccessTokenFieldName
PERSONAL_ACCESS_TOKEN_FIELD_NAME_ORGANIZATION_ID: PersonalAccessTokenFieldName
PERSONAL_ACCESS_TOKEN_FIELD_NAME_EXPIRATION_DATE: PersonalAccessTokenFieldName
TYPE_UNSPECIFIED: Type
TYPE_HUMAN: Type
TYPE_MACHINE: Type
USER_FIELD_NAME_UNSPECIFIED: UserFieldName
USER_FIELD_NAME_USER_NAME: UserFieldName
USER_FIELD_NAME_FIRST_NAME: UserFieldName
USER_FIELD_NAME_LAST_NAME: UserFieldName
USER_FIELD_NAME_NICK_NAME: UserFieldName
USER_FIELD_NAME_DISPLAY_NAME: UserFieldName
USER_FIELD_NAME_EMAIL: UserFieldName
USER_FIELD_NAME_STATE: UserFieldName
USER_FIELD_NAME_TYPE: UserFieldName
USER_FIELD_NAME_CREATION_DATE: UserFieldName
USER_STATE_UNSPECIFIED: UserState
USER_STATE_ACTIVE: UserState
USER_STATE_INACTIVE: UserState
USER_STATE_DELETED: UserState
USER_STATE_LOCKED: UserState
USER_STATE_INITIAL: UserState

class AddHumanUserRequest(_message.Message):
    __slots__ = ("user_id", "username", "organization", "profile", "email", "phone", "metadata", "password", "hashed_password", "idp_links", "totp_secret")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_FIELD_NUMBER: _ClassVar[int]
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    PHONE_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    HASHED_PASSWORD_FIELD_NUMBER: _ClassVar[int]
    IDP_LINKS_FIELD_NUMBER: _ClassVar[int]
    TOTP_SECRET_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    username: str
    organization: _v2_pb2_1_1.Organization
    profile: SetHumanProfile
    email: SetHumanEmail
    phone: SetHumanPhone
    metadata: _containers.RepeatedCompositeFieldContainer[SetMetadataEntry]
    password: Password
    hashed_password: HashedPassword
    idp_links: _containers.RepeatedCompositeFieldContainer[IDPLink]
    totp_secret: str
    def __init__(self, user_id: _Optional[str] = ..., username: _Optional[str] = ..., organization: _Optional[_Union[_v2_pb2_1_1.Organization, _Mapping]] = ..., profile: _Optional[_Union[SetHumanProfile, _Mapping]] = ..., email: _Optional[_Union[SetHumanEmail, _Mapping]] = ..., phone: _Optional[_Union[SetHumanPhone, _Mapping]] = ..., metadata: _Optional[_Iterable[_Union[SetMetadataEntry, _Mapping]]] = ..., password: _Optional[_Union[Password, _Mapping]] = ..., hashed_password: _Optional[_Union[HashedPassword, _Mapping]] = ..., idp_links: _Optional[_Iterable[_Union[IDPLink, _Mapping]]] = ..., totp_secret: _Optional[str] = ...) -> None: ...

class AddHumanUserResponse(_message.Message):
    __slots__ = ("user_id", "details", "email_code", "phone_code")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    EMAIL_CODE_FIELD_NUMBER: _ClassVar[int]
    PHONE_CODE_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    details: _v2_pb2_1_1.Details
    email_code: str
    phone_code: str
    def __init__(self, user_id: _Optional[str] = ..., details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ..., email_code: _Optional[str] = ..., phone_code: _Optional[str] = ...) -> None: ...

class AddIDPLinkRequest(_message.Message):
    __slots__ = ("user_id", "idp_link")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    IDP_LINK_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    idp_link: IDPLink
    def __init__(self, user_id: _Optional[str] = ..., idp_link: _Optional[_Union[IDPLink, _Mapping]] = ...) -> None: ...

class AddIDPLinkResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ...) -> None: ...

class AddKeyRequest(_message.Message):
    __slots__ = ("user_id", "expiration_date", "public_key")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    EXPIRATION_DATE_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_KEY_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    expiration_date: _timestamp_pb2.Timestamp
    public_key: bytes
    def __init__(self, user_id: _Optional[str] = ..., expiration_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., public_key: _Optional[bytes] = ...) -> None: ...

class AddKeyResponse(_message.Message):
    __slots__ = ("creation_date", "key_id", "key_content")
    CREATION_DATE_FIELD_NUMBER: _ClassVar[int]
    KEY_ID_FIELD_NUMBER: _ClassVar[int]
    KEY_CONTENT_FIELD_NUMBER: _ClassVar[int]
    creation_date: _timestamp_pb2.Timestamp
    key_id: str
    key_content: bytes
    def __init__(self, creation_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., key_id: _Optional[str] = ..., key_content: _Optional[bytes] = ...) -> None: ...

class AddOTPEmailRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class AddOTPEmailResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ...) -> None: ...

class AddOTPSMSRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class AddOTPSMSResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ...) -> None: ...

class AddPersonalAccessTokenRequest(_message.Message):
    __slots__ = ("user_id", "expiration_date")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    EXPIRATION_DATE_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    expiration_date: _timestamp_pb2.Timestamp
    def __init__(self, user_id: _Optional[str] = ..., expiration_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class AddPersonalAccessTokenResponse(_message.Message):
    __slots__ = ("creation_date", "token_id", "token")
    CREATION_DATE_FIELD_NUMBER: _ClassVar[int]
    TOKEN_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    creation_date: _timestamp_pb2.Timestamp
    token_id: str
    token: str
    def __init__(self, creation_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., token_id: _Optional[str] = ..., token: _Optional[str] = ...) -> None: ...

class AddSecretRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class AddSecretResponse(_message.Message):
    __slots__ = ("creation_date", "client_secret")
    CREATION_DATE_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SECRET_FIELD_NUMBER: _ClassVar[int]
    creation_date: _timestamp_pb2.Timestamp
    client_secret: str
    def __init__(self, creation_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., client_secret: _Optional[str] = ...) -> None: ...

class AndQuery(_message.Message):
    __slots__ = ("queries",)
    QUERIES_FIELD_NUMBER: _ClassVar[int]
    queries: _containers.RepeatedCompositeFieldContainer[SearchQuery]
    def __init__(self, queries: _Optional[_Iterable[_Union[SearchQuery, _Mapping]]] = ...) -> None: ...

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
    __slots__ = ()
    def __init__(self) -> None: ...

class AuthFactorOTPEmail(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class AuthFactorOTPSMS(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class AuthFactorU2F(_message.Message):
    __slots__ = ("id", "name")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class CreateInviteCodeRequest(_message.Message):
    __slots__ = ("user_id", "send_code", "return_code")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    SEND_CODE_FIELD_NUMBER: _ClassVar[int]
    RETURN_CODE_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    send_code: SendInviteCode
    return_code: ReturnInviteCode
    def __init__(self, user_id: _Optional[str] = ..., send_code: _Optional[_Union[SendInviteCode, _Mapping]] = ..., return_code: _Optional[_Union[ReturnInviteCode, _Mapping]] = ...) -> None: ...

class CreateInviteCodeResponse(_message.Message):
    __slots__ = ("details", "invite_code")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    INVITE_CODE_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    invite_code: str
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ..., invite_code: _Optional[str] = ...) -> None: ...

class CreatePasskeyRegistrationLinkRequest(_message.Message):
    __slots__ = ("user_id", "send_link", "return_code")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    SEND_LINK_FIELD_NUMBER: _ClassVar[int]
    RETURN_CODE_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    send_link: SendPasskeyRegistrationLink
    return_code: ReturnPasskeyRegistrationCode
    def __init__(self, user_id: _Optional[str] = ..., send_link: _Optional[_Union[SendPasskeyRegistrationLink, _Mapping]] = ..., return_code: _Optional[_Union[ReturnPasskeyRegistrationCode, _Mapping]] = ...) -> None: ...

class CreatePasskeyRegistrationLinkResponse(_message.Message):
    __slots__ = ("details", "code")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    code: PasskeyRegistrationCode
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ..., code: _Optional[_Union[PasskeyRegistrationCode, _Mapping]] = ...) -> None: ...

class CreateUserRequest(_message.Message):
    __slots__ = ("organization_id", "user_id", "username", "human", "machine")
    class Human(_message.Message):
        __slots__ = ("profile", "email", "phone", "password", "hashed_password", "idp_links", "totp_secret", "metadata")
        PROFILE_FIELD_NUMBER: _ClassVar[int]
        EMAIL_FIELD_NUMBER: _ClassVar[int]
        PHONE_FIELD_NUMBER: _ClassVar[int]
        PASSWORD_FIELD_NUMBER: _ClassVar[int]
        HASHED_PASSWORD_FIELD_NUMBER: _ClassVar[int]
        IDP_LINKS_FIELD_NUMBER: _ClassVar[int]
        TOTP_SECRET_FIELD_NUMBER: _ClassVar[int]
        METADATA_FIELD_NUMBER: _ClassVar[int]
        profile: SetHumanProfile
        email: SetHumanEmail
        phone: SetHumanPhone
        password: Password
        hashed_password: HashedPassword
        idp_links: _containers.RepeatedCompositeFieldContainer[IDPLink]
        totp_secret: str
        metadata: _containers.RepeatedCompositeFieldContainer[Metadata]
        def __init__(self, profile: _Optional[_Union[SetHumanProfile, _Mapping]] = ..., email: _Optional[_Union[SetHumanEmail, _Mapping]] = ..., phone: _Optional[_Union[SetHumanPhone, _Mapping]] = ..., password: _Optional[_Union[Password, _Mapping]] = ..., hashed_password: _Optional[_Union[HashedPassword, _Mapping]] = ..., idp_links: _Optional[_Iterable[_Union[IDPLink, _Mapping]]] = ..., totp_secret: _Optional[str] = ..., metadata: _Optional[_Iterable[_Union[Metadata, _Mapping]]] = ...) -> None: ...
    class Machine(_message.Message):
        __slots__ = ("name", "description")
        NAME_FIELD_NUMBER: _ClassVar[int]
        DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
        name: str
        description: str
        def __init__(self, name: _Optional[str] = ..., description: _Optional[str] = ...) -> None: ...
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    HUMAN_FIELD_NUMBER: _ClassVar[int]
    MACHINE_FIELD_NUMBER: _ClassVar[int]
    organization_id: str
    user_id: str
    username: str
    human: CreateUserRequest.Human
    machine: CreateUserRequest.Machine
    def __init__(self, organization_id: _Optional[str] = ..., user_id: _Optional[str] = ..., username: _Optional[str] = ..., human: _Optional[_Union[CreateUserRequest.Human, _Mapping]] = ..., machine: _Optional[_Union[CreateUserRequest.Machine, _Mapping]] = ...) -> None: ...

class CreateUserResponse(_message.Message):
    __slots__ = ("id", "creation_date", "email_code", "phone_code")
    ID_FIELD_NUMBER: _ClassVar[int]
    CREATION_DATE_FIELD_NUMBER: _ClassVar[int]
    EMAIL_CODE_FIELD_NUMBER: _ClassVar[int]
    PHONE_CODE_FIELD_NUMBER: _ClassVar[int]
    id: str
    creation_date: _timestamp_pb2.Timestamp
    email_code: str
    phone_code: str
    def __init__(self, id: _Optional[str] = ..., creation_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., email_code: _Optional[str] = ..., phone_code: _Optional[str] = ...) -> None: ...

class DeactivateUserRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class DeactivateUserResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ...) -> None: ...

class DeleteUserMetadataRequest(_message.Message):
    __slots__ = ("user_id", "keys")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    KEYS_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    keys: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, user_id: _Optional[str] = ..., keys: _Optional[_Iterable[str]] = ...) -> None: ...

class DeleteUserMetadataResponse(_message.Message):
    __slots__ = ("deletion_date",)
    DELETION_DATE_FIELD_NUMBER: _ClassVar[int]
    deletion_date: _timestamp_pb2.Timestamp
    def __init__(self, deletion_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class DeleteUserRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class DeleteUserResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ...) -> None: ...

class DisplayNameQuery(_message.Message):
    __slots__ = ("display_name", "method")
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    display_name: str
    method: _v2_pb2_1_1.TextQueryMethod
    def __init__(self, display_name: _Optional[str] = ..., method: _Optional[_Union[_v2_pb2_1_1.TextQueryMethod, str]] = ...) -> None: ...

class DomainQuery(_message.Message):
    __slots__ = ("include_without_domain", "domain")
    INCLUDE_WITHOUT_DOMAIN_FIELD_NUMBER: _ClassVar[int]
    DOMAIN_FIELD_NUMBER: _ClassVar[int]
    include_without_domain: bool
    domain: str
    def __init__(self, include_without_domain: _Optional[bool] = ..., domain: _Optional[str] = ...) -> None: ...

class EmailQuery(_message.Message):
    __slots__ = ("email_address", "method")
    EMAIL_ADDRESS_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    email_address: str
    method: _v2_pb2_1_1.TextQueryMethod
    def __init__(self, email_address: _Optional[str] = ..., method: _Optional[_Union[_v2_pb2_1_1.TextQueryMethod, str]] = ...) -> None: ...

class FirstNameQuery(_message.Message):
    __slots__ = ("first_name", "method")
    FIRST_NAME_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    first_name: str
    method: _v2_pb2_1_1.TextQueryMethod
    def __init__(self, first_name: _Optional[str] = ..., method: _Optional[_Union[_v2_pb2_1_1.TextQueryMethod, str]] = ...) -> None: ...

class FormData(_message.Message):
    __slots__ = ("url", "fields")
    class FieldsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    URL_FIELD_NUMBER: _ClassVar[int]
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    url: str
    fields: _containers.ScalarMap[str, str]
    def __init__(self, url: _Optional[str] = ..., fields: _Optional[_Mapping[str, str]] = ...) -> None: ...

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
    details: _v2_pb2_1_1.Details
    recovery_codes: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ..., recovery_codes: _Optional[_Iterable[str]] = ...) -> None: ...

class GetUserByIDRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class GetUserByIDResponse(_message.Message):
    __slots__ = ("details", "user")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    USER_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    user: User
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ..., user: _Optional[_Union[User, _Mapping]] = ...) -> None: ...

class HashedPassword(_message.Message):
    __slots__ = ("hash", "change_required")
    HASH_FIELD_NUMBER: _ClassVar[int]
    CHANGE_REQUIRED_FIELD_NUMBER: _ClassVar[int]
    hash: str
    change_required: bool
    def __init__(self, hash: _Optional[str] = ..., change_required: _Optional[bool] = ...) -> None: ...

class HumanEmail(_message.Message):
    __slots__ = ("email", "is_verified")
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    IS_VERIFIED_FIELD_NUMBER: _ClassVar[int]
    email: str
    is_verified: bool
    def __init__(self, email: _Optional[str] = ..., is_verified: _Optional[bool] = ...) -> None: ...

class HumanMFAInitSkippedRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class HumanMFAInitSkippedResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ...) -> None: ...

class HumanPhone(_message.Message):
    __slots__ = ("phone", "is_verified")
    PHONE_FIELD_NUMBER: _ClassVar[int]
    IS_VERIFIED_FIELD_NUMBER: _ClassVar[int]
    phone: str
    is_verified: bool
    def __init__(self, phone: _Optional[str] = ..., is_verified: _Optional[bool] = ...) -> None: ...

class HumanProfile(_message.Message):
    __slots__ = ("given_name", "family_name", "nick_name", "display_name", "preferred_language", "gender", "avatar_url")
    GIVEN_NAME_FIELD_NUMBER: _ClassVar[int]
    FAMILY_NAME_FIELD_NUMBER: _ClassVar[int]
    NICK_NAME_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    PREFERRED_LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    GENDER_FIELD_NUMBER: _ClassVar[int]
    AVATAR_URL_FIELD_NUMBER: _ClassVar[int]
    given_name: str
    family_name: str
    nick_name: str
    display_name: str
    preferred_language: str
    gender: Gender
    avatar_url: str
    def __init__(self, given_name: _Optional[str] = ..., family_name: _Optional[str] = ..., nick_name: _Optional[str] = ..., display_name: _Optional[str] = ..., preferred_language: _Optional[str] = ..., gender: _Optional[_Union[Gender, str]] = ..., avatar_url: _Optional[str] = ...) -> None: ...

class HumanUser(_message.Message):
    __slots__ = ("user_id", "state", "username", "login_names", "preferred_login_name", "profile", "email", "phone", "password_change_required", "password_changed", "mfa_init_skipped")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    LOGIN_NAMES_FIELD_NUMBER: _ClassVar[int]
    PREFERRED_LOGIN_NAME_FIELD_NUMBER: _ClassVar[int]
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    PHONE_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_CHANGE_REQUIRED_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_CHANGED_FIELD_NUMBER: _ClassVar[int]
    MFA_INIT_SKIPPED_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    state: UserState
    username: str
    login_names: _containers.RepeatedScalarFieldContainer[str]
    preferred_login_name: str
    profile: HumanProfile
    email: HumanEmail
    phone: HumanPhone
    password_change_required: bool
    password_changed: _timestamp_pb2.Timestamp
    mfa_init_skipped: _timestamp_pb2.Timestamp
    def __init__(self, user_id: _Optional[str] = ..., state: _Optional[_Union[UserState, str]] = ..., username: _Optional[str] = ..., login_names: _Optional[_Iterable[str]] = ..., preferred_login_name: _Optional[str] = ..., profile: _Optional[_Union[HumanProfile, _Mapping]] = ..., email: _Optional[_Union[HumanEmail, _Mapping]] = ..., phone: _Optional[_Union[HumanPhone, _Mapping]] = ..., password_change_required: _Optional[bool] = ..., password_changed: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., mfa_init_skipped: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class IDPInformation(_message.Message):
    __slots__ = ("oauth", "ldap", "saml", "idp_id", "user_id", "user_name", "raw_information")
    OAUTH_FIELD_NUMBER: _ClassVar[int]
    LDAP_FIELD_NUMBER: _ClassVar[int]
    SAML_FIELD_NUMBER: _ClassVar[int]
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    USER_NAME_FIELD_NUMBER: _ClassVar[int]
    RAW_INFORMATION_FIELD_NUMBER: _ClassVar[int]
    oauth: IDPOAuthAccessInformation
    ldap: IDPLDAPAccessInformation
    saml: IDPSAMLAccessInformation
    idp_id: str
    user_id: str
    user_name: str
    raw_information: _struct_pb2.Struct
    def __init__(self, oauth: _Optional[_Union[IDPOAuthAccessInformation, _Mapping]] = ..., ldap: _Optional[_Union[IDPLDAPAccessInformation, _Mapping]] = ..., saml: _Optional[_Union[IDPSAMLAccessInformation, _Mapping]] = ..., idp_id: _Optional[str] = ..., user_id: _Optional[str] = ..., user_name: _Optional[str] = ..., raw_information: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...

class IDPIntent(_message.Message):
    __slots__ = ("idp_intent_id", "idp_intent_token", "user_id")
    IDP_INTENT_ID_FIELD_NUMBER: _ClassVar[int]
    IDP_INTENT_TOKEN_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    idp_intent_id: str
    idp_intent_token: str
    user_id: str
    def __init__(self, idp_intent_id: _Optional[str] = ..., idp_intent_token: _Optional[str] = ..., user_id: _Optional[str] = ...) -> None: ...

class IDPLDAPAccessInformation(_message.Message):
    __slots__ = ("attributes",)
    ATTRIBUTES_FIELD_NUMBER: _ClassVar[int]
    attributes: _struct_pb2.Struct
    def __init__(self, attributes: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...

class IDPLink(_message.Message):
    __slots__ = ("idp_id", "user_id", "user_name")
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    USER_NAME_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    user_id: str
    user_name: str
    def __init__(self, idp_id: _Optional[str] = ..., user_id: _Optional[str] = ..., user_name: _Optional[str] = ...) -> None: ...

class IDPOAuthAccessInformation(_message.Message):
    __slots__ = ("access_token", "id_token")
    ACCESS_TOKEN_FIELD_NUMBER: _ClassVar[int]
    ID_TOKEN_FIELD_NUMBER: _ClassVar[int]
    access_token: str
    id_token: str
    def __init__(self, access_token: _Optional[str] = ..., id_token: _Optional[str] = ...) -> None: ...

class IDPSAMLAccessInformation(_message.Message):
    __slots__ = ("assertion",)
    ASSERTION_FIELD_NUMBER: _ClassVar[int]
    assertion: bytes
    def __init__(self, assertion: _Optional[bytes] = ...) -> None: ...

class InUserEmailsQuery(_message.Message):
    __slots__ = ("user_emails",)
    USER_EMAILS_FIELD_NUMBER: _ClassVar[int]
    user_emails: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, user_emails: _Optional[_Iterable[str]] = ...) -> None: ...

class InUserIDQuery(_message.Message):
    __slots__ = ("user_ids",)
    USER_IDS_FIELD_NUMBER: _ClassVar[int]
    user_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, user_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class Key(_message.Message):
    __slots__ = ("creation_date", "change_date", "id", "user_id", "organization_id", "expiration_date")
    CREATION_DATE_FIELD_NUMBER: _ClassVar[int]
    CHANGE_DATE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    EXPIRATION_DATE_FIELD_NUMBER: _ClassVar[int]
    creation_date: _timestamp_pb2.Timestamp
    change_date: _timestamp_pb2.Timestamp
    id: str
    user_id: str
    organization_id: str
    expiration_date: _timestamp_pb2.Timestamp
    def __init__(self, creation_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., change_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., id: _Optional[str] = ..., user_id: _Optional[str] = ..., organization_id: _Optional[str] = ..., expiration_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class KeysSearchFilter(_message.Message):
    __slots__ = ("key_id_filter", "user_id_filter", "organization_id_filter", "created_date_filter", "expiration_date_filter")
    KEY_ID_FILTER_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FILTER_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_ID_FILTER_FIELD_NUMBER: _ClassVar[int]
    CREATED_DATE_FILTER_FIELD_NUMBER: _ClassVar[int]
    EXPIRATION_DATE_FILTER_FIELD_NUMBER: _ClassVar[int]
    key_id_filter: _v2_pb2.IDFilter
    user_id_filter: _v2_pb2.IDFilter
    organization_id_filter: _v2_pb2.IDFilter
    created_date_filter: _v2_pb2.TimestampFilter
    expiration_date_filter: _v2_pb2.TimestampFilter
    def __init__(self, key_id_filter: _Optional[_Union[_v2_pb2.IDFilter, _Mapping]] = ..., user_id_filter: _Optional[_Union[_v2_pb2.IDFilter, _Mapping]] = ..., organization_id_filter: _Optional[_Union[_v2_pb2.IDFilter, _Mapping]] = ..., created_date_filter: _Optional[_Union[_v2_pb2.TimestampFilter, _Mapping]] = ..., expiration_date_filter: _Optional[_Union[_v2_pb2.TimestampFilter, _Mapping]] = ...) -> None: ...

class LDAPCredentials(_message.Message):
    __slots__ = ("username", "password")
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    username: str
    password: str
    def __init__(self, username: _Optional[str] = ..., password: _Optional[str] = ...) -> None: ...

class LastNameQuery(_message.Message):
    __slots__ = ("last_name", "method")
    LAST_NAME_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    last_name: str
    method: _v2_pb2_1_1.TextQueryMethod
    def __init__(self, last_name: _Optional[str] = ..., method: _Optional[_Union[_v2_pb2_1_1.TextQueryMethod, str]] = ...) -> None: ...

class ListAuthenticationFactorsRequest(_message.Message):
    __slots__ = ("user_id", "auth_factors", "states")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    AUTH_FACTORS_FIELD_NUMBER: _ClassVar[int]
    STATES_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    auth_factors: _containers.RepeatedScalarFieldContainer[AuthFactors]
    states: _containers.RepeatedScalarFieldContainer[AuthFactorState]
    def __init__(self, user_id: _Optional[str] = ..., auth_factors: _Optional[_Iterable[_Union[AuthFactors, str]]] = ..., states: _Optional[_Iterable[_Union[AuthFactorState, str]]] = ...) -> None: ...

class ListAuthenticationFactorsResponse(_message.Message):
    __slots__ = ("result",)
    RESULT_FIELD_NUMBER: _ClassVar[int]
    result: _containers.RepeatedCompositeFieldContainer[AuthFactor]
    def __init__(self, result: _Optional[_Iterable[_Union[AuthFactor, _Mapping]]] = ...) -> None: ...

class ListAuthenticationMethodTypesRequest(_message.Message):
    __slots__ = ("user_id", "domain_query")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    DOMAIN_QUERY_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    domain_query: DomainQuery
    def __init__(self, user_id: _Optional[str] = ..., domain_query: _Optional[_Union[DomainQuery, _Mapping]] = ...) -> None: ...

class ListAuthenticationMethodTypesResponse(_message.Message):
    __slots__ = ("details", "auth_method_types")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    AUTH_METHOD_TYPES_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.ListDetails
    auth_method_types: _containers.RepeatedScalarFieldContainer[AuthenticationMethodType]
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.ListDetails, _Mapping]] = ..., auth_method_types: _Optional[_Iterable[_Union[AuthenticationMethodType, str]]] = ...) -> None: ...

class ListIDPLinksRequest(_message.Message):
    __slots__ = ("user_id", "query")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    query: _v2_pb2_1_1.ListQuery
    def __init__(self, user_id: _Optional[str] = ..., query: _Optional[_Union[_v2_pb2_1_1.ListQuery, _Mapping]] = ...) -> None: ...

class ListIDPLinksResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[IDPLink]
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[IDPLink, _Mapping]]] = ...) -> None: ...

class ListKeysRequest(_message.Message):
    __slots__ = ("pagination", "sorting_column", "filters")
    PAGINATION_FIELD_NUMBER: _ClassVar[int]
    SORTING_COLUMN_FIELD_NUMBER: _ClassVar[int]
    FILTERS_FIELD_NUMBER: _ClassVar[int]
    pagination: _v2_pb2.PaginationRequest
    sorting_column: KeyFieldName
    filters: _containers.RepeatedCompositeFieldContainer[KeysSearchFilter]
    def __init__(self, pagination: _Optional[_Union[_v2_pb2.PaginationRequest, _Mapping]] = ..., sorting_column: _Optional[_Union[KeyFieldName, str]] = ..., filters: _Optional[_Iterable[_Union[KeysSearchFilter, _Mapping]]] = ...) -> None: ...

class ListKeysResponse(_message.Message):
    __slots__ = ("pagination", "result")
    PAGINATION_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    pagination: _v2_pb2.PaginationResponse
    result: _containers.RepeatedCompositeFieldContainer[Key]
    def __init__(self, pagination: _Optional[_Union[_v2_pb2.PaginationResponse, _Mapping]] = ..., result: _Optional[_Iterable[_Union[Key, _Mapping]]] = ...) -> None: ...

class ListPasskeysRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class ListPasskeysResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[Passkey]
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[Passkey, _Mapping]]] = ...) -> None: ...

class ListPersonalAccessTokensRequest(_message.Message):
    __slots__ = ("pagination", "sorting_column", "filters")
    PAGINATION_FIELD_NUMBER: _ClassVar[int]
    SORTING_COLUMN_FIELD_NUMBER: _ClassVar[int]
    FILTERS_FIELD_NUMBER: _ClassVar[int]
    pagination: _v2_pb2.PaginationRequest
    sorting_column: PersonalAccessTokenFieldName
    filters: _containers.RepeatedCompositeFieldContainer[PersonalAccessTokensSearchFilter]
    def __init__(self, pagination: _Optional[_Union[_v2_pb2.PaginationRequest, _Mapping]] = ..., sorting_column: _Optional[_Union[PersonalAccessTokenFieldName, str]] = ..., filters: _Optional[_Iterable[_Union[PersonalAccessTokensSearchFilter, _Mapping]]] = ...) -> None: ...

class ListPersonalAccessTokensResponse(_message.Message):
    __slots__ = ("pagination", "result")
    PAGINATION_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    pagination: _v2_pb2.PaginationResponse
    result: _containers.RepeatedCompositeFieldContainer[PersonalAccessToken]
    def __init__(self, pagination: _Optional[_Union[_v2_pb2.PaginationResponse, _Mapping]] = ..., result: _Optional[_Iterable[_Union[PersonalAccessToken, _Mapping]]] = ...) -> None: ...

class ListUserMetadataRequest(_message.Message):
    __slots__ = ("user_id", "pagination", "filters")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    PAGINATION_FIELD_NUMBER: _ClassVar[int]
    FILTERS_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    pagination: _v2_pb2.PaginationRequest
    filters: _containers.RepeatedCompositeFieldContainer[_v2_pb2_1.MetadataSearchFilter]
    def __init__(self, user_id: _Optional[str] = ..., pagination: _Optional[_Union[_v2_pb2.PaginationRequest, _Mapping]] = ..., filters: _Optional[_Iterable[_Union[_v2_pb2_1.MetadataSearchFilter, _Mapping]]] = ...) -> None: ...

class ListUserMetadataResponse(_message.Message):
    __slots__ = ("pagination", "metadata")
    PAGINATION_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    pagination: _v2_pb2.PaginationResponse
    metadata: _containers.RepeatedCompositeFieldContainer[_v2_pb2_1.Metadata]
    def __init__(self, pagination: _Optional[_Union[_v2_pb2.PaginationResponse, _Mapping]] = ..., metadata: _Optional[_Iterable[_Union[_v2_pb2_1.Metadata, _Mapping]]] = ...) -> None: ...

class ListUsersRequest(_message.Message):
    __slots__ = ("query", "sorting_column", "queries")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    SORTING_COLUMN_FIELD_NUMBER: _ClassVar[int]
    QUERIES_FIELD_NUMBER: _ClassVar[int]
    query: _v2_pb2_1_1.ListQuery
    sorting_column: UserFieldName
    queries: _containers.RepeatedCompositeFieldContainer[SearchQuery]
    def __init__(self, query: _Optional[_Union[_v2_pb2_1_1.ListQuery, _Mapping]] = ..., sorting_column: _Optional[_Union[UserFieldName, str]] = ..., queries: _Optional[_Iterable[_Union[SearchQuery, _Mapping]]] = ...) -> None: ...

class ListUsersResponse(_message.Message):
    __slots__ = ("details", "sorting_column", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    SORTING_COLUMN_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.ListDetails
    sorting_column: UserFieldName
    result: _containers.RepeatedCompositeFieldContainer[User]
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.ListDetails, _Mapping]] = ..., sorting_column: _Optional[_Union[UserFieldName, str]] = ..., result: _Optional[_Iterable[_Union[User, _Mapping]]] = ...) -> None: ...

class LockUserRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class LockUserResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ...) -> None: ...

class LoginNameQuery(_message.Message):
    __slots__ = ("login_name", "method")
    LOGIN_NAME_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    login_name: str
    method: _v2_pb2_1_1.TextQueryMethod
    def __init__(self, login_name: _Optional[str] = ..., method: _Optional[_Union[_v2_pb2_1_1.TextQueryMethod, str]] = ...) -> None: ...

class MachineUser(_message.Message):
    __slots__ = ("name", "description", "has_secret", "access_token_type")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    HAS_SECRET_FIELD_NUMBER: _ClassVar[int]
    ACCESS_TOKEN_TYPE_FIELD_NUMBER: _ClassVar[int]
    name: str
    description: str
    has_secret: bool
    access_token_type: AccessTokenType
    def __init__(self, name: _Optional[str] = ..., description: _Optional[str] = ..., has_secret: _Optional[bool] = ..., access_token_type: _Optional[_Union[AccessTokenType, str]] = ...) -> None: ...

class Metadata(_message.Message):
    __slots__ = ("key", "value")
    KEY_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    key: str
    value: bytes
    def __init__(self, key: _Optional[str] = ..., value: _Optional[bytes] = ...) -> None: ...

class NickNameQuery(_message.Message):
    __slots__ = ("nick_name", "method")
    NICK_NAME_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    nick_name: str
    method: _v2_pb2_1_1.TextQueryMethod
    def __init__(self, nick_name: _Optional[str] = ..., method: _Optional[_Union[_v2_pb2_1_1.TextQueryMethod, str]] = ...) -> None: ...

class NotQuery(_message.Message):
    __slots__ = ("query",)
    QUERY_FIELD_NUMBER: _ClassVar[int]
    query: SearchQuery
    def __init__(self, query: _Optional[_Union[SearchQuery, _Mapping]] = ...) -> None: ...

class OrQuery(_message.Message):
    __slots__ = ("queries",)
    QUERIES_FIELD_NUMBER: _ClassVar[int]
    queries: _containers.RepeatedCompositeFieldContainer[SearchQuery]
    def __init__(self, queries: _Optional[_Iterable[_Union[SearchQuery, _Mapping]]] = ...) -> None: ...

class OrganizationIdQuery(_message.Message):
    __slots__ = ("organization_id",)
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    organization_id: str
    def __init__(self, organization_id: _Optional[str] = ...) -> None: ...

class Passkey(_message.Message):
    __slots__ = ("id", "state", "name")
    ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    id: str
    state: AuthFactorState
    name: str
    def __init__(self, id: _Optional[str] = ..., state: _Optional[_Union[AuthFactorState, str]] = ..., name: _Optional[str] = ...) -> None: ...

class PasskeyRegistrationCode(_message.Message):
    __slots__ = ("id", "code")
    ID_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    id: str
    code: str
    def __init__(self, id: _Optional[str] = ..., code: _Optional[str] = ...) -> None: ...

class Password(_message.Message):
    __slots__ = ("password", "change_required")
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    CHANGE_REQUIRED_FIELD_NUMBER: _ClassVar[int]
    password: str
    change_required: bool
    def __init__(self, password: _Optional[str] = ..., change_required: _Optional[bool] = ...) -> None: ...

class PasswordResetRequest(_message.Message):
    __slots__ = ("user_id", "send_link", "return_code")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    SEND_LINK_FIELD_NUMBER: _ClassVar[int]
    RETURN_CODE_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    send_link: SendPasswordResetLink
    return_code: ReturnPasswordResetCode
    def __init__(self, user_id: _Optional[str] = ..., send_link: _Optional[_Union[SendPasswordResetLink, _Mapping]] = ..., return_code: _Optional[_Union[ReturnPasswordResetCode, _Mapping]] = ...) -> None: ...

class PasswordResetResponse(_message.Message):
    __slots__ = ("details", "verification_code")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_CODE_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    verification_code: str
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ..., verification_code: _Optional[str] = ...) -> None: ...

class PersonalAccessToken(_message.Message):
    __slots__ = ("creation_date", "change_date", "id", "user_id", "organization_id", "expiration_date")
    CREATION_DATE_FIELD_NUMBER: _ClassVar[int]
    CHANGE_DATE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    EXPIRATION_DATE_FIELD_NUMBER: _ClassVar[int]
    creation_date: _timestamp_pb2.Timestamp
    change_date: _timestamp_pb2.Timestamp
    id: str
    user_id: str
    organization_id: str
    expiration_date: _timestamp_pb2.Timestamp
    def __init__(self, creation_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., change_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., id: _Optional[str] = ..., user_id: _Optional[str] = ..., organization_id: _Optional[str] = ..., expiration_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class PersonalAccessTokensSearchFilter(_message.Message):
    __slots__ = ("token_id_filter", "user_id_filter", "organization_id_filter", "created_date_filter", "expiration_date_filter")
    TOKEN_ID_FILTER_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FILTER_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_ID_FILTER_FIELD_NUMBER: _ClassVar[int]
    CREATED_DATE_FILTER_FIELD_NUMBER: _ClassVar[int]
    EXPIRATION_DATE_FILTER_FIELD_NUMBER: _ClassVar[int]
    token_id_filter: _v2_pb2.IDFilter
    user_id_filter: _v2_pb2.IDFilter
    organization_id_filter: _v2_pb2.IDFilter
    created_date_filter: _v2_pb2.TimestampFilter
    expiration_date_filter: _v2_pb2.TimestampFilter
    def __init__(self, token_id_filter: _Optional[_Union[_v2_pb2.IDFilter, _Mapping]] = ..., user_id_filter: _Optional[_Union[_v2_pb2.IDFilter, _Mapping]] = ..., organization_id_filter: _Optional[_Union[_v2_pb2.IDFilter, _Mapping]] = ..., created_date_filter: _Optional[_Union[_v2_pb2.TimestampFilter, _Mapping]] = ..., expiration_date_filter: _Optional[_Union[_v2_pb2.TimestampFilter, _Mapping]] = ...) -> None: ...

class PhoneQuery(_message.Message):
    __slots__ = ("number", "method")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    number: str
    method: _v2_pb2_1_1.TextQueryMethod
    def __init__(self, number: _Optional[str] = ..., method: _Optional[_Union[_v2_pb2_1_1.TextQueryMethod, str]] = ...) -> None: ...

class ReactivateUserRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class ReactivateUserResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ...) -> None: ...

class RedirectURLs(_message.Message):
    __slots__ = ("success_url", "failure_url")
    SUCCESS_URL_FIELD_NUMBER: _ClassVar[int]
    FAILURE_URL_FIELD_NUMBER: _ClassVar[int]
    success_url: str
    failure_url: str
    def __init__(self, success_url: _Optional[str] = ..., failure_url: _Optional[str] = ...) -> None: ...

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
    details: _v2_pb2_1_1.Details
    passkey_id: str
    public_key_credential_creation_options: _struct_pb2.Struct
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ..., passkey_id: _Optional[str] = ..., public_key_credential_creation_options: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...

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
    details: _v2_pb2_1_1.Details
    uri: str
    secret: str
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ..., uri: _Optional[str] = ..., secret: _Optional[str] = ...) -> None: ...

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
    details: _v2_pb2_1_1.Details
    u2f_id: str
    public_key_credential_creation_options: _struct_pb2.Struct
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ..., u2f_id: _Optional[str] = ..., public_key_credential_creation_options: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...

class RemoveIDPLinkRequest(_message.Message):
    __slots__ = ("user_id", "idp_id", "linked_user_id")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    LINKED_USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    idp_id: str
    linked_user_id: str
    def __init__(self, user_id: _Optional[str] = ..., idp_id: _Optional[str] = ..., linked_user_id: _Optional[str] = ...) -> None: ...

class RemoveIDPLinkResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ...) -> None: ...

class RemoveKeyRequest(_message.Message):
    __slots__ = ("user_id", "key_id")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    KEY_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    key_id: str
    def __init__(self, user_id: _Optional[str] = ..., key_id: _Optional[str] = ...) -> None: ...

class RemoveKeyResponse(_message.Message):
    __slots__ = ("deletion_date",)
    DELETION_DATE_FIELD_NUMBER: _ClassVar[int]
    deletion_date: _timestamp_pb2.Timestamp
    def __init__(self, deletion_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class RemoveOTPEmailRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class RemoveOTPEmailResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ...) -> None: ...

class RemoveOTPSMSRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class RemoveOTPSMSResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ...) -> None: ...

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
    details: _v2_pb2_1_1.Details
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ...) -> None: ...

class RemovePersonalAccessTokenRequest(_message.Message):
    __slots__ = ("user_id", "token_id")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    token_id: str
    def __init__(self, user_id: _Optional[str] = ..., token_id: _Optional[str] = ...) -> None: ...

class RemovePersonalAccessTokenResponse(_message.Message):
    __slots__ = ("deletion_date",)
    DELETION_DATE_FIELD_NUMBER: _ClassVar[int]
    deletion_date: _timestamp_pb2.Timestamp
    def __init__(self, deletion_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class RemovePhoneRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class RemovePhoneResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ...) -> None: ...

class RemoveRecoveryCodesRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class RemoveRecoveryCodesResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ...) -> None: ...

class RemoveSecretRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class RemoveSecretResponse(_message.Message):
    __slots__ = ("deletion_date",)
    DELETION_DATE_FIELD_NUMBER: _ClassVar[int]
    deletion_date: _timestamp_pb2.Timestamp
    def __init__(self, deletion_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class RemoveTOTPRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class RemoveTOTPResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ...) -> None: ...

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
    details: _v2_pb2_1_1.Details
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ...) -> None: ...

class ResendEmailCodeRequest(_message.Message):
    __slots__ = ("user_id", "send_code", "return_code")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    SEND_CODE_FIELD_NUMBER: _ClassVar[int]
    RETURN_CODE_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    send_code: SendEmailVerificationCode
    return_code: ReturnEmailVerificationCode
    def __init__(self, user_id: _Optional[str] = ..., send_code: _Optional[_Union[SendEmailVerificationCode, _Mapping]] = ..., return_code: _Optional[_Union[ReturnEmailVerificationCode, _Mapping]] = ...) -> None: ...

class ResendEmailCodeResponse(_message.Message):
    __slots__ = ("details", "verification_code")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_CODE_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    verification_code: str
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ..., verification_code: _Optional[str] = ...) -> None: ...

class ResendInviteCodeRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class ResendInviteCodeResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ...) -> None: ...

class ResendPhoneCodeRequest(_message.Message):
    __slots__ = ("user_id", "send_code", "return_code")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    SEND_CODE_FIELD_NUMBER: _ClassVar[int]
    RETURN_CODE_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    send_code: SendPhoneVerificationCode
    return_code: ReturnPhoneVerificationCode
    def __init__(self, user_id: _Optional[str] = ..., send_code: _Optional[_Union[SendPhoneVerificationCode, _Mapping]] = ..., return_code: _Optional[_Union[ReturnPhoneVerificationCode, _Mapping]] = ...) -> None: ...

class ResendPhoneCodeResponse(_message.Message):
    __slots__ = ("details", "verification_code")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_CODE_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    verification_code: str
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ..., verification_code: _Optional[str] = ...) -> None: ...

class RetrieveIdentityProviderIntentRequest(_message.Message):
    __slots__ = ("idp_intent_id", "idp_intent_token")
    IDP_INTENT_ID_FIELD_NUMBER: _ClassVar[int]
    IDP_INTENT_TOKEN_FIELD_NUMBER: _ClassVar[int]
    idp_intent_id: str
    idp_intent_token: str
    def __init__(self, idp_intent_id: _Optional[str] = ..., idp_intent_token: _Optional[str] = ...) -> None: ...

class RetrieveIdentityProviderIntentResponse(_message.Message):
    __slots__ = ("details", "idp_information", "user_id", "add_human_user")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    IDP_INFORMATION_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    ADD_HUMAN_USER_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    idp_information: IDPInformation
    user_id: str
    add_human_user: AddHumanUserRequest
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ..., idp_information: _Optional[_Union[IDPInformation, _Mapping]] = ..., user_id: _Optional[str] = ..., add_human_user: _Optional[_Union[AddHumanUserRequest, _Mapping]] = ...) -> None: ...

class ReturnEmailVerificationCode(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ReturnInviteCode(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ReturnPasskeyRegistrationCode(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ReturnPasswordResetCode(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ReturnPhoneVerificationCode(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class SearchQuery(_message.Message):
    __slots__ = ("user_name_query", "first_name_query", "last_name_query", "nick_name_query", "display_name_query", "email_query", "state_query", "type_query", "login_name_query", "in_user_ids_query", "or_query", "and_query", "not_query", "in_user_emails_query", "organization_id_query", "phone_query")
    USER_NAME_QUERY_FIELD_NUMBER: _ClassVar[int]
    FIRST_NAME_QUERY_FIELD_NUMBER: _ClassVar[int]
    LAST_NAME_QUERY_FIELD_NUMBER: _ClassVar[int]
    NICK_NAME_QUERY_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_QUERY_FIELD_NUMBER: _ClassVar[int]
    EMAIL_QUERY_FIELD_NUMBER: _ClassVar[int]
    STATE_QUERY_FIELD_NUMBER: _ClassVar[int]
    TYPE_QUERY_FIELD_NUMBER: _ClassVar[int]
    LOGIN_NAME_QUERY_FIELD_NUMBER: _ClassVar[int]
    IN_USER_IDS_QUERY_FIELD_NUMBER: _ClassVar[int]
    OR_QUERY_FIELD_NUMBER: _ClassVar[int]
    AND_QUERY_FIELD_NUMBER: _ClassVar[int]
    NOT_QUERY_FIELD_NUMBER: _ClassVar[int]
    IN_USER_EMAILS_QUERY_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_ID_QUERY_FIELD_NUMBER: _ClassVar[int]
    PHONE_QUERY_FIELD_NUMBER: _ClassVar[int]
    user_name_query: UserNameQuery
    first_name_query: FirstNameQuery
    last_name_query: LastNameQuery
    nick_name_query: NickNameQuery
    display_name_query: DisplayNameQuery
    email_query: EmailQuery
    state_query: StateQuery
    type_query: TypeQuery
    login_name_query: LoginNameQuery
    in_user_ids_query: InUserIDQuery
    or_query: OrQuery
    and_query: AndQuery
    not_query: NotQuery
    in_user_emails_query: InUserEmailsQuery
    organization_id_query: OrganizationIdQuery
    phone_query: PhoneQuery
    def __init__(self, user_name_query: _Optional[_Union[UserNameQuery, _Mapping]] = ..., first_name_query: _Optional[_Union[FirstNameQuery, _Mapping]] = ..., last_name_query: _Optional[_Union[LastNameQuery, _Mapping]] = ..., nick_name_query: _Optional[_Union[NickNameQuery, _Mapping]] = ..., display_name_query: _Optional[_Union[DisplayNameQuery, _Mapping]] = ..., email_query: _Optional[_Union[EmailQuery, _Mapping]] = ..., state_query: _Optional[_Union[StateQuery, _Mapping]] = ..., type_query: _Optional[_Union[TypeQuery, _Mapping]] = ..., login_name_query: _Optional[_Union[LoginNameQuery, _Mapping]] = ..., in_user_ids_query: _Optional[_Union[InUserIDQuery, _Mapping]] = ..., or_query: _Optional[_Union[OrQuery, _Mapping]] = ..., and_query: _Optional[_Union[AndQuery, _Mapping]] = ..., not_query: _Optional[_Union[NotQuery, _Mapping]] = ..., in_user_emails_query: _Optional[_Union[InUserEmailsQuery, _Mapping]] = ..., organization_id_query: _Optional[_Union[OrganizationIdQuery, _Mapping]] = ..., phone_query: _Optional[_Union[PhoneQuery, _Mapping]] = ...) -> None: ...

class SendEmailCodeRequest(_message.Message):
    __slots__ = ("user_id", "send_code", "return_code")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    SEND_CODE_FIELD_NUMBER: _ClassVar[int]
    RETURN_CODE_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    send_code: SendEmailVerificationCode
    return_code: ReturnEmailVerificationCode
    def __init__(self, user_id: _Optional[str] = ..., send_code: _Optional[_Union[SendEmailVerificationCode, _Mapping]] = ..., return_code: _Optional[_Union[ReturnEmailVerificationCode, _Mapping]] = ...) -> None: ...

class SendEmailCodeResponse(_message.Message):
    __slots__ = ("details", "verification_code")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_CODE_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    verification_code: str
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ..., verification_code: _Optional[str] = ...) -> None: ...

class SendEmailVerificationCode(_message.Message):
    __slots__ = ("url_template",)
    URL_TEMPLATE_FIELD_NUMBER: _ClassVar[int]
    url_template: str
    def __init__(self, url_template: _Optional[str] = ...) -> None: ...

class SendInviteCode(_message.Message):
    __slots__ = ("url_template", "application_name")
    URL_TEMPLATE_FIELD_NUMBER: _ClassVar[int]
    APPLICATION_NAME_FIELD_NUMBER: _ClassVar[int]
    url_template: str
    application_name: str
    def __init__(self, url_template: _Optional[str] = ..., application_name: _Optional[str] = ...) -> None: ...

class SendPasskeyRegistrationLink(_message.Message):
    __slots__ = ("url_template",)
    URL_TEMPLATE_FIELD_NUMBER: _ClassVar[int]
    url_template: str
    def __init__(self, url_template: _Optional[str] = ...) -> None: ...

class SendPasswordResetLink(_message.Message):
    __slots__ = ("notification_type", "url_template")
    NOTIFICATION_TYPE_FIELD_NUMBER: _ClassVar[int]
    URL_TEMPLATE_FIELD_NUMBER: _ClassVar[int]
    notification_type: NotificationType
    url_template: str
    def __init__(self, notification_type: _Optional[_Union[NotificationType, str]] = ..., url_template: _Optional[str] = ...) -> None: ...

class SendPhoneVerificationCode(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class SetEmailRequest(_message.Message):
    __slots__ = ("user_id", "email", "send_code", "return_code", "is_verified")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    SEND_CODE_FIELD_NUMBER: _ClassVar[int]
    RETURN_CODE_FIELD_NUMBER: _ClassVar[int]
    IS_VERIFIED_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    email: str
    send_code: SendEmailVerificationCode
    return_code: ReturnEmailVerificationCode
    is_verified: bool
    def __init__(self, user_id: _Optional[str] = ..., email: _Optional[str] = ..., send_code: _Optional[_Union[SendEmailVerificationCode, _Mapping]] = ..., return_code: _Optional[_Union[ReturnEmailVerificationCode, _Mapping]] = ..., is_verified: _Optional[bool] = ...) -> None: ...

class SetEmailResponse(_message.Message):
    __slots__ = ("details", "verification_code")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_CODE_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    verification_code: str
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ..., verification_code: _Optional[str] = ...) -> None: ...

class SetHumanEmail(_message.Message):
    __slots__ = ("email", "send_code", "return_code", "is_verified")
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    SEND_CODE_FIELD_NUMBER: _ClassVar[int]
    RETURN_CODE_FIELD_NUMBER: _ClassVar[int]
    IS_VERIFIED_FIELD_NUMBER: _ClassVar[int]
    email: str
    send_code: SendEmailVerificationCode
    return_code: ReturnEmailVerificationCode
    is_verified: bool
    def __init__(self, email: _Optional[str] = ..., send_code: _Optional[_Union[SendEmailVerificationCode, _Mapping]] = ..., return_code: _Optional[_Union[ReturnEmailVerificationCode, _Mapping]] = ..., is_verified: _Optional[bool] = ...) -> None: ...

class SetHumanPhone(_message.Message):
    __slots__ = ("phone", "send_code", "return_code", "is_verified")
    PHONE_FIELD_NUMBER: _ClassVar[int]
    SEND_CODE_FIELD_NUMBER: _ClassVar[int]
    RETURN_CODE_FIELD_NUMBER: _ClassVar[int]
    IS_VERIFIED_FIELD_NUMBER: _ClassVar[int]
    phone: str
    send_code: SendPhoneVerificationCode
    return_code: ReturnPhoneVerificationCode
    is_verified: bool
    def __init__(self, phone: _Optional[str] = ..., send_code: _Optional[_Union[SendPhoneVerificationCode, _Mapping]] = ..., return_code: _Optional[_Union[ReturnPhoneVerificationCode, _Mapping]] = ..., is_verified: _Optional[bool] = ...) -> None: ...

class SetHumanProfile(_message.Message):
    __slots__ = ("given_name", "family_name", "nick_name", "display_name", "preferred_language", "gender")
    GIVEN_NAME_FIELD_NUMBER: _ClassVar[int]
    FAMILY_NAME_FIELD_NUMBER: _ClassVar[int]
    NICK_NAME_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    PREFERRED_LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    GENDER_FIELD_NUMBER: _ClassVar[int]
    given_name: str
    family_name: str
    nick_name: str
    display_name: str
    preferred_language: str
    gender: Gender
    def __init__(self, given_name: _Optional[str] = ..., family_name: _Optional[str] = ..., nick_name: _Optional[str] = ..., display_name: _Optional[str] = ..., preferred_language: _Optional[str] = ..., gender: _Optional[_Union[Gender, str]] = ...) -> None: ...

class SetMetadataEntry(_message.Message):
    __slots__ = ("key", "value")
    KEY_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    key: str
    value: bytes
    def __init__(self, key: _Optional[str] = ..., value: _Optional[bytes] = ...) -> None: ...

class SetPassword(_message.Message):
    __slots__ = ("password", "hashed_password", "current_password", "verification_code")
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    HASHED_PASSWORD_FIELD_NUMBER: _ClassVar[int]
    CURRENT_PASSWORD_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_CODE_FIELD_NUMBER: _ClassVar[int]
    password: Password
    hashed_password: HashedPassword
    current_password: str
    verification_code: str
    def __init__(self, password: _Optional[_Union[Password, _Mapping]] = ..., hashed_password: _Optional[_Union[HashedPassword, _Mapping]] = ..., current_password: _Optional[str] = ..., verification_code: _Optional[str] = ...) -> None: ...

class SetPasswordRequest(_message.Message):
    __slots__ = ("user_id", "new_password", "current_password", "verification_code")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    NEW_PASSWORD_FIELD_NUMBER: _ClassVar[int]
    CURRENT_PASSWORD_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_CODE_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    new_password: Password
    current_password: str
    verification_code: str
    def __init__(self, user_id: _Optional[str] = ..., new_password: _Optional[_Union[Password, _Mapping]] = ..., current_password: _Optional[str] = ..., verification_code: _Optional[str] = ...) -> None: ...

class SetPasswordResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ...) -> None: ...

class SetPhoneRequest(_message.Message):
    __slots__ = ("user_id", "phone", "send_code", "return_code", "is_verified")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    PHONE_FIELD_NUMBER: _ClassVar[int]
    SEND_CODE_FIELD_NUMBER: _ClassVar[int]
    RETURN_CODE_FIELD_NUMBER: _ClassVar[int]
    IS_VERIFIED_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    phone: str
    send_code: SendPhoneVerificationCode
    return_code: ReturnPhoneVerificationCode
    is_verified: bool
    def __init__(self, user_id: _Optional[str] = ..., phone: _Optional[str] = ..., send_code: _Optional[_Union[SendPhoneVerificationCode, _Mapping]] = ..., return_code: _Optional[_Union[ReturnPhoneVerificationCode, _Mapping]] = ..., is_verified: _Optional[bool] = ...) -> None: ...

class SetPhoneResponse(_message.Message):
    __slots__ = ("details", "verification_code")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_CODE_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    verification_code: str
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ..., verification_code: _Optional[str] = ...) -> None: ...

class SetUserMetadataRequest(_message.Message):
    __slots__ = ("user_id", "metadata")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    metadata: _containers.RepeatedCompositeFieldContainer[Metadata]
    def __init__(self, user_id: _Optional[str] = ..., metadata: _Optional[_Iterable[_Union[Metadata, _Mapping]]] = ...) -> None: ...

class SetUserMetadataResponse(_message.Message):
    __slots__ = ("set_date",)
    SET_DATE_FIELD_NUMBER: _ClassVar[int]
    set_date: _timestamp_pb2.Timestamp
    def __init__(self, set_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class StartIdentityProviderIntentRequest(_message.Message):
    __slots__ = ("idp_id", "urls", "ldap")
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    URLS_FIELD_NUMBER: _ClassVar[int]
    LDAP_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    urls: RedirectURLs
    ldap: LDAPCredentials
    def __init__(self, idp_id: _Optional[str] = ..., urls: _Optional[_Union[RedirectURLs, _Mapping]] = ..., ldap: _Optional[_Union[LDAPCredentials, _Mapping]] = ...) -> None: ...

class StartIdentityProviderIntentResponse(_message.Message):
    __slots__ = ("details", "auth_url", "idp_intent", "post_form", "form_data")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    AUTH_URL_FIELD_NUMBER: _ClassVar[int]
    IDP_INTENT_FIELD_NUMBER: _ClassVar[int]
    POST_FORM_FIELD_NUMBER: _ClassVar[int]
    FORM_DATA_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    auth_url: str
    idp_intent: IDPIntent
    post_form: bytes
    form_data: FormData
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ..., auth_url: _Optional[str] = ..., idp_intent: _Optional[_Union[IDPIntent, _Mapping]] = ..., post_form: _Optional[bytes] = ..., form_data: _Optional[_Union[FormData, _Mapping]] = ...) -> None: ...

class StateQuery(_message.Message):
    __slots__ = ("state",)
    STATE_FIELD_NUMBER: _ClassVar[int]
    state: UserState
    def __init__(self, state: _Optional[_Union[UserState, str]] = ...) -> None: ...

class TypeQuery(_message.Message):
    __slots__ = ("type",)
    TYPE_FIELD_NUMBER: _ClassVar[int]
    type: Type
    def __init__(self, type: _Optional[_Union[Type, str]] = ...) -> None: ...

class UnlockUserRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class UnlockUserResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ...) -> None: ...

class UpdateHumanUserRequest(_message.Message):
    __slots__ = ("user_id", "username", "profile", "email", "phone", "password")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    PHONE_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    username: str
    profile: SetHumanProfile
    email: SetHumanEmail
    phone: SetHumanPhone
    password: SetPassword
    def __init__(self, user_id: _Optional[str] = ..., username: _Optional[str] = ..., profile: _Optional[_Union[SetHumanProfile, _Mapping]] = ..., email: _Optional[_Union[SetHumanEmail, _Mapping]] = ..., phone: _Optional[_Union[SetHumanPhone, _Mapping]] = ..., password: _Optional[_Union[SetPassword, _Mapping]] = ...) -> None: ...

class UpdateHumanUserResponse(_message.Message):
    __slots__ = ("details", "email_code", "phone_code")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    EMAIL_CODE_FIELD_NUMBER: _ClassVar[int]
    PHONE_CODE_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    email_code: str
    phone_code: str
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ..., email_code: _Optional[str] = ..., phone_code: _Optional[str] = ...) -> None: ...

class UpdateUserRequest(_message.Message):
    __slots__ = ("user_id", "username", "human", "machine")
    class Human(_message.Message):
        __slots__ = ("profile", "email", "phone", "password")
        class Profile(_message.Message):
            __slots__ = ("given_name", "family_name", "nick_name", "display_name", "preferred_language", "gender")
            GIVEN_NAME_FIELD_NUMBER: _ClassVar[int]
            FAMILY_NAME_FIELD_NUMBER: _ClassVar[int]
            NICK_NAME_FIELD_NUMBER: _ClassVar[int]
            DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
            PREFERRED_LANGUAGE_FIELD_NUMBER: _ClassVar[int]
            GENDER_FIELD_NUMBER: _ClassVar[int]
            given_name: str
            family_name: str
            nick_name: str
            display_name: str
            preferred_language: str
            gender: Gender
            def __init__(self, given_name: _Optional[str] = ..., family_name: _Optional[str] = ..., nick_name: _Optional[str] = ..., display_name: _Optional[str] = ..., preferred_language: _Optional[str] = ..., gender: _Optional[_Union[Gender, str]] = ...) -> None: ...
        PROFILE_FIELD_NUMBER: _ClassVar[int]
        EMAIL_FIELD_NUMBER: _ClassVar[int]
        PHONE_FIELD_NUMBER: _ClassVar[int]
        PASSWORD_FIELD_NUMBER: _ClassVar[int]
        profile: UpdateUserRequest.Human.Profile
        email: SetHumanEmail
        phone: SetHumanPhone
        password: SetPassword
        def __init__(self, profile: _Optional[_Union[UpdateUserRequest.Human.Profile, _Mapping]] = ..., email: _Optional[_Union[SetHumanEmail, _Mapping]] = ..., phone: _Optional[_Union[SetHumanPhone, _Mapping]] = ..., password: _Optional[_Union[SetPassword, _Mapping]] = ...) -> None: ...
    class Machine(_message.Message):
        __slots__ = ("name", "description")
        NAME_FIELD_NUMBER: _ClassVar[int]
        DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
        name: str
        description: str
        def __init__(self, name: _Optional[str] = ..., description: _Optional[str] = ...) -> None: ...
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    HUMAN_FIELD_NUMBER: _ClassVar[int]
    MACHINE_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    username: str
    human: UpdateUserRequest.Human
    machine: UpdateUserRequest.Machine
    def __init__(self, user_id: _Optional[str] = ..., username: _Optional[str] = ..., human: _Optional[_Union[UpdateUserRequest.Human, _Mapping]] = ..., machine: _Optional[_Union[UpdateUserRequest.Machine, _Mapping]] = ...) -> None: ...

class UpdateUserResponse(_message.Message):
    __slots__ = ("change_date", "email_code", "phone_code")
    CHANGE_DATE_FIELD_NUMBER: _ClassVar[int]
    EMAIL_CODE_FIELD_NUMBER: _ClassVar[int]
    PHONE_CODE_FIELD_NUMBER: _ClassVar[int]
    change_date: _timestamp_pb2.Timestamp
    email_code: str
    phone_code: str
    def __init__(self, change_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., email_code: _Optional[str] = ..., phone_code: _Optional[str] = ...) -> None: ...

class User(_message.Message):
    __slots__ = ("user_id", "details", "state", "username", "login_names", "preferred_login_name", "human", "machine")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    LOGIN_NAMES_FIELD_NUMBER: _ClassVar[int]
    PREFERRED_LOGIN_NAME_FIELD_NUMBER: _ClassVar[int]
    HUMAN_FIELD_NUMBER: _ClassVar[int]
    MACHINE_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    details: _v2_pb2_1_1.Details
    state: UserState
    username: str
    login_names: _containers.RepeatedScalarFieldContainer[str]
    preferred_login_name: str
    human: HumanUser
    machine: MachineUser
    def __init__(self, user_id: _Optional[str] = ..., details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ..., state: _Optional[_Union[UserState, str]] = ..., username: _Optional[str] = ..., login_names: _Optional[_Iterable[str]] = ..., preferred_login_name: _Optional[str] = ..., human: _Optional[_Union[HumanUser, _Mapping]] = ..., machine: _Optional[_Union[MachineUser, _Mapping]] = ...) -> None: ...

class UserNameQuery(_message.Message):
    __slots__ = ("user_name", "method")
    USER_NAME_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    user_name: str
    method: _v2_pb2_1_1.TextQueryMethod
    def __init__(self, user_name: _Optional[str] = ..., method: _Optional[_Union[_v2_pb2_1_1.TextQueryMethod, str]] = ...) -> None: ...

class VerifyEmailRequest(_message.Message):
    __slots__ = ("user_id", "verification_code")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_CODE_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    verification_code: str
    def __init__(self, user_id: _Optional[str] = ..., verification_code: _Optional[str] = ...) -> None: ...

class VerifyEmailResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ...) -> None: ...

class VerifyInviteCodeRequest(_message.Message):
    __slots__ = ("user_id", "verification_code")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_CODE_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    verification_code: str
    def __init__(self, user_id: _Optional[str] = ..., verification_code: _Optional[str] = ...) -> None: ...

class VerifyInviteCodeResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ...) -> None: ...

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
    details: _v2_pb2_1_1.Details
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ...) -> None: ...

class VerifyPhoneRequest(_message.Message):
    __slots__ = ("user_id", "verification_code")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_CODE_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    verification_code: str
    def __init__(self, user_id: _Optional[str] = ..., verification_code: _Optional[str] = ...) -> None: ...

class VerifyPhoneResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2_1_1.Details
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ...) -> None: ...

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
    details: _v2_pb2_1_1.Details
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ...) -> None: ...

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
    details: _v2_pb2_1_1.Details
    def __init__(self, details: _Optional[_Union[_v2_pb2_1_1.Details, _Mapping]] = ...) -> None: ...
