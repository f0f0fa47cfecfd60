from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from portico_contracts.generated.portico.management.v1 import user_pb2 as _user_pb2
from portico_contracts.generated.portico.user.v2 import user_pb2 as _user_pb2_1
from portico_contracts.generated.portico.user.v2 import user_queries_pb2 as _user_queries_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GetUserByIDRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class GetUserByIDResponse(_message.Message):
    __slots__ = ("user",)
    USER_FIELD_NUMBER: _ClassVar[int]
    user: _user_pb2.User
    def __init__(self, user: _Optional[_Union[_user_pb2.User, _Mapping]] = ...) -> None: ...

class GetUserByLoginNameGlobalRequest(_message.Message):
    __slots__ = ("login_name",)
    LOGIN_NAME_FIELD_NUMBER: _ClassVar[int]
    login_name: str
    def __init__(self, login_name: _Optional[str] = ...) -> None: ...

class GetUserByLoginNameGlobalResponse(_message.Message):
    __slots__ = ("user",)
    USER_FIELD_NUMBER: _ClassVar[int]
    user: _user_pb2.User
    def __init__(self, user: _Optional[_Union[_user_pb2.User, _Mapping]] = ...) -> None: ...

class UserQuery(_message.Message):
    __slots__ = ("user_name_query", "first_name_query", "last_name_query", "nick_name_query", "display_name_query", "email_query", "state_query", "type_query", "in_user_ids_query", "organization_id_query", "words_query", "group_id_query", "role_query", "situation_query", "external_id_query")
    USER_NAME_QUERY_FIELD_NUMBER: _ClassVar[int]
    FIRST_NAME_QUERY_FIELD_NUMBER: _ClassVar[int]
    LAST_NAME_QUERY_FIELD_NUMBER: _ClassVar[int]
    NICK_NAME_QUERY_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_QUERY_FIELD_NUMBER: _ClassVar[int]
    EMAIL_QUERY_FIELD_NUMBER: _ClassVar[int]
    STATE_QUERY_FIELD_NUMBER: _ClassVar[int]
    TYPE_QUERY_FIELD_NUMBER: _ClassVar[int]
    IN_USER_IDS_QUERY_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_ID_QUERY_FIELD_NUMBER: _ClassVar[int]
    WORDS_QUERY_FIELD_NUMBER: _ClassVar[int]
    GROUP_ID_QUERY_FIELD_NUMBER: _ClassVar[int]
    ROLE_QUERY_FIELD_NUMBER: _ClassVar[int]
    SITUATION_QUERY_FIELD_NUMBER: _ClassVar[int]
    EXTERNAL_ID_QUERY_FIELD_NUMBER: _ClassVar[int]
    user_name_query: _user_queries_pb2.UserNameQuery
    first_name_query: _user_queries_pb2.FirstNameQuery
    last_name_query: _user_queries_pb2.LastNameQuery
    nick_name_query: _user_queries_pb2.NickNameQuery
    display_name_query: _user_queries_pb2.DisplayNameQuery
    email_query: _user_queries_pb2.EmailQuery
    state_query: _user_queries_pb2.StateQuery
    type_query: _user_queries_pb2.TypeQuery
    in_user_ids_query: _user_queries_pb2.InUserIdsQuery
    organization_id_query: _user_queries_pb2.OrganizationIdQuery
    words_query: _object_pb2.WordsQuery
    group_id_query: _user_queries_pb2.GroupIdQuery
    role_query: _user_queries_pb2.RoleQuery
    situation_query: _user_queries_pb2.SituationQuery
    external_id_query: _user_queries_pb2.ExternalIdQuery
    def __init__(self, user_name_query: _Optional[_Union[_user_queries_pb2.UserNameQuery, _Mapping]] = ..., first_name_query: _Optional[_Union[_user_queries_pb2.FirstNameQuery, _Mapping]] = ..., last_name_query: _Optional[_Union[_user_queries_pb2.LastNameQuery, _Mapping]] = ..., nick_name_query: _Optional[_Union[_user_queries_pb2.NickNameQuery, _Mapping]] = ..., display_name_query: _Optional[_Union[_user_queries_pb2.DisplayNameQuery, _Mapping]] = ..., email_query: _Optional[_Union[_user_queries_pb2.EmailQuery, _Mapping]] = ..., state_query: _Optional[_Union[_user_queries_pb2.StateQuery, _Mapping]] = ..., type_query: _Optional[_Union[_user_queries_pb2.TypeQuery, _Mapping]] = ..., in_user_ids_query: _Optional[_Union[_user_queries_pb2.InUserIdsQuery, _Mapping]] = ..., organization_id_query: _Optional[_Union[_user_queries_pb2.OrganizationIdQuery, _Mapping]] = ..., words_query: _Optional[_Union[_object_pb2.WordsQuery, _Mapping]] = ..., group_id_query: _Optional[_Union[_user_queries_pb2.GroupIdQuery, _Mapping]] = ..., role_query: _Optional[_Union[_user_queries_pb2.RoleQuery, _Mapping]] = ..., situation_query: _Optional[_Union[_user_queries_pb2.SituationQuery, _Mapping]] = ..., external_id_query: _Optional[_Union[_user_queries_pb2.ExternalIdQuery, _Mapping]] = ...) -> None: ...

class ListUsersRequest(_message.Message):
    __slots__ = ("query", "sorting_column", "queries")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    SORTING_COLUMN_FIELD_NUMBER: _ClassVar[int]
    QUERIES_FIELD_NUMBER: _ClassVar[int]
    query: _object_pb2.ListQuery
    sorting_column: _user_queries_pb2.UserFieldName
    queries: _containers.RepeatedCompositeFieldContainer[UserQuery]
    def __init__(self, query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ..., sorting_column: _Optional[_Union[_user_queries_pb2.UserFieldName, str]] = ..., queries: _Optional[_Iterable[_Union[UserQuery, _Mapping]]] = ...) -> None: ...

class ListUsersResponse(_message.Message):
    __slots__ = ("details", "sorting_column", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    SORTING_COLUMN_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    sorting_column: _user_queries_pb2.UserFieldName
    result: _containers.RepeatedCompositeFieldContainer[_user_pb2.User]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., sorting_column: _Optional[_Union[_user_queries_pb2.UserFieldName, str]] = ..., result: _Optional[_Iterable[_Union[_user_pb2.User, _Mapping]]] = ...) -> None: ...

class GetHumanProfileRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class GetHumanProfileResponse(_message.Message):
    __slots__ = ("details", "profile")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    profile: _user_pb2_1.HumanProfile
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., profile: _Optional[_Union[_user_pb2_1.HumanProfile, _Mapping]] = ...) -> None: ...

class GetHumanEmailRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class GetHumanEmailResponse(_message.Message):
    __slots__ = ("details", "email")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    email: _user_pb2.Email
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., email: _Optional[_Union[_user_pb2.Email, _Mapping]] = ...) -> None: ...

class GetHumanPhoneRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class GetHumanPhoneResponse(_message.Message):
    __slots__ = ("details", "phone")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    PHONE_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    phone: _user_pb2.Phone
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., phone: _Optional[_Union[_user_pb2.Phone, _Mapping]] = ...) -> None: ...
