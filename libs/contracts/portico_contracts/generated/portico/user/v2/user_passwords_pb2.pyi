from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from portico_contracts.generated.portico.object.v2 import object_pb2 as _object_pb2
from portico_contracts.generated.portico.user.v2 import user_pb2 as _user_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class NotificationType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    NOTIFICATION_TYPE_Unspecified: _ClassVar[NotificationType]
    NOTIFICATION_TYPE_Email: _ClassVar[NotificationType]
    NOTIFICATION_TYPE_SMS: _ClassVar[NotificationType]
NOTIFICATION_TYPE_Unspecified: NotificationType
NOTIFICATION_TYPE_Email: NotificationType
NOTIFICATION_TYPE_SMS: NotificationType

class SendPasswordResetLink(_message.Message):
    __slots__ = ("notification_type", "url_template")
    NOTIFICATION_TYPE_FIELD_NUMBER: _ClassVar[int]
    URL_TEMPLATE_FIELD_NUMBER: _ClassVar[int]
    notification_type: NotificationType
    url_template: str
    def __init__(self, notification_type: _Optional[_Union[NotificationType, str]] = ..., url_template: _Optional[str] = ...) -> None: ...

class ReturnPasswordResetCode(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

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
    details: _object_pb2.Details
    verification_code: str
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ..., verification_code: _Optional[str] = ...) -> None: ...

class SetPasswordRequest(_message.Message):
    __slots__ = ("user_id", "new_password", "current_password", "verification_code")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    NEW_PASSWORD_FIELD_NUMBER: _ClassVar[int]
    CURRENT_PASSWORD_FIELD_NUMBER: _ClassVar[int]
    VERIFICATION_CODE_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    new_password: _user_pb2.Password
    current_password: str
    verification_code: str
    def __init__(self, user_id: _Optional[str] = ..., new_password: _Optional[_Union[_user_pb2.Password, _Mapping]] = ..., current_password: _Optional[str] = ..., verification_code: _Optional[str] = ...) -> None: ...

class SetPasswordResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ...) -> None: ...
