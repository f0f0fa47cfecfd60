import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TextFilterMethod(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TEXT_FILTER_METHOD_EQUALS: _ClassVar[TextFilterMethod]
    TEXT_FILTER_METHOD_EQUALS_IGNORE_CASE: _ClassVar[TextFilterMethod]
    TEXT_FILTER_METHOD_STARTS_WITH: _ClassVar[TextFilterMethod]
    TEXT_FILTER_METHOD_STARTS_WITH_IGNORE_CASE: _ClassVar[TextFilterMethod]
    TEXT_FILTER_METHOD_CONTAINS: _ClassVar[TextFilterMethod]
    TEXT_FILTER_METHOD_CONTAINS_IGNORE_CASE: _ClassVar[TextFilterMethod]
    TEXT_FILTER_METHOD_ENDS_WITH: _ClassVar[TextFilterMethod]
    TEXT_FILTER_METHOD_ENDS_WITH_IGNORE_CASE: _ClassVar[TextFilterMethod]

class TimestampFilterMethod(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TIMESTAMP_FILTER_METHOD_EQUALS: _ClassVar[TimestampFilterMethod]
    TIMESTAMP_FILTER_METHOD_AFTER: _ClassVar[TimestampFilterMethod]
    TIMESTAMP_FILTER_METHOD_AFTER_OR_EQUALS: _ClassVar[TimestampFilterMethod]
    TIMESTAMP_FILTER_METHOD_BEFORE: _ClassVar[TimestampFilterMethod]
    TIMESTAMP_FILTER_METHOD_BEFORE_OR_EQUALS: _ClassVar[TimestampFilterMethod]
TEXT_FILTER_METHOD_EQUALS: TextFilterMethod
TEXT_FILTER_METHOD_EQUALS_IGNORE_CASE: TextFilterMethod
TEXT_FILTER_METHOD_STARTS_WITH: TextFilterMethod
TEXT_FILTER_METHOD_STARTS_WITH_IGNORE_CASE: TextFilterMethod
TEXT_FILTER_METHOD_CONTAINS: TextFilterMethod
TEXT_FILTER_METHOD_CONTAINS_IGNORE_CASE: TextFilterMethod
TEXT_FILTER_METHOD_ENDS_WITH: TextFilterMethod
TEXT_FILTER_METHOD_ENDS_WITH_IGNORE_CASE: TextFilterMethod
TIMESTAMP_FILTER_METHOD_EQUALS: TimestampFilterMethod
TIMESTAMP_FILTER_METHOD_AFTER: TimestampFilterMethod
TIMESTAMP_FILTER_METHOD_AFTER_OR_EQUALS: TimestampFilterMethod
TIMESTAMP_FILTER_METHOD_BEFORE: TimestampFilterMethod
TIMESTAMP_FILTER_METHOD_BEFORE_OR_EQUALS: TimestampFilterMethod

class IDFilter(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class PaginationRequest(_message.Message):
    __slots__ = ("offset", "limit", "asc")
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    ASC_FIELD_NUMBER: _ClassVar[int]
    offset: int
    limit: int
    asc: bool
    def __init__(self, offset: _Optional[int] = ..., limit: _Optional[int] = ..., asc: _Optional[bool] = ...) -> None: ...

class PaginationResponse(_message.Message):
    __slots__ = ("total_result", "applied_limit")
    TOTAL_RESULT_FIELD_NUMBER: _ClassVar[int]
    APPLIED_LIMIT_FIELD_NUMBER: _ClassVar[int]
    total_result: int
    applied_limit: int
    def __init__(self, total_result: _Optional[int] = ..., applied_limit: _Optional[int] = ...) -> None: ...

class TimestampFilter(_message.Message):
    __slots__ = ("timestamp", "method")
    TIMESTAMP_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    timestamp: _timestamp_pb2.Timestamp
    method: TimestampFilterMethod
    def __init__(self, timestamp: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., method: _Optional[_Union[TimestampFilterMethod, str]] = ...) -> None: ...
