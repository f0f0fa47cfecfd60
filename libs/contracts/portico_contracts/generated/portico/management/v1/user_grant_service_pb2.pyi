from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.api import annotations_pb2 as _annotations_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from portico_contracts.generated.portico.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class UserGrantState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    USER_GRANT_STATE_UNSPECIFIED: _ClassVar[UserGrantState]
    USER_GRANT_STATE_ACTIVE: _ClassVar[UserGrantState]
    USER_GRANT_STATE_INACTIVE: _ClassVar[UserGrantState]
USER_GRANT_STATE_UNSPECIFIED: UserGrantState
USER_GRANT_STATE_ACTIVE: UserGrantState
USER_GRANT_STATE_INACTIVE: UserGrantState

class UserGrant(_message.Message):
    __slots__ = ("id", "details", "state", "user_id", "user_name", "display_name", "org_id", "project_id", "role_keys", "project_grant_id")
    ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    USER_NAME_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    ORG_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_KEYS_FIELD_NUMBER: _ClassVar[int]
    PROJECT_GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    details: _object_pb2.ObjectDetails
    state: UserGrantState
    user_id: str
    user_name: str
    display_name: str
    org_id: str
    project_id: str
    role_keys: _containers.RepeatedScalarFieldContainer[str]
    project_grant_id: str
    def __init__(self, id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., state: _Optional[_Union[UserGrantState, str]] = ..., user_id: _Optional[str] = ..., user_name: _Optional[str] = ..., display_name: _Optional[str] = ..., org_id: _Optional[str] = ..., project_id: _Optional[str] = ..., role_keys: _Optional[_Iterable[str]] = ..., project_grant_id: _Optional[str] = ...) -> None: ...

class AddUserGrantRequest(_message.Message):
    __slots__ = ("user_id", "project_id", "role_keys", "project_grant_id")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_KEYS_FIELD_NUMBER: _ClassVar[int]
    PROJECT_GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    project_id: str
    role_keys: _containers.RepeatedScalarFieldContainer[str]
    project_grant_id: str
    def __init__(self, user_id: _Optional[str] = ..., project_id: _Optional[str] = ..., role_keys: _Optional[_Iterable[str]] = ..., project_grant_id: _Optional[str] = ...) -> None: ...

class AddUserGrantResponse(_message.Message):
    __slots__ = ("user_grant_id", "details")
    USER_GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    user_grant_id: str
    details: _object_pb2.ObjectDetails
    def __init__(self, user_grant_id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class GetUserGrantByIDRequest(_message.Message):
    __slots__ = ("user_id", "grant_id")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    grant_id: str
    def __init__(self, user_id: _Optional[str] = ..., grant_id: _Optional[str] = ...) -> None: ...

class GetUserGrantByIDResponse(_message.Message):
    __slots__ = ("user_grant",)
    USER_GRANT_FIELD_NUMBER: _ClassVar[int]
    user_grant: UserGrant
    def __init__(self, user_grant: _Optional[_Union[UserGrant, _Mapping]] = ...) -> None: ...

class UpdateUserGrantRequest(_message.Message):
    __slots__ = ("user_id", "grant_id", "role_keys")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_KEYS_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    grant_id: str
    role_keys: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, user_id: _Optional[str] = ..., grant_id: _Optional[str] = ..., role_keys: _Optional[_Iterable[str]] = ...) -> None: ...

class UpdateUserGrantResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class DeactivateUserGrantRequest(_message.Message):
    __slots__ = ("user_id", "grant_id")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    grant_id: str
    def __init__(self, user_id: _Optional[str] = ..., grant_id: _Optional[str] = ...) -> None: ...

class DeactivateUserGrantResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class ReactivateUserGrantRequest(_message.Message):
    __slots__ = ("user_id", "grant_id")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    grant_id: str
    def __init__(self, user_id: _Optional[str] = ..., grant_id: _Optional[str] = ...) -> None: ...

class ReactivateUserGrantResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class RemoveUserGrantRequest(_message.Message):
    __slots__ = ("user_id", "grant_id")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    grant_id: str
    def __init__(self, user_id: _Optional[str] = ..., grant_id: _Optional[str] = ...) -> None: ...

class RemoveUserGrantResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class ListUserGrantsRequest(_message.Message):
    __slots__ = ("query", "queries")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    QUERIES_FIELD_NUMBER: _ClassVar[int]
    query: _object_pb2.ListQuery
    queries: _containers.RepeatedCompositeFieldContainer[UserGrantQuery]
    def __init__(self, query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ..., queries: _Optional[_Iterable[_Union[UserGrantQuery, _Mapping]]] = ...) -> None: ...

class ListUserGrantsResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[UserGrant]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[UserGrant, _Mapping]]] = ...) -> None: ...

class UserGrantQuery(_message.Message):
    __slots__ = ("user_id_query", "project_id_query", "role_key_query", "project_grant_id_query")
    USER_ID_QUERY_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_QUERY_FIELD_NUMBER: _ClassVar[int]
    ROLE_KEY_QUERY_FIELD_NUMBER: _ClassVar[int]
    PROJECT_GRANT_ID_QUERY_FIELD_NUMBER: _ClassVar[int]
    user_id_query: UserGrantUserIDQuery
    project_id_query: UserGrantProjectIDQuery
    role_key_query: UserGrantRoleKeyQuery
    project_grant_id_query: UserGrantProjectGrantIDQuery
    def __init__(self, user_id_query: _Optional[_Union[UserGrantUserIDQuery, _Mapping]] = ..., project_id_query: _Optional[_Union[UserGrantProjectIDQuery, _Mapping]] = ..., role_key_query: _Optional[_Union[UserGrantRoleKeyQuery, _Mapping]] = ..., project_grant_id_query: _Optional[_Union[UserGrantProjectGrantIDQuery, _Mapping]] = ...) -> None: ...

class UserGrantUserIDQuery(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class UserGrantProjectIDQuery(_message.Message):
    __slots__ = ("project_id",)
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    def __init__(self, project_id: _Optional[str] = ...) -> None: ...

class UserGrantRoleKeyQuery(_message.Message):
    __slots__ = ("role_key",)
    ROLE_KEY_FIELD_NUMBER: _ClassVar[int]
    role_key: str
    def __init__(self, role_key: _Optional[str] = ...) -> None: ...

class UserGrantProjectGrantIDQuery(_message.Message):
    __slots__ = ("project_grant_id",)
    PROJECT_GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    project_grant_id: str
    def __init__(self, project_grant_id: _Optional[str] = ...) -> None: ...
