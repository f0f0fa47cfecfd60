import datetime

from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from portico_contracts.generated.portico.management.v1 import trace_service_pb2 as _trace_service_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from portico_contracts.generated.portico.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListTracesRequest(_message.Message):
    __slots__ = ("query", "since", "outcome", "unknown_clients")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    UNKNOWN_CLIENTS_FIELD_NUMBER: _ClassVar[int]
    query: _object_pb2.ListQuery
    since: _timestamp_pb2.Timestamp
    outcome: _trace_service_pb2.TraceOutcome
    unknown_clients: bool
    def __init__(self, query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ..., since: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., outcome: _Optional[_Union[_trace_service_pb2.TraceOutcome, str]] = ..., unknown_clients: _Optional[bool] = ...) -> None: ...

class ListTracesResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[_trace_service_pb2.Trace]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[_trace_service_pb2.Trace, _Mapping]]] = ...) -> None: ...
