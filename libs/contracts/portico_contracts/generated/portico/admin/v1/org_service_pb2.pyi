from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.api import annotations_pb2 as _annotations_pb2
from portico_contracts.generated.portico.management.v1 import human_pb2 as _human_pb2
from portico_contracts.generated.portico.management.v1 import org_pb2 as _org_pb2
from portico_contracts.generated.portico.user.v2 import user_pb2 as _user_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from portico_contracts.generated.portico.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SetUpOrgRequest(_message.Message):
    __slots__ = ("org", "human", "roles")
    class Org(_message.Message):
        __slots__ = ("name", "domain")
        NAME_FIELD_NUMBER: _ClassVar[int]
        DOMAIN_FIELD_NUMBER: _ClassVar[int]
        name: str
        domain: str
        def __init__(self, name: _Optional[str] = ..., domain: _Optional[str] = ...) -> None: ...
    class Human(_message.Message):
        __slots__ = ("user_name", "profile", "email", "phone", "password")
        USER_NAME_FIELD_NUMBER: _ClassVar[int]
        PROFILE_FIELD_NUMBER: _ClassVar[int]
        EMAIL_FIELD_NUMBER: _ClassVar[int]
        PHONE_FIELD_NUMBER: _ClassVar[int]
        PASSWORD_FIELD_NUMBER: _ClassVar[int]
        user_name: str
        profile: _user_pb2.NewHumanProfile
        email: _human_pb2.NewHumanEmail
        phone: _human_pb2.NewHumanPhone
        password: str
        def __init__(self, user_name: _Optional[str] = ..., profile: _Optional[_Union[_user_pb2.NewHumanProfile, _Mapping]] = ..., email: _Optional[_Union[_human_pb2.NewHumanEmail, _Mapping]] = ..., phone: _Optional[_Union[_human_pb2.NewHumanPhone, _Mapping]] = ..., password: _Optional[str] = ...) -> None: ...
    ORG_FIELD_NUMBER: _ClassVar[int]
    HUMAN_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    org: SetUpOrgRequest.Org
    human: SetUpOrgRequest.Human
    roles: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, org: _Optional[_Union[SetUpOrgRequest.Org, _Mapping]] = ..., human: _Optional[_Union[SetUpOrgRequest.Human, _Mapping]] = ..., roles: _Optional[_Iterable[str]] = ...) -> None: ...

class SetUpOrgResponse(_message.Message):
    __slots__ = ("details", "org_id", "user_id")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    ORG_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    org_id: str
    user_id: str
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., org_id: _Optional[str] = ..., user_id: _Optional[str] = ...) -> None: ...

class ListOrgsRequest(_message.Message):
    __slots__ = ("query", "queries", "sorting_column")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    QUERIES_FIELD_NUMBER: _ClassVar[int]
    SORTING_COLUMN_FIELD_NUMBER: _ClassVar[int]
    query: _object_pb2.ListQuery
    queries: _containers.RepeatedCompositeFieldContainer[OrgQuery]
    sorting_column: _org_pb2.OrgFieldName
    def __init__(self, query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ..., queries: _Optional[_Iterable[_Union[OrgQuery, _Mapping]]] = ..., sorting_column: _Optional[_Union[_org_pb2.OrgFieldName, str]] = ...) -> None: ...

class ListOrgsResponse(_message.Message):
    __slots__ = ("details", "result", "sorting_column")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    SORTING_COLUMN_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[_org_pb2.Org]
    sorting_column: _org_pb2.OrgFieldName
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[_org_pb2.Org, _Mapping]]] = ..., sorting_column: _Optional[_Union[_org_pb2.OrgFieldName, str]] = ...) -> None: ...

class OrgQuery(_message.Message):
    __slots__ = ("name_query", "domain_query", "state_query", "words_query")
    NAME_QUERY_FIELD_NUMBER: _ClassVar[int]
    DOMAIN_QUERY_FIELD_NUMBER: _ClassVar[int]
    STATE_QUERY_FIELD_NUMBER: _ClassVar[int]
    WORDS_QUERY_FIELD_NUMBER: _ClassVar[int]
    name_query: OrgNameQuery
    domain_query: OrgDomainQuery
    state_query: OrgStateQuery
    words_query: _object_pb2.WordsQuery
    def __init__(self, name_query: _Optional[_Union[OrgNameQuery, _Mapping]] = ..., domain_query: _Optional[_Union[OrgDomainQuery, _Mapping]] = ..., state_query: _Optional[_Union[OrgStateQuery, _Mapping]] = ..., words_query: _Optional[_Union[_object_pb2.WordsQuery, _Mapping]] = ...) -> None: ...

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
