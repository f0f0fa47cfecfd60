from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.api import annotations_pb2 as _annotations_pb2
from portico_contracts.generated.portico.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SearchKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SEARCH_KIND_UNSPECIFIED: _ClassVar[SearchKind]
    SEARCH_KIND_HUMAN: _ClassVar[SearchKind]
    SEARCH_KIND_SERVICE_USER: _ClassVar[SearchKind]
    SEARCH_KIND_APP: _ClassVar[SearchKind]
    SEARCH_KIND_PROJECT: _ClassVar[SearchKind]
    SEARCH_KIND_ORG: _ClassVar[SearchKind]
    SEARCH_KIND_GROUP: _ClassVar[SearchKind]
SEARCH_KIND_UNSPECIFIED: SearchKind
SEARCH_KIND_HUMAN: SearchKind
SEARCH_KIND_SERVICE_USER: SearchKind
SEARCH_KIND_APP: SearchKind
SEARCH_KIND_PROJECT: SearchKind
SEARCH_KIND_ORG: SearchKind
SEARCH_KIND_GROUP: SearchKind

class SearchRequest(_message.Message):
    __slots__ = ("query", "kinds", "limit", "count_matches")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    COUNT_MATCHES_FIELD_NUMBER: _ClassVar[int]
    query: str
    kinds: _containers.RepeatedScalarFieldContainer[SearchKind]
    limit: int
    count_matches: bool
    def __init__(self, query: _Optional[str] = ..., kinds: _Optional[_Iterable[_Union[SearchKind, str]]] = ..., limit: _Optional[int] = ..., count_matches: _Optional[bool] = ...) -> None: ...

class SearchResponse(_message.Message):
    __slots__ = ("result", "more", "counts")
    RESULT_FIELD_NUMBER: _ClassVar[int]
    MORE_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    result: _containers.RepeatedCompositeFieldContainer[SearchResult]
    more: _containers.RepeatedScalarFieldContainer[SearchKind]
    counts: _containers.RepeatedCompositeFieldContainer[SearchCount]
    def __init__(self, result: _Optional[_Iterable[_Union[SearchResult, _Mapping]]] = ..., more: _Optional[_Iterable[_Union[SearchKind, str]]] = ..., counts: _Optional[_Iterable[_Union[SearchCount, _Mapping]]] = ...) -> None: ...

class SearchCount(_message.Message):
    __slots__ = ("kind", "matches", "at_least")
    KIND_FIELD_NUMBER: _ClassVar[int]
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    AT_LEAST_FIELD_NUMBER: _ClassVar[int]
    kind: SearchKind
    matches: int
    at_least: bool
    def __init__(self, kind: _Optional[_Union[SearchKind, str]] = ..., matches: _Optional[int] = ..., at_least: _Optional[bool] = ...) -> None: ...

class SearchResult(_message.Message):
    __slots__ = ("kind", "id", "org_id", "org_name", "project_id", "title", "subtitle", "matched", "other_match")
    KIND_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    ORG_ID_FIELD_NUMBER: _ClassVar[int]
    ORG_NAME_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    SUBTITLE_FIELD_NUMBER: _ClassVar[int]
    MATCHED_FIELD_NUMBER: _ClassVar[int]
    OTHER_MATCH_FIELD_NUMBER: _ClassVar[int]
    kind: SearchKind
    id: str
    org_id: str
    org_name: str
    project_id: str
    title: str
    subtitle: str
    matched: _containers.RepeatedScalarFieldContainer[str]
    other_match: str
    def __init__(self, kind: _Optional[_Union[SearchKind, str]] = ..., id: _Optional[str] = ..., org_id: _Optional[str] = ..., org_name: _Optional[str] = ..., project_id: _Optional[str] = ..., title: _Optional[str] = ..., subtitle: _Optional[str] = ..., matched: _Optional[_Iterable[str]] = ..., other_match: _Optional[str] = ...) -> None: ...
