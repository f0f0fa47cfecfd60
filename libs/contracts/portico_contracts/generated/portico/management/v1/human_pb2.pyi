import datetime

from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from portico_contracts.generated.portico.user.v2 import user_pb2 as _user_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class NewHumanEmail(_message.Message):
    __slots__ = ("email", "is_email_verified")
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    IS_EMAIL_VERIFIED_FIELD_NUMBER: _ClassVar[int]
    email: str
    is_email_verified: bool
    def __init__(self, email: _Optional[str] = ..., is_email_verified: _Optional[bool] = ...) -> None: ...

class NewHumanPhone(_message.Message):
    __slots__ = ("phone", "is_phone_verified")
    PHONE_FIELD_NUMBER: _ClassVar[int]
    IS_PHONE_VERIFIED_FIELD_NUMBER: _ClassVar[int]
    phone: str
    is_phone_verified: bool
    def __init__(self, phone: _Optional[str] = ..., is_phone_verified: _Optional[bool] = ...) -> None: ...

class AddHumanUserRequest(_message.Message):
    __slots__ = ("user_name", "profile", "email", "phone", "initial_password")
    USER_NAME_FIELD_NUMBER: _ClassVar[int]
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    PHONE_FIELD_NUMBER: _ClassVar[int]
    INITIAL_PASSWORD_FIELD_NUMBER: _ClassVar[int]
    user_name: str
    profile: _user_pb2.NewHumanProfile
    email: NewHumanEmail
    phone: NewHumanPhone
    initial_password: str
    def __init__(self, user_name: _Optional[str] = ..., profile: _Optional[_Union[_user_pb2.NewHumanProfile, _Mapping]] = ..., email: _Optional[_Union[NewHumanEmail, _Mapping]] = ..., phone: _Optional[_Union[NewHumanPhone, _Mapping]] = ..., initial_password: _Optional[str] = ...) -> None: ...

class AddHumanUserResponse(_message.Message):
    __slots__ = ("user_id", "details")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    details: _object_pb2.ObjectDetails
    def __init__(self, user_id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class ImportHumanUserRequest(_message.Message):
    __slots__ = ("user_name", "profile", "email", "phone", "password", "hashed_password", "password_change_required", "request_passwordless_registration", "idps", "passwordless_url_template")
    class HashedPassword(_message.Message):
        __slots__ = ("value", "algorithm")
        VALUE_FIELD_NUMBER: _ClassVar[int]
        ALGORITHM_FIELD_NUMBER: _ClassVar[int]
        value: str
        algorithm: str
        def __init__(self, value: _Optional[str] = ..., algorithm: _Optional[str] = ...) -> None: ...
    class IDP(_message.Message):
        __slots__ = ("config_id", "external_user_id", "display_name")
        CONFIG_ID_FIELD_NUMBER: _ClassVar[int]
        EXTERNAL_USER_ID_FIELD_NUMBER: _ClassVar[int]
        DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
        config_id: str
        external_user_id: str
        display_name: str
        def __init__(self, config_id: _Optional[str] = ..., external_user_id: _Optional[str] = ..., display_name: _Optional[str] = ...) -> None: ...
    USER_NAME_FIELD_NUMBER: _ClassVar[int]
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    PHONE_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    HASHED_PASSWORD_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_CHANGE_REQUIRED_FIELD_NUMBER: _ClassVar[int]
    REQUEST_PASSWORDLESS_REGISTRATION_FIELD_NUMBER: _ClassVar[int]
    IDPS_FIELD_NUMBER: _ClassVar[int]
    PASSWORDLESS_URL_TEMPLATE_FIELD_NUMBER: _ClassVar[int]
    user_name: str
    profile: _user_pb2.HumanProfile
    email: NewHumanEmail
    phone: NewHumanPhone
    password: str
    hashed_password: ImportHumanUserRequest.HashedPassword
    password_change_required: bool
    request_passwordless_registration: bool
    idps: _containers.RepeatedCompositeFieldContainer[ImportHumanUserRequest.IDP]
    passwordless_url_template: str
    def __init__(self, user_name: _Optional[str] = ..., profile: _Optional[_Union[_user_pb2.HumanProfile, _Mapping]] = ..., email: _Optional[_Union[NewHumanEmail, _Mapping]] = ..., phone: _Optional[_Union[NewHumanPhone, _Mapping]] = ..., password: _Optional[str] = ..., hashed_password: _Optional[_Union[ImportHumanUserRequest.HashedPassword, _Mapping]] = ..., password_change_required: _Optional[bool] = ..., request_passwordless_registration: _Optional[bool] = ..., idps: _Optional[_Iterable[_Union[ImportHumanUserRequest.IDP, _Mapping]]] = ..., passwordless_url_template: _Optional[str] = ...) -> None: ...

class ImportHumanUserResponse(_message.Message):
    __slots__ = ("user_id", "details", "passwordless_registration")
    class PasswordlessRegistration(_message.Message):
        __slots__ = ("link", "lifetime", "expiration")
        LINK_FIELD_NUMBER: _ClassVar[int]
        LIFETIME_FIELD_NUMBER: _ClassVar[int]
        EXPIRATION_FIELD_NUMBER: _ClassVar[int]
        link: str
        lifetime: _duration_pb2.Duration
        expiration: _duration_pb2.Duration
        def __init__(self, link: _Optional[str] = ..., lifetime: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., expiration: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    PASSWORDLESS_REGISTRATION_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    details: _object_pb2.ObjectDetails
    passwordless_registration: ImportHumanUserResponse.PasswordlessRegistration
    def __init__(self, user_id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., passwordless_registration: _Optional[_Union[ImportHumanUserResponse.PasswordlessRegistration, _Mapping]] = ...) -> None: ...

class UpdateHumanProfileRequest(_message.Message):
    __slots__ = ("user_id", "first_name", "last_name", "nick_name", "display_name", "preferred_language", "gender")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    FIRST_NAME_FIELD_NUMBER: _ClassVar[int]
    LAST_NAME_FIELD_NUMBER: _ClassVar[int]
    NICK_NAME_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    PREFERRED_LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    GENDER_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    first_name: str
    last_name: str
    nick_name: str
    display_name: str
    preferred_language: str
    gender: _user_pb2.Gender
    def __init__(self, user_id: _Optional[str] = ..., first_name: _Optional[str] = ..., last_name: _Optional[str] = ..., nick_name: _Optional[str] = ..., display_name: _Optional[str] = ..., preferred_language: _Optional[str] = ..., gender: _Optional[_Union[_user_pb2.Gender, str]] = ...) -> None: ...

class UpdateHumanProfileResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class UpdateHumanEmailRequest(_message.Message):
    __slots__ = ("user_id", "email", "is_email_verified")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    IS_EMAIL_VERIFIED_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    email: str
    is_email_verified: bool
    def __init__(self, user_id: _Optional[str] = ..., email: _Optional[str] = ..., is_email_verified: _Optional[bool] = ...) -> None: ...

class UpdateHumanEmailResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class UpdateHumanPhoneRequest(_message.Message):
    __slots__ = ("user_id", "phone", "is_phone_verified")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    PHONE_FIELD_NUMBER: _ClassVar[int]
    IS_PHONE_VERIFIED_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    phone: str
    is_phone_verified: bool
    def __init__(self, user_id: _Optional[str] = ..., phone: _Optional[str] = ..., is_phone_verified: _Optional[bool] = ...) -> None: ...

class UpdateHumanPhoneResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class ResendHumanInitializationRequest(_message.Message):
    __slots__ = ("user_id", "email")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    email: str
    def __init__(self, user_id: _Optional[str] = ..., email: _Optional[str] = ...) -> None: ...

class ResendHumanInitializationResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class AddPasswordlessRegistrationRequest(_message.Message):
    __slots__ = ("user_id", "url_template")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    URL_TEMPLATE_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    url_template: str
    def __init__(self, user_id: _Optional[str] = ..., url_template: _Optional[str] = ...) -> None: ...

class AddPasswordlessRegistrationResponse(_message.Message):
    __slots__ = ("details", "link", "expiration")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    LINK_FIELD_NUMBER: _ClassVar[int]
    EXPIRATION_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    link: str
    expiration: _duration_pb2.Duration
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., link: _Optional[str] = ..., expiration: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class SendPasswordlessRegistrationRequest(_message.Message):
    __slots__ = ("user_id", "url_template")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    URL_TEMPLATE_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    url_template: str
    def __init__(self, user_id: _Optional[str] = ..., url_template: _Optional[str] = ...) -> None: ...

class SendPasswordlessRegistrationResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...
