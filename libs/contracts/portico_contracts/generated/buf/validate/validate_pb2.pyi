import datetime

from google.protobuf import descriptor_pb2 as _descriptor_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor
ONEOF_FIELD_NUMBER: _ClassVar[int]
oneof: _descriptor.FieldDescriptor
FIELD_FIELD_NUMBER: _ClassVar[int]
field: _descriptor.FieldDescriptor

class OneofRules(_message.Message):
    __slots__ = ("required",)
    REQUIRED_FIELD_NUMBER: _ClassVar[int]
    required: bool
    def __init__(self, required: _Optional[bool] = ...) -> None: ...

class FieldRules(_message.Message):
    __slots__ = ("required", "uint32", "uint64", "string", "bytes", "enum", "repeated", "duration")
    REQUIRED_FIELD_NUMBER: _ClassVar[int]
    UINT32_FIELD_NUMBER: _ClassVar[int]
    UINT64_FIELD_NUMBER: _ClassVar[int]
    STRING_FIELD_NUMBER: _ClassVar[int]
    BYTES_FIELD_NUMBER: _ClassVar[int]
    ENUM_FIELD_NUMBER: _ClassVar[int]
    REPEATED_FIELD_NUMBER: _ClassVar[int]
    DURATION_FIELD_NUMBER: _ClassVar[int]
    required: bool
    uint32: UInt32Rules
    uint64: UInt64Rules
    string: StringRules
    bytes: BytesRules
    enum: EnumRules
    repeated: RepeatedRules
    duration: DurationRules
    def __init__(self, required: _Optional[bool] = ..., uint32: _Optional[_Union[UInt32Rules, _Mapping]] = ..., uint64: _Optional[_Union[UInt64Rules, _Mapping]] = ..., string: _Optional[_Union[StringRules, _Mapping]] = ..., bytes: _Optional[_Union[BytesRules, _Mapping]] = ..., enum: _Optional[_Union[EnumRules, _Mapping]] = ..., repeated: _Optional[_Union[RepeatedRules, _Mapping]] = ..., duration: _Optional[_Union[DurationRules, _Mapping]] = ...) -> None: ...

class UInt32Rules(_message.Message):
    __slots__ = ("lte", "gte")
    LTE_FIELD_NUMBER: _ClassVar[int]
    GTE_FIELD_NUMBER: _ClassVar[int]
    lte: int
    gte: int
    def __init__(self, lte: _Optional[int] = ..., gte: _Optional[int] = ...) -> None: ...

class UInt64Rules(_message.Message):
    __slots__ = ("lte", "gte")
    LTE_FIELD_NUMBER: _ClassVar[int]
    GTE_FIELD_NUMBER: _ClassVar[int]
    lte: int
    gte: int
    def __init__(self, lte: _Optional[int] = ..., gte: _Optional[int] = ...) -> None: ...

class StringRules(_message.Message):
    __slots__ = ("min_len", "max_len", "pattern")
    MIN_LEN_FIELD_NUMBER: _ClassVar[int]
    MAX_LEN_FIELD_NUMBER: _ClassVar[int]
    PATTERN_FIELD_NUMBER: _ClassVar[int]
    min_len: int
    max_len: int
    pattern: str
    def __init__(self, min_len: _Optional[int] = ..., max_len: _Optional[int] = ..., pattern: _Optional[str] = ...) -> None: ...

class BytesRules(_message.Message):
    __slots__ = ("min_len", "max_len")
    MIN_LEN_FIELD_NUMBER: _ClassVar[int]
    MAX_LEN_FIELD_NUMBER: _ClassVar[int]
    min_len: int
    max_len: int
    def __init__(self, min_len: _Optional[int] = ..., max_len: _Optional[int] = ...) -> None: ...

class EnumRules(_message.Message):
    __slots__ = ("defined_only", "not_in")
    DEFINED_ONLY_FIELD_NUMBER: _ClassVar[int]
    NOT_IN_FIELD_NUMBER: _ClassVar[int]
    defined_only: bool
    not_in: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, defined_only: _Optional[bool] = ..., not_in: _Optional[_Iterable[int]] = ...) -> None: ...

class DurationRules(_message.Message):
    __slots__ = ("lte", "gte")
    LTE_FIELD_NUMBER: _ClassVar[int]
    GTE_FIELD_NUMBER: _ClassVar[int]
    lte: _duration_pb2.Duration
    gte: _duration_pb2.Duration
    def __init__(self, lte: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., gte: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class RepeatedRules(_message.Message):
    __slots__ = ("min_items", "max_items", "items")
    MIN_ITEMS_FIELD_NUMBER: _ClassVar[int]
    MAX_ITEMS_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    min_items: int
    max_items: int
    items: FieldRules
    def __init__(self, min_items: _Optional[int] = ..., max_items: _Optional[int] = ..., items: _Optional[_Union[FieldRules, _Mapping]] = ...) -> None: ...
