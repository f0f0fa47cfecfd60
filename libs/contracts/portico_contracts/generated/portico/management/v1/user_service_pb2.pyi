from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.api import annotations_pb2 as _annotations_pb2
from portico_contracts.generated.portico.management.v1 import human_pb2 as _human_pb2
from portico_contracts.generated.portico.management.v1 import user_import_pb2 as _user_import_pb2
from portico_contracts.generated.portico.management.v1 import user_queries_pb2 as _user_queries_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from portico_contracts.generated.portico.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class IsUserUniqueRequest(_message.Message):
    __slots__ = ("user_name", "email")
    USER_NAME_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    user_name: str
    email: str
    def __init__(self, user_name: _Optional[str] = ..., email: _Optional[str] = ...) -> None: ...

class IsUserUniqueResponse(_message.Message):
    __slots__ = ("is_unique",)
    IS_UNIQUE_FIELD_NUMBER: _ClassVar[int]
    is_unique: bool
    def __init__(self, is_unique: _Optional[bool] = ...) -> None: ...

class UpdateUserNameRequest(_message.Message):
    __slots__ = ("user_id", "user_name")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    USER_NAME_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    user_name: str
    def __init__(self, user_id: _Optional[str] = ..., user_name: _Optional[str] = ...) -> None: ...

class UpdateUserNameResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class SetHumanPasswordRequest(_message.Message):
    __slots__ = ("user_id", "password", "no_change_required")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    NO_CHANGE_REQUIRED_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    password: str
    no_change_required: bool
    def __init__(self, user_id: _Optional[str] = ..., password: _Optional[str] = ..., no_change_required: _Optional[bool] = ...) -> None: ...

class SetHumanPasswordResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class SetHumanInitialPasswordRequest(_message.Message):
    __slots__ = ("user_id", "password")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    password: str
    def __init__(self, user_id: _Optional[str] = ..., password: _Optional[str] = ...) -> None: ...

class SetHumanInitialPasswordResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class SendHumanResetPasswordNotificationRequest(_message.Message):
    __slots__ = ("user_id", "type")
    class Type(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        TYPE_EMAIL: _ClassVar[SendHumanResetPasswordNotificationRequest.Type]
        TYPE_SMS: _ClassVar[SendHumanResetPasswordNotificationRequest.Type]
    TYPE_EMAIL: SendHumanResetPasswordNotificationRequest.Type
    TYPE_SMS: SendHumanResetPasswordNotificationRequest.Type
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    type: SendHumanResetPasswordNotificationRequest.Type
    def __init__(self, user_id: _Optional[str] = ..., type: _Optional[_Union[SendHumanResetPasswordNotificationRequest.Type, str]] = ...) -> None: ...

class SendHumanResetPasswordNotificationResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...
