from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ProjectGrantState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PROJECT_GRANT_STATE_UNSPECIFIED: _ClassVar[ProjectGrantState]
    PROJECT_GRANT_STATE_ACTIVE: _ClassVar[ProjectGrantState]
    PROJECT_GRANT_STATE_INACTIVE: _ClassVar[ProjectGrantState]
PROJECT_GRANT_STATE_UNSPECIFIED: ProjectGrantState
PROJECT_GRANT_STATE_ACTIVE: ProjectGrantState
PROJECT_GRANT_STATE_INACTIVE: ProjectGrantState

class GrantedProject(_message.Message):
    __slots__ = ("grant_id", "details", "granted_org_id", "granted_org_name", "granted_role_keys", "state", "project_id", "project_name", "project_owner_id", "project_owner_name")
    GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    GRANTED_ORG_ID_FIELD_NUMBER: _ClassVar[int]
    GRANTED_ORG_NAME_FIELD_NUMBER: _ClassVar[int]
    GRANTED_ROLE_KEYS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_NAME_FIELD_NUMBER: _ClassVar[int]
    PROJECT_OWNER_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_OWNER_NAME_FIELD_NUMBER: _ClassVar[int]
    grant_id: str
    details: _object_pb2.ObjectDetails
    granted_org_id: str
    granted_org_name: str
    granted_role_keys: _containers.RepeatedScalarFieldContainer[str]
    state: ProjectGrantState
    project_id: str
    project_name: str
    project_owner_id: str
    project_owner_name: str
    def __init__(self, grant_id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., granted_org_id: _Optional[str] = ..., granted_org_name: _Optional[str] = ..., granted_role_keys: _Optional[_Iterable[str]] = ..., state: _Optional[_Union[ProjectGrantState, str]] = ..., project_id: _Optional[str] = ..., project_name: _Optional[str] = ..., project_owner_id: _Optional[str] = ..., project_owner_name: _Optional[str] = ...) -> None: ...

class ProjectGrantQuery(_message.Message):
    __slots__ = ("project_name_query", "role_key_query", "project_id_query", "granted_org_id_query", "project_owner_query")
    PROJECT_NAME_QUERY_FIELD_NUMBER: _ClassVar[int]
    ROLE_KEY_QUERY_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_QUERY_FIELD_NUMBER: _ClassVar[int]
    GRANTED_ORG_ID_QUERY_FIELD_NUMBER: _ClassVar[int]
    PROJECT_OWNER_QUERY_FIELD_NUMBER: _ClassVar[int]
    project_name_query: ProjectGrantProjectNameQuery
    role_key_query: ProjectGrantRoleKeyQuery
    project_id_query: ProjectGrantProjectIDQuery
    granted_org_id_query: ProjectGrantGrantedOrgIDQuery
    project_owner_query: ProjectGrantProjectOwnerQuery
    def __init__(self, project_name_query: _Optional[_Union[ProjectGrantProjectNameQuery, _Mapping]] = ..., role_key_query: _Optional[_Union[ProjectGrantRoleKeyQuery, _Mapping]] = ..., project_id_query: _Optional[_Union[ProjectGrantProjectIDQuery, _Mapping]] = ..., granted_org_id_query: _Optional[_Union[ProjectGrantGrantedOrgIDQuery, _Mapping]] = ..., project_owner_query: _Optional[_Union[ProjectGrantProjectOwnerQuery, _Mapping]] = ...) -> None: ...

class ProjectGrantProjectNameQuery(_message.Message):
    __slots__ = ("name", "method")
    NAME_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    name: str
    method: _object_pb2.TextQueryMethod
    def __init__(self, name: _Optional[str] = ..., method: _Optional[_Union[_object_pb2.TextQueryMethod, str]] = ...) -> None: ...

class ProjectGrantRoleKeyQuery(_message.Message):
    __slots__ = ("role_key",)
    ROLE_KEY_FIELD_NUMBER: _ClassVar[int]
    role_key: str
    def __init__(self, role_key: _Optional[str] = ...) -> None: ...

class ProjectGrantProjectIDQuery(_message.Message):
    __slots__ = ("project_id",)
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    def __init__(self, project_id: _Optional[str] = ...) -> None: ...

class ProjectGrantGrantedOrgIDQuery(_message.Message):
    __slots__ = ("granted_org_id",)
    GRANTED_ORG_ID_FIELD_NUMBER: _ClassVar[int]
    granted_org_id: str
    def __init__(self, granted_org_id: _Optional[str] = ...) -> None: ...

class ProjectGrantProjectOwnerQuery(_message.Message):
    __slots__ = ("org_id",)
    ORG_ID_FIELD_NUMBER: _ClassVar[int]
    org_id: str
    def __init__(self, org_id: _Optional[str] = ...) -> None: ...
