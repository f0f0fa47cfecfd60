from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.api import annotations_pb2 as _annotations_pb2
from portico_contracts.generated.portico.object.v2 import object_pb2 as _object_pb2
from portico_contracts.generated.portico.user.v2 import credentials_pb2 as _credentials_pb2
from portico_contracts.generated.portico.user.v2 import idp_intents_pb2 as _idp_intents_pb2
from portico_contracts.generated.portico.user.v2 import idp_links_pb2 as _idp_links_pb2
from portico_contracts.generated.portico.user.v2 import invites_pb2 as _invites_pb2
from portico_contracts.generated.portico.user.v2 import service_users_pb2 as _service_users_pb2
from portico_contracts.generated.portico.user.v2 import user_pb2 as _user_pb2
from portico_contracts.generated.portico.user.v2 import user_changes_pb2 as _user_changes_pb2
from portico_contracts.generated.portico.user.v2 import user_contacts_pb2 as _user_contacts_pb2
from portico_contracts.generated.portico.user.v2 import user_metadata_pb2 as _user_metadata_pb2
from portico_contracts.generated.portico.user.v2 import user_passwords_pb2 as _user_passwords_pb2
from portico_contracts.generated.portico.user.v2 import user_queries_pb2 as _user_queries_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2_1
from portico_contracts.generated.portico.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AddHumanUserRequest(_message.Message):
    __slots__ = ("user_id", "username", "organisation", "profile", "email", "metadata", "password", "hashed_password", "idp_links", "phone", "attributes")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    ORGANISATION_FIELD_NUMBER: _ClassVar[int]
    PROFILE_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    HASHED_PASSWORD_FIELD_NUMBER: _ClassVar[int]
    IDP_LINKS_FIELD_NUMBER: _ClassVar[int]
    PHONE_FIELD_NUMBER: _ClassVar[int]
    ATTRIBUTES_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    username: str
    organisation: _user_pb2.Organisation
    profile: _user_pb2.NewHumanProfile
    email: _user_pb2.SetHumanEmail
    metadata: _containers.RepeatedCompositeFieldContainer[_user_pb2.SetMetadataEntry]
    password: _user_pb2.Password
    hashed_password: _user_pb2.HashedPassword
    idp_links: _containers.RepeatedCompositeFieldContainer[_user_pb2.IdpLink]
    phone: _user_pb2.SetHumanPhone
    attributes: _user_pb2.HumanAttributes
    def __init__(self, user_id: _Optional[str] = ..., username: _Optional[str] = ..., organisation: _Optional[_Union[_user_pb2.Organisation, _Mapping]] = ..., profile: _Optional[_Union[_user_pb2.NewHumanProfile, _Mapping]] = ..., email: _Optional[_Union[_user_pb2.SetHumanEmail, _Mapping]] = ..., metadata: _Optional[_Iterable[_Union[_user_pb2.SetMetadataEntry, _Mapping]]] = ..., password: _Optional[_Union[_user_pb2.Password, _Mapping]] = ..., hashed_password: _Optional[_Union[_user_pb2.HashedPassword, _Mapping]] = ..., idp_links: _Optional[_Iterable[_Union[_user_pb2.IdpLink, _Mapping]]] = ..., phone: _Optional[_Union[_user_pb2.SetHumanPhone, _Mapping]] = ..., attributes: _Optional[_Union[_user_pb2.HumanAttributes, _Mapping]] = ...) -> None: ...

class AddHumanUserResponse(_message.Message):
    __slots__ = ("user_id", "details", "email_code", "phone_code")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    EMAIL_CODE_FIELD_NUMBER: _ClassVar[int]
    PHONE_CODE_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    details: _object_pb2.Details
    email_code: str
    phone_code: str
    def __init__(self, user_id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ..., email_code: _Optional[str] = ..., phone_code: _Optional[str] = ...) -> None: ...

class GetUserByIDRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class GetUserByIDResponse(_message.Message):
    __slots__ = ("details", "user")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    USER_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    user: _user_pb2.User
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ..., user: _Optional[_Union[_user_pb2.User, _Mapping]] = ...) -> None: ...

class ListUsersRequest(_message.Message):
    __slots__ = ("query", "sorting_column", "queries")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    SORTING_COLUMN_FIELD_NUMBER: _ClassVar[int]
    QUERIES_FIELD_NUMBER: _ClassVar[int]
    query: _object_pb2_1.ListQuery
    sorting_column: _user_queries_pb2.UserFieldName
    queries: _containers.RepeatedCompositeFieldContainer[_user_queries_pb2.SearchQuery]
    def __init__(self, query: _Optional[_Union[_object_pb2_1.ListQuery, _Mapping]] = ..., sorting_column: _Optional[_Union[_user_queries_pb2.UserFieldName, str]] = ..., queries: _Optional[_Iterable[_Union[_user_queries_pb2.SearchQuery, _Mapping]]] = ...) -> None: ...

class ListUsersResponse(_message.Message):
    __slots__ = ("details", "sorting_column", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    SORTING_COLUMN_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2_1.ListDetails
    sorting_column: _user_queries_pb2.UserFieldName
    result: _containers.RepeatedCompositeFieldContainer[_user_pb2.User]
    def __init__(self, details: _Optional[_Union[_object_pb2_1.ListDetails, _Mapping]] = ..., sorting_column: _Optional[_Union[_user_queries_pb2.UserFieldName, str]] = ..., result: _Optional[_Iterable[_Union[_user_pb2.User, _Mapping]]] = ...) -> None: ...
