import datetime

from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from portico_contracts.generated.portico.management.v1 import app_access_service_pb2 as _app_access_service_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from portico_contracts.generated.portico.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AgentRule(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    AGENT_RULE_UNSPECIFIED: _ClassVar[AgentRule]
    AGENT_RULE_CONSENT: _ClassVar[AgentRule]
    AGENT_RULE_ADMINISTRATOR: _ClassVar[AgentRule]
    AGENT_RULE_OUTSIDE_SERVER: _ClassVar[AgentRule]
    AGENT_RULE_ASSERTION: _ClassVar[AgentRule]
AGENT_RULE_UNSPECIFIED: AgentRule
AGENT_RULE_CONSENT: AgentRule
AGENT_RULE_ADMINISTRATOR: AgentRule
AGENT_RULE_OUTSIDE_SERVER: AgentRule
AGENT_RULE_ASSERTION: AgentRule

class AgentAccess(_message.Message):
    __slots__ = ("user_id", "user_name", "user_org_id", "client_id", "name", "app_id", "project_id", "org_id", "host", "rule", "since", "allowed", "scopes", "api_scopes", "last_used", "uses", "actor_id", "actor_name", "server_id", "server_name", "idp_id")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    USER_NAME_FIELD_NUMBER: _ClassVar[int]
    USER_ORG_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    ORG_ID_FIELD_NUMBER: _ClassVar[int]
    HOST_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    ALLOWED_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    API_SCOPES_FIELD_NUMBER: _ClassVar[int]
    LAST_USED_FIELD_NUMBER: _ClassVar[int]
    USES_FIELD_NUMBER: _ClassVar[int]
    ACTOR_ID_FIELD_NUMBER: _ClassVar[int]
    ACTOR_NAME_FIELD_NUMBER: _ClassVar[int]
    SERVER_ID_FIELD_NUMBER: _ClassVar[int]
    SERVER_NAME_FIELD_NUMBER: _ClassVar[int]
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    user_name: str
    user_org_id: str
    client_id: str
    name: str
    app_id: str
    project_id: str
    org_id: str
    host: str
    rule: AgentRule
    since: _timestamp_pb2.Timestamp
    allowed: _timestamp_pb2.Timestamp
    scopes: _containers.RepeatedScalarFieldContainer[str]
    api_scopes: _containers.RepeatedCompositeFieldContainer[_app_access_service_pb2.AllowedApiScope]
    last_used: _timestamp_pb2.Timestamp
    uses: _containers.RepeatedCompositeFieldContainer[AgentUse]
    actor_id: str
    actor_name: str
    server_id: str
    server_name: str
    idp_id: str
    def __init__(self, user_id: _Optional[str] = ..., user_name: _Optional[str] = ..., user_org_id: _Optional[str] = ..., client_id: _Optional[str] = ..., name: _Optional[str] = ..., app_id: _Optional[str] = ..., project_id: _Optional[str] = ..., org_id: _Optional[str] = ..., host: _Optional[str] = ..., rule: _Optional[_Union[AgentRule, str]] = ..., since: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., allowed: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., scopes: _Optional[_Iterable[str]] = ..., api_scopes: _Optional[_Iterable[_Union[_app_access_service_pb2.AllowedApiScope, _Mapping]]] = ..., last_used: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., uses: _Optional[_Iterable[_Union[AgentUse, _Mapping]]] = ..., actor_id: _Optional[str] = ..., actor_name: _Optional[str] = ..., server_id: _Optional[str] = ..., server_name: _Optional[str] = ..., idp_id: _Optional[str] = ...) -> None: ...

class AgentUse(_message.Message):
    __slots__ = ("api_client_id", "api_name", "via_client_id", "via_name", "scopes", "last_used")
    API_CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    API_NAME_FIELD_NUMBER: _ClassVar[int]
    VIA_CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    VIA_NAME_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    LAST_USED_FIELD_NUMBER: _ClassVar[int]
    api_client_id: str
    api_name: str
    via_client_id: str
    via_name: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    last_used: _timestamp_pb2.Timestamp
    def __init__(self, api_client_id: _Optional[str] = ..., api_name: _Optional[str] = ..., via_client_id: _Optional[str] = ..., via_name: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., last_used: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListUserAgentsRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class ListAgentsRequest(_message.Message):
    __slots__ = ("query", "user_id", "client_id", "host", "api_client_id")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    HOST_FIELD_NUMBER: _ClassVar[int]
    API_CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    query: _object_pb2.ListQuery
    user_id: str
    client_id: str
    host: str
    api_client_id: str
    def __init__(self, query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ..., user_id: _Optional[str] = ..., client_id: _Optional[str] = ..., host: _Optional[str] = ..., api_client_id: _Optional[str] = ...) -> None: ...

class ListAppAgentsRequest(_message.Message):
    __slots__ = ("project_id", "app_id", "query")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    query: _object_pb2.ListQuery
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ..., query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ...) -> None: ...

class ListAgentAccessResponse(_message.Message):
    __slots__ = ("details", "result", "hidden")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    HIDDEN_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[AgentAccess]
    hidden: int
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[AgentAccess, _Mapping]]] = ..., hidden: _Optional[int] = ...) -> None: ...

class EndUserAgentsRequest(_message.Message):
    __slots__ = ("user_id", "client_id", "host")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    HOST_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    client_id: str
    host: str
    def __init__(self, user_id: _Optional[str] = ..., client_id: _Optional[str] = ..., host: _Optional[str] = ...) -> None: ...

class EndAgentsRequest(_message.Message):
    __slots__ = ("client_id", "host")
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    HOST_FIELD_NUMBER: _ClassVar[int]
    client_id: str
    host: str
    def __init__(self, client_id: _Optional[str] = ..., host: _Optional[str] = ...) -> None: ...

class EndAgentsResponse(_message.Message):
    __slots__ = ("ended", "grants", "remaining")
    ENDED_FIELD_NUMBER: _ClassVar[int]
    GRANTS_FIELD_NUMBER: _ClassVar[int]
    REMAINING_FIELD_NUMBER: _ClassVar[int]
    ended: int
    grants: int
    remaining: int
    def __init__(self, ended: _Optional[int] = ..., grants: _Optional[int] = ..., remaining: _Optional[int] = ...) -> None: ...
