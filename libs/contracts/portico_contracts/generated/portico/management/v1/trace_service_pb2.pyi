import datetime

from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from portico_contracts.generated.portico.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TraceOutcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TRACE_OUTCOME_UNSPECIFIED: _ClassVar[TraceOutcome]
    TRACE_OUTCOME_REFUSED: _ClassVar[TraceOutcome]
    TRACE_OUTCOME_ISSUED: _ClassVar[TraceOutcome]
TRACE_OUTCOME_UNSPECIFIED: TraceOutcome
TRACE_OUTCOME_REFUSED: TraceOutcome
TRACE_OUTCOME_ISSUED: TraceOutcome

class Trace(_message.Message):
    __slots__ = ("request_id", "at", "endpoint", "outcome", "operation", "error_id", "error", "text", "fix", "client_id", "client_known", "org_id", "project_id", "app_id", "user_id", "checks")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    ERROR_ID_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    FIX_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_KNOWN_FIELD_NUMBER: _ClassVar[int]
    ORG_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    CHECKS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    at: _timestamp_pb2.Timestamp
    endpoint: str
    outcome: TraceOutcome
    operation: str
    error_id: str
    error: str
    text: str
    fix: str
    client_id: str
    client_known: bool
    org_id: str
    project_id: str
    app_id: str
    user_id: str
    checks: _containers.RepeatedCompositeFieldContainer[TraceCheck]
    def __init__(self, request_id: _Optional[str] = ..., at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., endpoint: _Optional[str] = ..., outcome: _Optional[_Union[TraceOutcome, str]] = ..., operation: _Optional[str] = ..., error_id: _Optional[str] = ..., error: _Optional[str] = ..., text: _Optional[str] = ..., fix: _Optional[str] = ..., client_id: _Optional[str] = ..., client_known: _Optional[bool] = ..., org_id: _Optional[str] = ..., project_id: _Optional[str] = ..., app_id: _Optional[str] = ..., user_id: _Optional[str] = ..., checks: _Optional[_Iterable[_Union[TraceCheck, _Mapping]]] = ...) -> None: ...

class TraceCheck(_message.Message):
    __slots__ = ("name", "passed", "given", "wanted", "hint", "explanation")
    NAME_FIELD_NUMBER: _ClassVar[int]
    PASSED_FIELD_NUMBER: _ClassVar[int]
    GIVEN_FIELD_NUMBER: _ClassVar[int]
    WANTED_FIELD_NUMBER: _ClassVar[int]
    HINT_FIELD_NUMBER: _ClassVar[int]
    EXPLANATION_FIELD_NUMBER: _ClassVar[int]
    name: str
    passed: bool
    given: str
    wanted: _containers.RepeatedScalarFieldContainer[str]
    hint: str
    explanation: str
    def __init__(self, name: _Optional[str] = ..., passed: _Optional[bool] = ..., given: _Optional[str] = ..., wanted: _Optional[_Iterable[str]] = ..., hint: _Optional[str] = ..., explanation: _Optional[str] = ...) -> None: ...

class GetTraceRequest(_message.Message):
    __slots__ = ("request_id",)
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    def __init__(self, request_id: _Optional[str] = ...) -> None: ...

class GetTraceResponse(_message.Message):
    __slots__ = ("trace",)
    TRACE_FIELD_NUMBER: _ClassVar[int]
    trace: Trace
    def __init__(self, trace: _Optional[_Union[Trace, _Mapping]] = ...) -> None: ...

class ListAppTracesRequest(_message.Message):
    __slots__ = ("project_id", "app_id", "query", "since", "outcome")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    query: _object_pb2.ListQuery
    since: _timestamp_pb2.Timestamp
    outcome: TraceOutcome
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ..., query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ..., since: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., outcome: _Optional[_Union[TraceOutcome, str]] = ...) -> None: ...

class ListAppTracesResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[Trace]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[Trace, _Mapping]]] = ...) -> None: ...

class ListOrgTracesRequest(_message.Message):
    __slots__ = ("query", "since", "outcome")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    query: _object_pb2.ListQuery
    since: _timestamp_pb2.Timestamp
    outcome: TraceOutcome
    def __init__(self, query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ..., since: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., outcome: _Optional[_Union[TraceOutcome, str]] = ...) -> None: ...

class ListOrgTracesResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[Trace]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[Trace, _Mapping]]] = ...) -> None: ...
