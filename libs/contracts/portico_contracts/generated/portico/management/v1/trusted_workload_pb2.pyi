import datetime

from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ConditionMatch(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CONDITION_MATCH_EXACT: _ClassVar[ConditionMatch]
    CONDITION_MATCH_PREFIX: _ClassVar[ConditionMatch]
CONDITION_MATCH_EXACT: ConditionMatch
CONDITION_MATCH_PREFIX: ConditionMatch

class WorkloadCondition(_message.Message):
    __slots__ = ("claim", "value", "match")
    CLAIM_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    claim: str
    value: str
    match: ConditionMatch
    def __init__(self, claim: _Optional[str] = ..., value: _Optional[str] = ..., match: _Optional[_Union[ConditionMatch, str]] = ...) -> None: ...

class TrustedWorkload(_message.Message):
    __slots__ = ("name", "issuer", "audience", "conditions", "key_set")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    AUDIENCE_FIELD_NUMBER: _ClassVar[int]
    CONDITIONS_FIELD_NUMBER: _ClassVar[int]
    KEY_SET_FIELD_NUMBER: _ClassVar[int]
    name: str
    issuer: str
    audience: str
    conditions: _containers.RepeatedCompositeFieldContainer[WorkloadCondition]
    key_set: str
    def __init__(self, name: _Optional[str] = ..., issuer: _Optional[str] = ..., audience: _Optional[str] = ..., conditions: _Optional[_Iterable[_Union[WorkloadCondition, _Mapping]]] = ..., key_set: _Optional[str] = ...) -> None: ...

class RefusedWorkloadToken(_message.Message):
    __slots__ = ("time", "request_id", "claims", "reason", "given", "wanted")
    TIME_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    CLAIMS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    GIVEN_FIELD_NUMBER: _ClassVar[int]
    WANTED_FIELD_NUMBER: _ClassVar[int]
    time: _timestamp_pb2.Timestamp
    request_id: str
    claims: _containers.RepeatedScalarFieldContainer[str]
    reason: str
    given: str
    wanted: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., request_id: _Optional[str] = ..., claims: _Optional[_Iterable[str]] = ..., reason: _Optional[str] = ..., given: _Optional[str] = ..., wanted: _Optional[_Iterable[str]] = ...) -> None: ...

class WorkloadUse(_message.Message):
    __slots__ = ("name", "time")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    name: str
    time: _timestamp_pb2.Timestamp
    def __init__(self, name: _Optional[str] = ..., time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
