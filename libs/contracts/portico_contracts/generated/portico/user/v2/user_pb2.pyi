import datetime

from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from portico_contracts.generated.portico.management.v1 import app_pb2 as _app_pb2
from portico_contracts.generated.portico.object.v2 import object_pb2 as _object_pb2
from portico_contracts.generated.portico.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Gender(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GENDER_UNSPECIFIED: _ClassVar[Gender]
    GENDER_FEMALE: _ClassVar[Gender]
    GENDER_MALE: _ClassVar[Gender]
    GENDER_DIVERSE: _ClassVar[Gender]

class UserState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    USER_STATE_UNSPECIFIED: _ClassVar[UserState]
    USER_STATE_ACTIVE: _ClassVar[UserState]
    USER_STATE_INACTIVE: _ClassVar[UserState]
    USER_STATE_DELETED: _ClassVar[UserState]
    USER_STATE_LOCKED: _ClassVar[UserState]

class AccessTokenType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ACCESS_TOKEN_TYPE_BEARER: _ClassVar[AccessTokenType]
    ACCESS_TOKEN_TYPE_JWT: _ClassVar[AccessTokenType]

class WayInState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    WAY_IN_STATE_UNSPECIFIED: _ClassVar[WayInState]
    WAY_IN_STATE_NONE: _ClassVar[WayInState]

class InvitationState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    INVITATION_STATE_UNSPECIFIED: _ClassVar[InvitationState]
    INVITATION_STATE_INVITED: _ClassVar[InvitationState]
    INVITATION_STATE_EXPIRED: _ClassVar[InvitationState]
GENDER_UNSPECIFIED: Gender
GENDER_FEMALE: Gender
GENDER_MALE: Gender
GENDER_DIVERSE: Gender
USER_STATE_UNSPECIFIED: UserState
USER_STATE_ACTIVE: UserState
USER_STATE_INACTIVE: UserState
USER_STATE_DELETED: UserState
USER_STATE_LOCKED: UserState
ACCESS_TOKEN_TYPE_BEARER: AccessTokenType
ACCESS_TOKEN_TYPE_JWT: AccessTokenType
WAY_IN_STATE_UNSPECIFIED: WayInState
WAY_IN_STATE_NONE: WayInState
INVITATION_STATE_UNSPECIFIED: InvitationState
INVITATION_STATE_INVITED: InvitationState
INVITATION_STATE_EXPIRED: InvitationState

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
    details: _object_pb2.Details
    state: UserState
    username: str
    login_names: _containers.RepeatedScalarFieldContainer[str]
    preferred_login_name: str
    human: HumanUser
    machine: MachineUser
    def __init__(self, user_id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ..., state: _Optional[_Union[UserState, str]] = ..., username: _Optional[str] = ..., login_names: _Optional[_Iterable[str]] = ..., preferred_login_name: _Optional[str] = ..., human: _Optional[_Union[HumanUser, _Mapping]] = ..., machine: _Optional[_Union[MachineUser, _Mapping]] = ...) -> None: ...

class HumanUser(_message.Message):
    __slots__ = ("profile", "email", "phone", "attributes", "password_change_required", "password_changed", "last_sign_in", "invitation", "group_names", "way_in")
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    PHONE_FIELD_NUMBER: _ClassVar[int]
    ATTRIBUTES_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_CHANGE_REQUIRED_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_CHANGED_FIELD_NUMBER: _ClassVar[int]
    LAST_SIGN_IN_FIELD_NUMBER: _ClassVar[int]
    INVITATION_FIELD_NUMBER: _ClassVar[int]
    GROUP_NAMES_FIELD_NUMBER: _ClassVar[int]
    WAY_IN_FIELD_NUMBER: _ClassVar[int]
    profile: HumanProfile
    email: HumanEmail
    phone: HumanPhone
    attributes: HumanAttributes
    password_change_required: bool
    password_changed: _timestamp_pb2.Timestamp
    last_sign_in: _timestamp_pb2.Timestamp
    invitation: Invitation
    group_names: _containers.RepeatedScalarFieldContainer[str]
    way_in: WayInState
    def __init__(self, profile: _Optional[_Union[HumanProfile, _Mapping]] = ..., email: _Optional[_Union[HumanEmail, _Mapping]] = ..., phone: _Optional[_Union[HumanPhone, _Mapping]] = ..., attributes: _Optional[_Union[HumanAttributes, _Mapping]] = ..., password_change_required: _Optional[bool] = ..., password_changed: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., last_sign_in: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., invitation: _Optional[_Union[Invitation, _Mapping]] = ..., group_names: _Optional[_Iterable[str]] = ..., way_in: _Optional[_Union[WayInState, str]] = ...) -> None: ...

class Invitation(_message.Message):
    __slots__ = ("state", "sent", "expires", "inviter_id", "inviter_name")
    STATE_FIELD_NUMBER: _ClassVar[int]
    SENT_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_FIELD_NUMBER: _ClassVar[int]
    INVITER_ID_FIELD_NUMBER: _ClassVar[int]
    INVITER_NAME_FIELD_NUMBER: _ClassVar[int]
    state: InvitationState
    sent: _timestamp_pb2.Timestamp
    expires: _timestamp_pb2.Timestamp
    inviter_id: str
    inviter_name: str
    def __init__(self, state: _Optional[_Union[InvitationState, str]] = ..., sent: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., expires: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., inviter_id: _Optional[str] = ..., inviter_name: _Optional[str] = ...) -> None: ...

class MachineUser(_message.Message):
    __slots__ = ("name", "description", "has_secret", "access_token_type", "previous_secret_replaced", "previous_secret_until", "access_token_alg", "secret_creation_date", "secret_expiration_date", "secret_last_used", "dpop")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    HAS_SECRET_FIELD_NUMBER: _ClassVar[int]
    ACCESS_TOKEN_TYPE_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_SECRET_REPLACED_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_SECRET_UNTIL_FIELD_NUMBER: _ClassVar[int]
    ACCESS_TOKEN_ALG_FIELD_NUMBER: _ClassVar[int]
    SECRET_CREATION_DATE_FIELD_NUMBER: _ClassVar[int]
    SECRET_EXPIRATION_DATE_FIELD_NUMBER: _ClassVar[int]
    SECRET_LAST_USED_FIELD_NUMBER: _ClassVar[int]
    DPOP_FIELD_NUMBER: _ClassVar[int]
    name: str
    description: str
    has_secret: bool
    access_token_type: AccessTokenType
    previous_secret_replaced: _timestamp_pb2.Timestamp
    previous_secret_until: _timestamp_pb2.Timestamp
    access_token_alg: str
    secret_creation_date: _timestamp_pb2.Timestamp
    secret_expiration_date: _timestamp_pb2.Timestamp
    secret_last_used: _timestamp_pb2.Timestamp
    dpop: _app_pb2.Dpop
    def __init__(self, name: _Optional[str] = ..., description: _Optional[str] = ..., has_secret: _Optional[bool] = ..., access_token_type: _Optional[_Union[AccessTokenType, str]] = ..., previous_secret_replaced: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., previous_secret_until: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., access_token_alg: _Optional[str] = ..., secret_creation_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., secret_expiration_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., secret_last_used: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., dpop: _Optional[_Union[_app_pb2.Dpop, str]] = ...) -> None: ...

class HumanEmail(_message.Message):
    __slots__ = ("email", "is_verified", "pending_email", "delivery_failure")
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    IS_VERIFIED_FIELD_NUMBER: _ClassVar[int]
    PENDING_EMAIL_FIELD_NUMBER: _ClassVar[int]
    DELIVERY_FAILURE_FIELD_NUMBER: _ClassVar[int]
    email: str
    is_verified: bool
    pending_email: str
    delivery_failure: str
    def __init__(self, email: _Optional[str] = ..., is_verified: _Optional[bool] = ..., pending_email: _Optional[str] = ..., delivery_failure: _Optional[str] = ...) -> None: ...

class HumanPhone(_message.Message):
    __slots__ = ("phone", "is_verified")
    PHONE_FIELD_NUMBER: _ClassVar[int]
    IS_VERIFIED_FIELD_NUMBER: _ClassVar[int]
    phone: str
    is_verified: bool
    def __init__(self, phone: _Optional[str] = ..., is_verified: _Optional[bool] = ...) -> None: ...

class NewHumanProfile(_message.Message):
    __slots__ = ("first_name", "last_name", "nick_name", "display_name", "preferred_language", "gender")
    FIRST_NAME_FIELD_NUMBER: _ClassVar[int]
    LAST_NAME_FIELD_NUMBER: _ClassVar[int]
    NICK_NAME_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    PREFERRED_LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    GENDER_FIELD_NUMBER: _ClassVar[int]
    first_name: str
    last_name: str
    nick_name: str
    display_name: str
    preferred_language: str
    gender: Gender
    def __init__(self, first_name: _Optional[str] = ..., last_name: _Optional[str] = ..., nick_name: _Optional[str] = ..., display_name: _Optional[str] = ..., preferred_language: _Optional[str] = ..., gender: _Optional[_Union[Gender, str]] = ...) -> None: ...

class HumanProfile(_message.Message):
    __slots__ = ("first_name", "last_name", "nick_name", "display_name", "preferred_language", "gender")
    FIRST_NAME_FIELD_NUMBER: _ClassVar[int]
    LAST_NAME_FIELD_NUMBER: _ClassVar[int]
    NICK_NAME_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    PREFERRED_LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    GENDER_FIELD_NUMBER: _ClassVar[int]
    first_name: str
    last_name: str
    nick_name: str
    display_name: str
    preferred_language: str
    gender: Gender
    def __init__(self, first_name: _Optional[str] = ..., last_name: _Optional[str] = ..., nick_name: _Optional[str] = ..., display_name: _Optional[str] = ..., preferred_language: _Optional[str] = ..., gender: _Optional[_Union[Gender, str]] = ...) -> None: ...

class HumanAttributes(_message.Message):
    __slots__ = ("middle_name", "profile_url", "website", "picture", "birthdate", "zoneinfo", "address")
    MIDDLE_NAME_FIELD_NUMBER: _ClassVar[int]
    PROFILE_URL_FIELD_NUMBER: _ClassVar[int]
    WEBSITE_FIELD_NUMBER: _ClassVar[int]
    PICTURE_FIELD_NUMBER: _ClassVar[int]
    BIRTHDATE_FIELD_NUMBER: _ClassVar[int]
    ZONEINFO_FIELD_NUMBER: _ClassVar[int]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    middle_name: str
    profile_url: str
    website: str
    picture: str
    birthdate: str
    zoneinfo: str
    address: Address
    def __init__(self, middle_name: _Optional[str] = ..., profile_url: _Optional[str] = ..., website: _Optional[str] = ..., picture: _Optional[str] = ..., birthdate: _Optional[str] = ..., zoneinfo: _Optional[str] = ..., address: _Optional[_Union[Address, _Mapping]] = ...) -> None: ...

class Address(_message.Message):
    __slots__ = ("formatted", "street_address", "locality", "region", "postal_code", "country")
    FORMATTED_FIELD_NUMBER: _ClassVar[int]
    STREET_ADDRESS_FIELD_NUMBER: _ClassVar[int]
    LOCALITY_FIELD_NUMBER: _ClassVar[int]
    REGION_FIELD_NUMBER: _ClassVar[int]
    POSTAL_CODE_FIELD_NUMBER: _ClassVar[int]
    COUNTRY_FIELD_NUMBER: _ClassVar[int]
    formatted: str
    street_address: str
    locality: str
    region: str
    postal_code: str
    country: str
    def __init__(self, formatted: _Optional[str] = ..., street_address: _Optional[str] = ..., locality: _Optional[str] = ..., region: _Optional[str] = ..., postal_code: _Optional[str] = ..., country: _Optional[str] = ...) -> None: ...

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

class SendEmailVerificationCode(_message.Message):
    __slots__ = ("url_template",)
    URL_TEMPLATE_FIELD_NUMBER: _ClassVar[int]
    url_template: str
    def __init__(self, url_template: _Optional[str] = ...) -> None: ...

class ReturnEmailVerificationCode(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

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

class SendPhoneVerificationCode(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ReturnPhoneVerificationCode(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class SetMetadataEntry(_message.Message):
    __slots__ = ("key", "value")
    KEY_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    key: str
    value: bytes
    def __init__(self, key: _Optional[str] = ..., value: _Optional[bytes] = ...) -> None: ...

class Password(_message.Message):
    __slots__ = ("password", "change_required")
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    CHANGE_REQUIRED_FIELD_NUMBER: _ClassVar[int]
    password: str
    change_required: bool
    def __init__(self, password: _Optional[str] = ..., change_required: _Optional[bool] = ...) -> None: ...

class HashedPassword(_message.Message):
    __slots__ = ("hash", "change_required")
    HASH_FIELD_NUMBER: _ClassVar[int]
    CHANGE_REQUIRED_FIELD_NUMBER: _ClassVar[int]
    hash: str
    change_required: bool
    def __init__(self, hash: _Optional[str] = ..., change_required: _Optional[bool] = ...) -> None: ...

class IdpLink(_message.Message):
    __slots__ = ("idp_id", "user_id", "user_name")
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    USER_NAME_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    user_id: str
    user_name: str
    def __init__(self, idp_id: _Optional[str] = ..., user_id: _Optional[str] = ..., user_name: _Optional[str] = ...) -> None: ...

class Organisation(_message.Message):
    __slots__ = ("org_id", "org_domain")
    ORG_ID_FIELD_NUMBER: _ClassVar[int]
    ORG_DOMAIN_FIELD_NUMBER: _ClassVar[int]
    org_id: str
    org_domain: str
    def __init__(self, org_id: _Optional[str] = ..., org_domain: _Optional[str] = ...) -> None: ...
