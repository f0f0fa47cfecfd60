from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.api import annotations_pb2 as _annotations_pb2
from portico_contracts.generated.portico.management.v1 import org_pb2 as _org_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListOrgsRequest(_message.Message):
    __slots__ = ("query", "queries")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    QUERIES_FIELD_NUMBER: _ClassVar[int]
    query: _object_pb2.ListQuery
    queries: _containers.RepeatedCompositeFieldContainer[OrgQuery]
    def __init__(self, query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ..., queries: _Optional[_Iterable[_Union[OrgQuery, _Mapping]]] = ...) -> None: ...

class ListOrgsResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[_org_pb2.Org]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[_org_pb2.Org, _Mapping]]] = ...) -> None: ...

class OrgQuery(_message.Message):
    __slots__ = ("name_query", "domain_query", "state_query")
    NAME_QUERY_FIELD_NUMBER: _ClassVar[int]
    DOMAIN_QUERY_FIELD_NUMBER: _ClassVar[int]
    STATE_QUERY_FIELD_NUMBER: _ClassVar[int]
    name_query: OrgNameQuery
    domain_query: OrgDomainQuery
    state_query: OrgStateQuery
    def __init__(self, name_query: _Optional[_Union[OrgNameQuery, _Mapping]] = ..., domain_query: _Optional[_Union[OrgDomainQuery, _Mapping]] = ..., state_query: _Optional[_Union[OrgStateQuery, _Mapping]] = ...) -> None: ...

class OrgNameQuery(_message.Message):
    __slots__ = ("name", "method")
    NAME_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    name: str
    method: _object_pb2.TextQueryMethod
    def __init__(self, name: _Optional[str] = ..., method: _Optional[_Union[_object_pb2.TextQueryMethod, str]] = ...) -> None: ...

class OrgDomainQuery(_message.Message):
    __slots__ = ("domain", "method")
    DOMAIN_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    domain: str
    method: _object_pb2.TextQueryMethod
    def __init__(self, domain: _Optional[str] = ..., method: _Optional[_Union[_object_pb2.TextQueryMethod, str]] = ...) -> None: ...

class OrgStateQuery(_message.Message):
    __slots__ = ("state",)
    STATE_FIELD_NUMBER: _ClassVar[int]
    state: _org_pb2.OrgState
    def __init__(self, state: _Optional[_Union[_org_pb2.OrgState, str]] = ...) -> None: ...
