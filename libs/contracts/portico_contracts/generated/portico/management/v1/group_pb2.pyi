from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Group(_message.Message):
    __slots__ = ("id", "details", "name", "description", "roles", "member_of")
    ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    MEMBER_OF_FIELD_NUMBER: _ClassVar[int]
    id: str
    details: _object_pb2.ObjectDetails
    name: str
    description: str
    roles: _containers.RepeatedCompositeFieldContainer[GroupRoles]
    member_of: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., name: _Optional[str] = ..., description: _Optional[str] = ..., roles: _Optional[_Iterable[_Union[GroupRoles, _Mapping]]] = ..., member_of: _Optional[_Iterable[str]] = ...) -> None: ...

class GroupRoles(_message.Message):
    __slots__ = ("project_id", "role_keys", "project_grant_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_KEYS_FIELD_NUMBER: _ClassVar[int]
    PROJECT_GRANT_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    role_keys: _containers.RepeatedScalarFieldContainer[str]
    project_grant_id: str
    def __init__(self, project_id: _Optional[str] = ..., role_keys: _Optional[_Iterable[str]] = ..., project_grant_id: _Optional[str] = ...) -> None: ...

class GroupMembership(_message.Message):
    __slots__ = ("added", "idp_ids", "via_group_ids")
    ADDED_FIELD_NUMBER: _ClassVar[int]
    IDP_IDS_FIELD_NUMBER: _ClassVar[int]
    VIA_GROUP_IDS_FIELD_NUMBER: _ClassVar[int]
    added: bool
    idp_ids: _containers.RepeatedScalarFieldContainer[str]
    via_group_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, added: _Optional[bool] = ..., idp_ids: _Optional[_Iterable[str]] = ..., via_group_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class GroupMember(_message.Message):
    __slots__ = ("user_id", "user_name", "display_name", "membership")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    USER_NAME_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    MEMBERSHIP_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    user_name: str
    display_name: str
    membership: GroupMembership
    def __init__(self, user_id: _Optional[str] = ..., user_name: _Optional[str] = ..., display_name: _Optional[str] = ..., membership: _Optional[_Union[GroupMembership, _Mapping]] = ...) -> None: ...

class UserGroup(_message.Message):
    __slots__ = ("group_id", "name", "membership")
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    MEMBERSHIP_FIELD_NUMBER: _ClassVar[int]
    group_id: str
    name: str
    membership: GroupMembership
    def __init__(self, group_id: _Optional[str] = ..., name: _Optional[str] = ..., membership: _Optional[_Union[GroupMembership, _Mapping]] = ...) -> None: ...

class GroupMapping(_message.Message):
    __slots__ = ("idp_id", "idp_name", "claim", "provider_groups", "details")
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    IDP_NAME_FIELD_NUMBER: _ClassVar[int]
    CLAIM_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_GROUPS_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    idp_name: str
    claim: str
    provider_groups: _containers.RepeatedScalarFieldContainer[str]
    details: _object_pb2.ObjectDetails
    def __init__(self, idp_id: _Optional[str] = ..., idp_name: _Optional[str] = ..., claim: _Optional[str] = ..., provider_groups: _Optional[_Iterable[str]] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class GroupQuery(_message.Message):
    __slots__ = ("name_query", "member_of_query")
    NAME_QUERY_FIELD_NUMBER: _ClassVar[int]
    MEMBER_OF_QUERY_FIELD_NUMBER: _ClassVar[int]
    name_query: GroupNameQuery
    member_of_query: GroupMemberOfQuery
    def __init__(self, name_query: _Optional[_Union[GroupNameQuery, _Mapping]] = ..., member_of_query: _Optional[_Union[GroupMemberOfQuery, _Mapping]] = ...) -> None: ...

class GroupNameQuery(_message.Message):
    __slots__ = ("name", "method")
    NAME_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    name: str
    method: _object_pb2.TextQueryMethod
    def __init__(self, name: _Optional[str] = ..., method: _Optional[_Union[_object_pb2.TextQueryMethod, str]] = ...) -> None: ...

class GroupMemberOfQuery(_message.Message):
    __slots__ = ("group_id",)
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    group_id: str
    def __init__(self, group_id: _Optional[str] = ...) -> None: ...
