import datetime

from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from portico_contracts.generated.portico.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Event(_message.Message):
    __slots__ = ("id", "aggregate_type", "aggregate_id", "resource_owner", "sequence", "creation_date", "editor_user_id", "type", "fields", "payload", "editor", "object", "organization", "related", "activity", "summary", "changes")
    ID_FIELD_NUMBER: _ClassVar[int]
    AGGREGATE_TYPE_FIELD_NUMBER: _ClassVar[int]
    AGGREGATE_ID_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_OWNER_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    CREATION_DATE_FIELD_NUMBER: _ClassVar[int]
    EDITOR_USER_ID_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    EDITOR_FIELD_NUMBER: _ClassVar[int]
    OBJECT_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_FIELD_NUMBER: _ClassVar[int]
    RELATED_FIELD_NUMBER: _ClassVar[int]
    ACTIVITY_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    id: str
    aggregate_type: str
    aggregate_id: str
    resource_owner: str
    sequence: int
    creation_date: _timestamp_pb2.Timestamp
    editor_user_id: str
    type: str
    fields: _containers.RepeatedScalarFieldContainer[str]
    payload: _struct_pb2.Struct
    editor: EventObject
    object: EventObject
    organization: EventObject
    related: _containers.RepeatedCompositeFieldContainer[EventObject]
    activity: str
    summary: str
    changes: _containers.RepeatedCompositeFieldContainer[EventChange]
    def __init__(self, id: _Optional[str] = ..., aggregate_type: _Optional[str] = ..., aggregate_id: _Optional[str] = ..., resource_owner: _Optional[str] = ..., sequence: _Optional[int] = ..., creation_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., editor_user_id: _Optional[str] = ..., type: _Optional[str] = ..., fields: _Optional[_Iterable[str]] = ..., payload: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., editor: _Optional[_Union[EventObject, _Mapping]] = ..., object: _Optional[_Union[EventObject, _Mapping]] = ..., organization: _Optional[_Union[EventObject, _Mapping]] = ..., related: _Optional[_Iterable[_Union[EventObject, _Mapping]]] = ..., activity: _Optional[str] = ..., summary: _Optional[str] = ..., changes: _Optional[_Iterable[_Union[EventChange, _Mapping]]] = ...) -> None: ...

class EventChange(_message.Message):
    __slots__ = ("field", "label", "before", "after")
    FIELD_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    field: str
    label: str
    before: _containers.RepeatedScalarFieldContainer[str]
    after: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, field: _Optional[str] = ..., label: _Optional[str] = ..., before: _Optional[_Iterable[str]] = ..., after: _Optional[_Iterable[str]] = ...) -> None: ...

class EventObject(_message.Message):
    __slots__ = ("id", "type", "name", "login_name", "service_user", "removed", "resource_owner")
    ID_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    LOGIN_NAME_FIELD_NUMBER: _ClassVar[int]
    SERVICE_USER_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_OWNER_FIELD_NUMBER: _ClassVar[int]
    id: str
    type: str
    name: str
    login_name: str
    service_user: bool
    removed: bool
    resource_owner: str
    def __init__(self, id: _Optional[str] = ..., type: _Optional[str] = ..., name: _Optional[str] = ..., login_name: _Optional[str] = ..., service_user: _Optional[bool] = ..., removed: _Optional[bool] = ..., resource_owner: _Optional[str] = ...) -> None: ...

class ListEventsRequest(_message.Message):
    __slots__ = ("query", "aggregate_id", "aggregate_types", "editor_user_id", "since", "before", "types", "resource_owner", "activities", "user_id", "page_token", "error_id", "group_imports", "import_id")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    AGGREGATE_ID_FIELD_NUMBER: _ClassVar[int]
    AGGREGATE_TYPES_FIELD_NUMBER: _ClassVar[int]
    EDITOR_USER_ID_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    TYPES_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_OWNER_FIELD_NUMBER: _ClassVar[int]
    ACTIVITIES_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    ERROR_ID_FIELD_NUMBER: _ClassVar[int]
    GROUP_IMPORTS_FIELD_NUMBER: _ClassVar[int]
    IMPORT_ID_FIELD_NUMBER: _ClassVar[int]
    query: _object_pb2.ListQuery
    aggregate_id: str
    aggregate_types: _containers.RepeatedScalarFieldContainer[str]
    editor_user_id: str
    since: _timestamp_pb2.Timestamp
    before: _timestamp_pb2.Timestamp
    types: _containers.RepeatedScalarFieldContainer[str]
    resource_owner: str
    activities: _containers.RepeatedScalarFieldContainer[str]
    user_id: str
    page_token: str
    error_id: str
    group_imports: bool
    import_id: str
    def __init__(self, query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ..., aggregate_id: _Optional[str] = ..., aggregate_types: _Optional[_Iterable[str]] = ..., editor_user_id: _Optional[str] = ..., since: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., before: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., types: _Optional[_Iterable[str]] = ..., resource_owner: _Optional[str] = ..., activities: _Optional[_Iterable[str]] = ..., user_id: _Optional[str] = ..., page_token: _Optional[str] = ..., error_id: _Optional[str] = ..., group_imports: _Optional[bool] = ..., import_id: _Optional[str] = ...) -> None: ...

class ListEventsResponse(_message.Message):
    __slots__ = ("details", "result", "next_page_token")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[Event]
    next_page_token: str
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[Event, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...
