from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.api import annotations_pb2 as _annotations_pb2
from portico_contracts.generated.portico.management.v1 import member_pb2 as _member_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from portico_contracts.generated.portico.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AddProjectMemberRequest(_message.Message):
    __slots__ = ("project_id", "user_id", "roles")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    user_id: str
    roles: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, project_id: _Optional[str] = ..., user_id: _Optional[str] = ..., roles: _Optional[_Iterable[str]] = ...) -> None: ...

class UpdateProjectMemberRequest(_message.Message):
    __slots__ = ("project_id", "user_id", "roles")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    user_id: str
    roles: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, project_id: _Optional[str] = ..., user_id: _Optional[str] = ..., roles: _Optional[_Iterable[str]] = ...) -> None: ...

class RemoveProjectMemberRequest(_message.Message):
    __slots__ = ("project_id", "user_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    user_id: str
    def __init__(self, project_id: _Optional[str] = ..., user_id: _Optional[str] = ...) -> None: ...

class ListProjectMembersRequest(_message.Message):
    __slots__ = ("project_id", "query", "queries")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    QUERIES_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    query: _object_pb2.ListQuery
    queries: _containers.RepeatedCompositeFieldContainer[_member_pb2.MemberQuery]
    def __init__(self, project_id: _Optional[str] = ..., query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ..., queries: _Optional[_Iterable[_Union[_member_pb2.MemberQuery, _Mapping]]] = ...) -> None: ...

class AddProjectGrantMemberRequest(_message.Message):
    __slots__ = ("project_id", "grant_id", "user_id", "roles")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    grant_id: str
    user_id: str
    roles: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, project_id: _Optional[str] = ..., grant_id: _Optional[str] = ..., user_id: _Optional[str] = ..., roles: _Optional[_Iterable[str]] = ...) -> None: ...

class UpdateProjectGrantMemberRequest(_message.Message):
    __slots__ = ("project_id", "grant_id", "user_id", "roles")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    grant_id: str
    user_id: str
    roles: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, project_id: _Optional[str] = ..., grant_id: _Optional[str] = ..., user_id: _Optional[str] = ..., roles: _Optional[_Iterable[str]] = ...) -> None: ...

class RemoveProjectGrantMemberRequest(_message.Message):
    __slots__ = ("project_id", "grant_id", "user_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    grant_id: str
    user_id: str
    def __init__(self, project_id: _Optional[str] = ..., grant_id: _Optional[str] = ..., user_id: _Optional[str] = ...) -> None: ...

class ListProjectGrantMembersRequest(_message.Message):
    __slots__ = ("project_id", "grant_id", "query", "queries")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    QUERIES_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    grant_id: str
    query: _object_pb2.ListQuery
    queries: _containers.RepeatedCompositeFieldContainer[_member_pb2.MemberQuery]
    def __init__(self, project_id: _Optional[str] = ..., grant_id: _Optional[str] = ..., query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ..., queries: _Optional[_Iterable[_Union[_member_pb2.MemberQuery, _Mapping]]] = ...) -> None: ...

class ListUserMembershipsRequest(_message.Message):
    __slots__ = ("user_id", "query")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    query: _object_pb2.ListQuery
    def __init__(self, user_id: _Optional[str] = ..., query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ...) -> None: ...

class ListUserMembershipsResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[Membership]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[Membership, _Mapping]]] = ...) -> None: ...

class Membership(_message.Message):
    __slots__ = ("user_id", "details", "roles", "iam", "org_id", "project_id", "project_grant_id")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    IAM_FIELD_NUMBER: _ClassVar[int]
    ORG_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    details: _object_pb2.ObjectDetails
    roles: _containers.RepeatedScalarFieldContainer[str]
    iam: bool
    org_id: str
    project_id: str
    project_grant_id: str
    def __init__(self, user_id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., roles: _Optional[_Iterable[str]] = ..., iam: _Optional[bool] = ..., org_id: _Optional[str] = ..., project_id: _Optional[str] = ..., project_grant_id: _Optional[str] = ...) -> None: ...
