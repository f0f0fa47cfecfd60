from google.api import annotations_pb2 as _annotations_pb2
from portico_contracts.generated.portico.management.v1 import statistics_service_pb2 as _statistics_service_pb2
from portico_contracts.generated.portico.v1 import options_pb2 as _options_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GetStatisticsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetStatisticsResponse(_message.Message):
    __slots__ = ("statistics",)
    STATISTICS_FIELD_NUMBER: _ClassVar[int]
    statistics: _statistics_service_pb2.Statistics
    def __init__(self, statistics: _Optional[_Union[_statistics_service_pb2.Statistics, _Mapping]] = ...) -> None: ...
