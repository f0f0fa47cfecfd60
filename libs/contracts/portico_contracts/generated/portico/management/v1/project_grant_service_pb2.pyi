from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.api import annotations_pb2 as _annotations_pb2
from portico_contracts.generated.portico.management.v1 import project_grant_pb2 as _project_grant_pb2
from portico_contracts.generated.portico.management.v1 import project_service_pb2 as _project_service_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from portico_contracts.generated.portico.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AddProjectGrantRequest(_message.Message):
    __slots__ = ("project_id", "granted_org_id", "role_keys")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    GRANTED_ORG_ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_KEYS_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    granted_org_id: str
    role_keys: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, project_id: _Optional[str] = ..., granted_org_id: _Optional[str] = ..., role_keys: _Optional[_Iterable[str]] = ...) -> None: ...

class AddProjectGrantResponse(_message.Message):
    __slots__ = ("grant_id", "details")
    GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    grant_id: str
    details: _object_pb2.ObjectDetails
    def __init__(self, grant_id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class GetProjectGrantByIDRequest(_message.Message):
    __slots__ = ("project_id", "grant_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    grant_id: str
    def __init__(self, project_id: _Optional[str] = ..., grant_id: _Optional[str] = ...) -> None: ...

class GetProjectGrantByIDResponse(_message.Message):
    __slots__ = ("project_grant",)
    PROJECT_GRANT_FIELD_NUMBER: _ClassVar[int]
    project_grant: _project_grant_pb2.GrantedProject
    def __init__(self, project_grant: _Optional[_Union[_project_grant_pb2.GrantedProject, _Mapping]] = ...) -> None: ...

class UpdateProjectGrantRequest(_message.Message):
    __slots__ = ("project_id", "grant_id", "role_keys")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_KEYS_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    grant_id: str
    role_keys: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, project_id: _Optional[str] = ..., grant_id: _Optional[str] = ..., role_keys: _Optional[_Iterable[str]] = ...) -> None: ...

class UpdateProjectGrantResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class DeactivateProjectGrantRequest(_message.Message):
    __slots__ = ("project_id", "grant_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    grant_id: str
    def __init__(self, project_id: _Optional[str] = ..., grant_id: _Optional[str] = ...) -> None: ...

class DeactivateProjectGrantResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class ReactivateProjectGrantRequest(_message.Message):
    __slots__ = ("project_id", "grant_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    grant_id: str
    def __init__(self, project_id: _Optional[str] = ..., grant_id: _Optional[str] = ...) -> None: ...

class ReactivateProjectGrantResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class RemoveProjectGrantRequest(_message.Message):
    __slots__ = ("project_id", "grant_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    grant_id: str
    def __init__(self, project_id: _Optional[str] = ..., grant_id: _Optional[str] = ...) -> None: ...

class RemoveProjectGrantResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class ListProjectGrantsRequest(_message.Message):
    __slots__ = ("project_id", "query", "queries")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    QUERIES_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    query: _object_pb2.ListQuery
    queries: _containers.RepeatedCompositeFieldContainer[_project_grant_pb2.ProjectGrantQuery]
    def __init__(self, project_id: _Optional[str] = ..., query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ..., queries: _Optional[_Iterable[_Union[_project_grant_pb2.ProjectGrantQuery, _Mapping]]] = ...) -> None: ...

class ListProjectGrantsResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[_project_grant_pb2.GrantedProject]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[_project_grant_pb2.GrantedProject, _Mapping]]] = ...) -> None: ...

class ListAllProjectGrantsRequest(_message.Message):
    __slots__ = ("query", "queries")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    QUERIES_FIELD_NUMBER: _ClassVar[int]
    query: _object_pb2.ListQuery
    queries: _containers.RepeatedCompositeFieldContainer[_project_grant_pb2.ProjectGrantQuery]
    def __init__(self, query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ..., queries: _Optional[_Iterable[_Union[_project_grant_pb2.ProjectGrantQuery, _Mapping]]] = ...) -> None: ...

class ListAllProjectGrantsResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[_project_grant_pb2.GrantedProject]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[_project_grant_pb2.GrantedProject, _Mapping]]] = ...) -> None: ...

class ListGrantedProjectsRequest(_message.Message):
    __slots__ = ("query", "queries")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    QUERIES_FIELD_NUMBER: _ClassVar[int]
    query: _object_pb2.ListQuery
    queries: _containers.RepeatedCompositeFieldContainer[_project_grant_pb2.ProjectGrantQuery]
    def __init__(self, query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ..., queries: _Optional[_Iterable[_Union[_project_grant_pb2.ProjectGrantQuery, _Mapping]]] = ...) -> None: ...

class ListGrantedProjectsResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[_project_grant_pb2.GrantedProject]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[_project_grant_pb2.GrantedProject, _Mapping]]] = ...) -> None: ...

class GetGrantedProjectByIDRequest(_message.Message):
    __slots__ = ("project_id", "grant_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    grant_id: str
    def __init__(self, project_id: _Optional[str] = ..., grant_id: _Optional[str] = ...) -> None: ...

class GetGrantedProjectByIDResponse(_message.Message):
    __slots__ = ("granted_project",)
    GRANTED_PROJECT_FIELD_NUMBER: _ClassVar[int]
    granted_project: _project_grant_pb2.GrantedProject
    def __init__(self, granted_project: _Optional[_Union[_project_grant_pb2.GrantedProject, _Mapping]] = ...) -> None: ...

class ListGrantedProjectRolesRequest(_message.Message):
    __slots__ = ("project_id", "grant_id", "query", "queries")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    QUERIES_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    grant_id: str
    query: _object_pb2.ListQuery
    queries: _containers.RepeatedCompositeFieldContainer[_project_service_pb2.ProjectRoleQuery]
    def __init__(self, project_id: _Optional[str] = ..., grant_id: _Optional[str] = ..., query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ..., queries: _Optional[_Iterable[_Union[_project_service_pb2.ProjectRoleQuery, _Mapping]]] = ...) -> None: ...
