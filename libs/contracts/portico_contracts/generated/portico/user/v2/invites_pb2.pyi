from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from portico_contracts.generated.portico.object.v2 import object_pb2 as _object_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SendInviteCode(_message.Message):
    __slots__ = ("url_template", "application_name", "application_id")
    URL_TEMPLATE_FIELD_NUMBER: _ClassVar[int]
    APPLICATION_NAME_FIELD_NUMBER: _ClassVar[int]
    APPLICATION_ID_FIELD_NUMBER: _ClassVar[int]
    url_template: str
    application_name: str
    application_id: str
    def __init__(self, url_template: _Optional[str] = ..., application_name: _Optional[str] = ..., application_id: _Optional[str] = ...) -> None: ...

class ReturnInviteCode(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

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
    details: _object_pb2.Details
    invite_code: str
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ..., invite_code: _Optional[str] = ...) -> None: ...

class ResendInviteCodeRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class ResendInviteCodeResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ...) -> None: ...

class RevokeInviteCodeRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class RevokeInviteCodeResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ...) -> None: ...

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
    details: _object_pb2.Details
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ...) -> None: ...
