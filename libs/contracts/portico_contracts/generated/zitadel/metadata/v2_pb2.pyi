import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from portico_contracts.generated.zitadel.filter import v2_pb2 as _v2_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Metadata(_message.Message):
    __slots__ = ("creation_date", "change_date", "key", "value")
    CREATION_DATE_FIELD_NUMBER: _ClassVar[int]
    CHANGE_DATE_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    creation_date: _timestamp_pb2.Timestamp
    change_date: _timestamp_pb2.Timestamp
    key: str
    value: bytes
    def __init__(self, creation_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., change_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., key: _Optional[str] = ..., value: _Optional[bytes] = ...) -> None: ...

class MetadataKeyFilter(_message.Message):
    __slots__ = ("key", "method")
    KEY_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    key: str
    method: _v2_pb2.TextFilterMethod
    def __init__(self, key: _Optional[str] = ..., method: _Optional[_Union[_v2_pb2.TextFilterMethod, str]] = ...) -> None: ...

class MetadataSearchFilter(_message.Message):
    __slots__ = ("key_filter",)
    KEY_FILTER_FIELD_NUMBER: _ClassVar[int]
    key_filter: MetadataKeyFilter
    def __init__(self, key_filter: _Optional[_Union[MetadataKeyFilter, _Mapping]] = ...) -> None: ...
