from google.protobuf import descriptor_pb2 as _descriptor_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor
JSON_ALIAS_FIELD_NUMBER: _ClassVar[int]
json_alias: _descriptor.FieldDescriptor
JSON_SIZE_FIELD_NUMBER: _ClassVar[int]
json_size: _descriptor.FieldDescriptor
PERMISSION_FIELD_NUMBER: _ClassVar[int]
permission: _descriptor.FieldDescriptor

class Permission(_message.Message):
    __slots__ = ("name", "own", "own_needs", "rights_of_user", "recent_sign_in")
    NAME_FIELD_NUMBER: _ClassVar[int]
    OWN_FIELD_NUMBER: _ClassVar[int]
    OWN_NEEDS_FIELD_NUMBER: _ClassVar[int]
    RIGHTS_OF_USER_FIELD_NUMBER: _ClassVar[int]
    RECENT_SIGN_IN_FIELD_NUMBER: _ClassVar[int]
    name: str
    own: bool
    own_needs: str
    rights_of_user: bool
    recent_sign_in: bool
    def __init__(self, name: _Optional[str] = ..., own: _Optional[bool] = ..., own_needs: _Optional[str] = ..., rights_of_user: _Optional[bool] = ..., recent_sign_in: _Optional[bool] = ...) -> None: ...

class JsonSize(_message.Message):
    __slots__ = ("min", "max")
    MIN_FIELD_NUMBER: _ClassVar[int]
    MAX_FIELD_NUMBER: _ClassVar[int]
    min: int
    max: int
    def __init__(self, min: _Optional[int] = ..., max: _Optional[int] = ...) -> None: ...
