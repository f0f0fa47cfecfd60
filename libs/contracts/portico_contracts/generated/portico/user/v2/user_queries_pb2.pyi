from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from portico_contracts.generated.portico.user.v2 import user_pb2 as _user_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class UserFieldName(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    USER_FIELD_NAME_UNSPECIFIED: _ClassVar[UserFieldName]
    USER_FIELD_NAME_USER_NAME: _ClassVar[UserFieldName]
    USER_FIELD_NAME_FIRST_NAME: _ClassVar[UserFieldName]
    USER_FIELD_NAME_LAST_NAME: _ClassVar[UserFieldName]
    USER_FIELD_NAME_NICK_NAME: _ClassVar[UserFieldName]
    USER_FIELD_NAME_DISPLAY_NAME: _ClassVar[UserFieldName]
    USER_FIELD_NAME_EMAIL: _ClassVar[UserFieldName]
    USER_FIELD_NAME_STATE: _ClassVar[UserFieldName]
    USER_FIELD_NAME_TYPE: _ClassVar[UserFieldName]
    USER_FIELD_NAME_CREATION_DATE: _ClassVar[UserFieldName]
    USER_FIELD_NAME_LAST_SIGN_IN: _ClassVar[UserFieldName]

class UserType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TYPE_UNSPECIFIED: _ClassVar[UserType]
    TYPE_HUMAN: _ClassVar[UserType]
    TYPE_MACHINE: _ClassVar[UserType]

class UserSituation(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    USER_SITUATION_UNSPECIFIED: _ClassVar[UserSituation]
    USER_SITUATION_INVITED: _ClassVar[UserSituation]
    USER_SITUATION_WITH_WAY_IN: _ClassVar[UserSituation]
    USER_SITUATION_NEVER_SIGNED_IN: _ClassVar[UserSituation]
    USER_SITUATION_WITHOUT_SECOND_FACTOR: _ClassVar[UserSituation]
    USER_SITUATION_WITHOUT_WAY_IN: _ClassVar[UserSituation]
USER_FIELD_NAME_UNSPECIFIED: UserFieldName
USER_FIELD_NAME_USER_NAME: UserFieldName
USER_FIELD_NAME_FIRST_NAME: UserFieldName
USER_FIELD_NAME_LAST_NAME: UserFieldName
USER_FIELD_NAME_NICK_NAME: UserFieldName
USER_FIELD_NAME_DISPLAY_NAME: UserFieldName
USER_FIELD_NAME_EMAIL: UserFieldName
USER_FIELD_NAME_STATE: UserFieldName
USER_FIELD_NAME_TYPE: UserFieldName
USER_FIELD_NAME_CREATION_DATE: UserFieldName
USER_FIELD_NAME_LAST_SIGN_IN: UserFieldName
TYPE_UNSPECIFIED: UserType
TYPE_HUMAN: UserType
TYPE_MACHINE: UserType
USER_SITUATION_UNSPECIFIED: UserSituation
USER_SITUATION_INVITED: UserSituation
USER_SITUATION_WITH_WAY_IN: UserSituation
USER_SITUATION_NEVER_SIGNED_IN: UserSituation
USER_SITUATION_WITHOUT_SECOND_FACTOR: UserSituation
USER_SITUATION_WITHOUT_WAY_IN: UserSituation

class SearchQuery(_message.Message):
    __slots__ = ("user_name_query", "first_name_query", "last_name_query", "nick_name_query", "display_name_query", "email_query", "state_query", "type_query", "login_name_query", "in_user_ids_query", "or_query", "and_query", "not_query", "in_user_emails_query", "organization_id_query", "phone_query", "words_query", "group_id_query", "role_query", "situation_query", "external_id_query")
    USER_NAME_QUERY_FIELD_NUMBER: _ClassVar[int]
    FIRST_NAME_QUERY_FIELD_NUMBER: _ClassVar[int]
    LAST_NAME_QUERY_FIELD_NUMBER: _ClassVar[int]
    NICK_NAME_QUERY_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_QUERY_FIELD_NUMBER: _ClassVar[int]
    EMAIL_QUERY_FIELD_NUMBER: _ClassVar[int]
    STATE_QUERY_FIELD_NUMBER: _ClassVar[int]
    TYPE_QUERY_FIELD_NUMBER: _ClassVar[int]
    LOGIN_NAME_QUERY_FIELD_NUMBER: _ClassVar[int]
    IN_USER_IDS_QUERY_FIELD_NUMBER: _ClassVar[int]
    OR_QUERY_FIELD_NUMBER: _ClassVar[int]
    AND_QUERY_FIELD_NUMBER: _ClassVar[int]
    NOT_QUERY_FIELD_NUMBER: _ClassVar[int]
    IN_USER_EMAILS_QUERY_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_ID_QUERY_FIELD_NUMBER: _ClassVar[int]
    PHONE_QUERY_FIELD_NUMBER: _ClassVar[int]
    WORDS_QUERY_FIELD_NUMBER: _ClassVar[int]
    GROUP_ID_QUERY_FIELD_NUMBER: _ClassVar[int]
    ROLE_QUERY_FIELD_NUMBER: _ClassVar[int]
    SITUATION_QUERY_FIELD_NUMBER: _ClassVar[int]
    EXTERNAL_ID_QUERY_FIELD_NUMBER: _ClassVar[int]
    user_name_query: UserNameQuery
    first_name_query: FirstNameQuery
    last_name_query: LastNameQuery
    nick_name_query: NickNameQuery
    display_name_query: DisplayNameQuery
    email_query: EmailQuery
    state_query: StateQuery
    type_query: TypeQuery
    login_name_query: LoginNameQuery
    in_user_ids_query: InUserIdsQuery
    or_query: OrQuery
    and_query: AndQuery
    not_query: NotQuery
    in_user_emails_query: InUserEmailsQuery
    organization_id_query: OrganizationIdQuery
    phone_query: PhoneQuery
    words_query: _object_pb2.WordsQuery
    group_id_query: GroupIdQuery
    role_query: RoleQuery
    situation_query: SituationQuery
    external_id_query: ExternalIdQuery
    def __init__(self, user_name_query: _Optional[_Union[UserNameQuery, _Mapping]] = ..., first_name_query: _Optional[_Union[FirstNameQuery, _Mapping]] = ..., last_name_query: _Optional[_Union[LastNameQuery, _Mapping]] = ..., nick_name_query: _Optional[_Union[NickNameQuery, _Mapping]] = ..., display_name_query: _Optional[_Union[DisplayNameQuery, _Mapping]] = ..., email_query: _Optional[_Union[EmailQuery, _Mapping]] = ..., state_query: _Optional[_Union[StateQuery, _Mapping]] = ..., type_query: _Optional[_Union[TypeQuery, _Mapping]] = ..., login_name_query: _Optional[_Union[LoginNameQuery, _Mapping]] = ..., in_user_ids_query: _Optional[_Union[InUserIdsQuery, _Mapping]] = ..., or_query: _Optional[_Union[OrQuery, _Mapping]] = ..., and_query: _Optional[_Union[AndQuery, _Mapping]] = ..., not_query: _Optional[_Union[NotQuery, _Mapping]] = ..., in_user_emails_query: _Optional[_Union[InUserEmailsQuery, _Mapping]] = ..., organization_id_query: _Optional[_Union[OrganizationIdQuery, _Mapping]] = ..., phone_query: _Optional[_Union[PhoneQuery, _Mapping]] = ..., words_query: _Optional[_Union[_object_pb2.WordsQuery, _Mapping]] = ..., group_id_query: _Optional[_Union[GroupIdQuery, _Mapping]] = ..., role_query: _Optional[_Union[RoleQuery, _Mapping]] = ..., situation_query: _Optional[_Union[SituationQuery, _Mapping]] = ..., external_id_query: _Optional[_Union[ExternalIdQuery, _Mapping]] = ...) -> None: ...

class UserNameQuery(_message.Message):
    __slots__ = ("user_name", "method")
    USER_NAME_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    user_name: str
    method: _object_pb2.TextQueryMethod
    def __init__(self, user_name: _Optional[str] = ..., method: _Optional[_Union[_object_pb2.TextQueryMethod, str]] = ...) -> None: ...

class FirstNameQuery(_message.Message):
    __slots__ = ("first_name", "method")
    FIRST_NAME_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    first_name: str
    method: _object_pb2.TextQueryMethod
    def __init__(self, first_name: _Optional[str] = ..., method: _Optional[_Union[_object_pb2.TextQueryMethod, str]] = ...) -> None: ...

class LastNameQuery(_message.Message):
    __slots__ = ("last_name", "method")
    LAST_NAME_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    last_name: str
    method: _object_pb2.TextQueryMethod
    def __init__(self, last_name: _Optional[str] = ..., method: _Optional[_Union[_object_pb2.TextQueryMethod, str]] = ...) -> None: ...

class NickNameQuery(_message.Message):
    __slots__ = ("nick_name", "method")
    NICK_NAME_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    nick_name: str
    method: _object_pb2.TextQueryMethod
    def __init__(self, nick_name: _Optional[str] = ..., method: _Optional[_Union[_object_pb2.TextQueryMethod, str]] = ...) -> None: ...

class DisplayNameQuery(_message.Message):
    __slots__ = ("display_name", "method")
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    display_name: str
    method: _object_pb2.TextQueryMethod
    def __init__(self, display_name: _Optional[str] = ..., method: _Optional[_Union[_object_pb2.TextQueryMethod, str]] = ...) -> None: ...

class EmailQuery(_message.Message):
    __slots__ = ("email_address", "method")
    EMAIL_ADDRESS_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    email_address: str
    method: _object_pb2.TextQueryMethod
    def __init__(self, email_address: _Optional[str] = ..., method: _Optional[_Union[_object_pb2.TextQueryMethod, str]] = ...) -> None: ...

class StateQuery(_message.Message):
    __slots__ = ("state",)
    STATE_FIELD_NUMBER: _ClassVar[int]
    state: _user_pb2.UserState
    def __init__(self, state: _Optional[_Union[_user_pb2.UserState, str]] = ...) -> None: ...

class TypeQuery(_message.Message):
    __slots__ = ("type",)
    TYPE_FIELD_NUMBER: _ClassVar[int]
    type: UserType
    def __init__(self, type: _Optional[_Union[UserType, str]] = ...) -> None: ...

class InUserIdsQuery(_message.Message):
    __slots__ = ("user_ids",)
    USER_IDS_FIELD_NUMBER: _ClassVar[int]
    user_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, user_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class OrganizationIdQuery(_message.Message):
    __slots__ = ("organization_id",)
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    organization_id: str
    def __init__(self, organization_id: _Optional[str] = ...) -> None: ...

class GroupIdQuery(_message.Message):
    __slots__ = ("group_id",)
    GROUP_ID_FIELD_NUMBER: _ClassVar[int]
    group_id: str
    def __init__(self, group_id: _Optional[str] = ...) -> None: ...

class RoleQuery(_message.Message):
    __slots__ = ("project_id", "role_key")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_KEY_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    role_key: str
    def __init__(self, project_id: _Optional[str] = ..., role_key: _Optional[str] = ...) -> None: ...

class SituationQuery(_message.Message):
    __slots__ = ("situation",)
    SITUATION_FIELD_NUMBER: _ClassVar[int]
    situation: UserSituation
    def __init__(self, situation: _Optional[_Union[UserSituation, str]] = ...) -> None: ...

class ExternalIdQuery(_message.Message):
    __slots__ = ("idp_id", "external_id")
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    EXTERNAL_ID_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    external_id: str
    def __init__(self, idp_id: _Optional[str] = ..., external_id: _Optional[str] = ...) -> None: ...

class LoginNameQuery(_message.Message):
    __slots__ = ("login_name", "method")
    LOGIN_NAME_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    login_name: str
    method: _object_pb2.TextQueryMethod
    def __init__(self, login_name: _Optional[str] = ..., method: _Optional[_Union[_object_pb2.TextQueryMethod, str]] = ...) -> None: ...

class OrQuery(_message.Message):
    __slots__ = ("queries",)
    QUERIES_FIELD_NUMBER: _ClassVar[int]
    queries: _containers.RepeatedCompositeFieldContainer[SearchQuery]
    def __init__(self, queries: _Optional[_Iterable[_Union[SearchQuery, _Mapping]]] = ...) -> None: ...

class AndQuery(_message.Message):
    __slots__ = ("queries",)
    QUERIES_FIELD_NUMBER: _ClassVar[int]
    queries: _containers.RepeatedCompositeFieldContainer[SearchQuery]
    def __init__(self, queries: _Optional[_Iterable[_Union[SearchQuery, _Mapping]]] = ...) -> None: ...

class NotQuery(_message.Message):
    __slots__ = ("query",)
    QUERY_FIELD_NUMBER: _ClassVar[int]
    query: SearchQuery
    def __init__(self, query: _Optional[_Union[SearchQuery, _Mapping]] = ...) -> None: ...

class InUserEmailsQuery(_message.Message):
    __slots__ = ("user_emails",)
    USER_EMAILS_FIELD_NUMBER: _ClassVar[int]
    user_emails: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, user_emails: _Optional[_Iterable[str]] = ...) -> None: ...

class PhoneQuery(_message.Message):
    __slots__ = ("number", "method")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    number: str
    method: _object_pb2.TextQueryMethod
    def __init__(self, number: _Optional[str] = ..., method: _Optional[_Union[_object_pb2.TextQueryMethod, str]] = ...) -> None: ...
