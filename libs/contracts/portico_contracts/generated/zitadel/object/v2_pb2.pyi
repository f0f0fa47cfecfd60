import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TextQueryMethod(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TEXT_QUERY_METHOD_EQUALS: _ClassVar[TextQueryMethod]
    TEXT_QUERY_METHOD_EQUALS_IGNORE_CASE: _ClassVar[TextQueryMethod]
    TEXT_QUERY_METHOD_STARTS_WITH: _ClassVar[TextQueryMethod]
    TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE: _ClassVar[TextQueryMethod]
    TEXT_QUERY_METHOD_CONTAINS: _ClassVar[TextQueryMethod]
    TEXT_QUERY_METHOD_CONTAINS_IGNORE_CASE: _ClassVar[TextQueryMethod]
    TEXT_QUERY_METHOD_ENDS_WITH: _ClassVar[TextQueryMethod]
    TEXT_QUERY_METHOD_ENDS_WITH_IGNORE_CASE: _ClassVar[TextQueryMethod]
TEXT_QUERY_METHOD_EQUALS: TextQueryMethod
TEXT_QUERY_METHOD_EQUALS_IGNORE_CASE: TextQueryMethod
TEXT_QUERY_METHOD_STARTS_WITH: TextQueryMethod
TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE: TextQueryMethod
TEXT_QUERY_METHOD_CONTAINS: TextQueryMethod
TEXT_QUERY_METHOD_CONTAINS_IGNORE_CASE: TextQueryMethod
TEXT_QUERY_METHOD_ENDS_WITH: TextQueryMethod
TEXT_QUERY_METHOD_ENDS_WITH_IGNORE_CASE: TextQueryMethod

class Details(_message.Message):
    __slots__ = ("sequence", "change_date", "resource_owner", "creation_date")
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    CHANGE_DATE_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_OWNER_FIELD_NUMBER: _ClassVar[int]
    CREATION_DATE_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    change_date: _timestamp_pb2.Timestamp
    resource_owner: str
    creation_date: _timestamp_pb2.Timestamp
    def __init__(self, sequence: _Optional[int] = ..., change_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., resource_owner: _Optional[str] = ..., creation_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListDetails(_message.Message):
    __slots__ = ("total_result", "processed_sequence", "timestamp")
    TOTAL_RESULT_FIELD_NUMBER: _ClassVar[int]
    PROCESSED_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    TIMESTAMP_FIELD_NUMBER: _ClassVar[int]
    total_result: int
    processed_sequence: int
    timestamp: _timestamp_pb2.Timestamp
    def __init__(self, total_result: _Optional[int] = ..., processed_sequence: _Optional[int] = ..., timestamp: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListQuery(_message.Message):
    __slots__ = ("offset", "limit", "asc")
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    ASC_FIELD_NUMBER: _ClassVar[int]
    offset: int
    limit: int
    asc: bool
    def __init__(self, offset: _Optional[int] = ..., limit: _Optional[int] = ..., asc: _Optional[bool] = ...) -> None: ...

class Organization(_message.Message):
    __slots__ = ("org_id", "org_domain")
    ORG_ID_FIELD_NUMBER: _ClassVar[int]
    ORG_DOMAIN_FIELD_NUMBER: _ClassVar[int]
    org_id: str
    org_domain: str
    def __init__(self, org_id: _Optional[str] = ..., org_domain: _Optional[str] = ...) -> None: ...

class RequestContext(_message.Message):
    __slots__ = ("org_id", "instance")
    ORG_ID_FIELD_NUMBER: _ClassVar[int]
    INSTANCE_FIELD_NUMBER: _ClassVar[int]
    org_id: str
    instance: bool
    def __init__(self, org_id: _Optional[str] = ..., instance: _Optional[bool] = ...) -> None: ...
