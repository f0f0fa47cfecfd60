from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from portico_contracts.generated.portico.object.v2 import object_pb2 as _object_pb2
from portico_contracts.generated.portico.user.v2 import user_pb2 as _user_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class UpdateHumanUserRequest(_message.Message):
    __slots__ = ("user_id", "username", "profile", "email", "phone", "password", "attributes")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    PHONE_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    ATTRIBUTES_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    username: str
    profile: _user_pb2.HumanProfile
    email: _user_pb2.SetHumanEmail
    phone: _user_pb2.SetHumanPhone
    password: SetPassword
    attributes: _user_pb2.HumanAttributes
    def __init__(self, user_id: _Optional[str] = ..., username: _Optional[str] = ..., profile: _Optional[_Union[_user_pb2.HumanProfile, _Mapping]] = ..., email: _Optional[_Union[_user_pb2.SetHumanEmail, _Mapping]] = ..., phone: _Optional[_Union[_user_pb2.SetHumanPhone, _Mapping]] = ..., password: _Optional[_Union[SetPassword, _Mapping]] = ..., attributes: _Optional[_Union[_user_pb2.HumanAttributes, _Mapping]] = ...) -> None: ...

class UpdateHumanUserResponse(_message.Message):
    __slots__ = ("details", "email_code", "phone_code")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    EMAIL_CODE_FIELD_NUMBER: _ClassVar[int]
    PHONE_CODE_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    email_code: str
    phone_code: str
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ..., email_code: _Optional[str] = ..., phone_code: _Optional[str] = ...) -> None: ...

class SetPassword(_message.Message):
    __slots__ = ("password", "hashed_password", "current_password", "verification_code")
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    HASHED_PASSWORD_FIELD_NUMBER: _ClassVar[int]
    CURRENT_PASSWORD_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_CODE_FIELD_NUMBER: _ClassVar[int]
    password: _user_pb2.Password
    hashed_password: _user_pb2.HashedPassword
    current_password: str
    verification_code: str
    def __init__(self, password: _Optional[_Union[_user_pb2.Password, _Mapping]] = ..., hashed_password: _Optional[_Union[_user_pb2.HashedPassword, _Mapping]] = ..., current_password: _Optional[str] = ..., verification_code: _Optional[str] = ...) -> None: ...

class DeactivateUserRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class DeactivateUserResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ...) -> None: ...

class ReactivateUserRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class ReactivateUserResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ...) -> None: ...

class LockUserRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class LockUserResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ...) -> None: ...

class UnlockUserRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class UnlockUserResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ...) -> None: ...

class DeleteUserRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class DeleteUserResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ...) -> None: ...
