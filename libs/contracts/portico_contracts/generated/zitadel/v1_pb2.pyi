from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor

class TimestampQueryMethod(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TIMESTAMP_QUERY_METHOD_EQUALS: _ClassVar[TimestampQueryMethod]
    TIMESTAMP_QUERY_METHOD_GREATER: _ClassVar[TimestampQueryMethod]
    TIMESTAMP_QUERY_METHOD_GREATER_OR_EQUALS: _ClassVar[TimestampQueryMethod]
    TIMESTAMP_QUERY_METHOD_LESS: _ClassVar[TimestampQueryMethod]
    TIMESTAMP_QUERY_METHOD_LESS_OR_EQUALS: _ClassVar[TimestampQueryMethod]
TIMESTAMP_QUERY_METHOD_EQUALS: TimestampQueryMethod
TIMESTAMP_QUERY_METHOD_GREATER: TimestampQueryMethod
TIMESTAMP_QUERY_METHOD_GREATER_OR_EQUALS: TimestampQueryMethod
TIMESTAMP_QUERY_METHOD_LESS: TimestampQueryMethod
TIMESTAMP_QUERY_METHOD_LESS_OR_EQUALS: TimestampQueryMethod
