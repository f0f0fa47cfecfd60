import datetime

from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from portico_contracts.generated.portico.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AppAccess(_message.Message):
    __slots__ = ("client_id", "name", "app_id", "project_id", "org_id", "scopes", "since", "last_granted", "offline", "grants", "allowed_scopes", "allowed", "allowed_api_scopes")
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    ORG_ID_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    LAST_GRANTED_FIELD_NUMBER: _ClassVar[int]
    OFFLINE_FIELD_NUMBER: _ClassVar[int]
    GRANTS_FIELD_NUMBER: _ClassVar[int]
    ALLOWED_SCOPES_FIELD_NUMBER: _ClassVar[int]
    ALLOWED_FIELD_NUMBER: _ClassVar[int]
    ALLOWED_API_SCOPES_FIELD_NUMBER: _ClassVar[int]
    client_id: str
    name: str
    app_id: str
    project_id: str
    org_id: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    since: _timestamp_pb2.Timestamp
    last_granted: _timestamp_pb2.Timestamp
    offline: bool
    grants: int
    allowed_scopes: _containers.RepeatedScalarFieldContainer[str]
    allowed: _timestamp_pb2.Timestamp
    allowed_api_scopes: _containers.RepeatedCompositeFieldContainer[AllowedApiScope]
    def __init__(self, client_id: _Optional[str] = ..., name: _Optional[str] = ..., app_id: _Optional[str] = ..., project_id: _Optional[str] = ..., org_id: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., since: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., last_granted: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., offline: _Optional[bool] = ..., grants: _Optional[int] = ..., allowed_scopes: _Optional[_Iterable[str]] = ..., allowed: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., allowed_api_scopes: _Optional[_Iterable[_Union[AllowedApiScope, _Mapping]]] = ...) -> None: ...

class AllowedApiScope(_message.Message):
    __slots__ = ("scope", "api_client_id", "api_name")
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    API_CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    API_NAME_FIELD_NUMBER: _ClassVar[int]
    scope: str
    api_client_id: str
    api_name: str
    def __init__(self, scope: _Optional[str] = ..., api_client_id: _Optional[str] = ..., api_name: _Optional[str] = ...) -> None: ...

class ListUserAppAccessRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class ListUserAppAccessResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[AppAccess]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[AppAccess, _Mapping]]] = ...) -> None: ...

class RemoveUserAppAccessRequest(_message.Message):
    __slots__ = ("user_id", "client_id")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    client_id: str
    def __init__(self, user_id: _Optional[str] = ..., client_id: _Optional[str] = ...) -> None: ...

class RemoveUserAppAccessResponse(_message.Message):
    __slots__ = ("grants",)
    GRANTS_FIELD_NUMBER: _ClassVar[int]
    grants: int
    def __init__(self, grants: _Optional[int] = ...) -> None: ...
