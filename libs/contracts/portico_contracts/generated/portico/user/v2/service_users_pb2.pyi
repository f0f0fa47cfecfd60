import datetime

from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from portico_contracts.generated.portico.v1 import filter_pb2 as _filter_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class KeyFieldName(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    KEY_FIELD_NAME_UNSPECIFIED: _ClassVar[KeyFieldName]
    KEY_FIELD_NAME_CREATED_DATE: _ClassVar[KeyFieldName]
    KEY_FIELD_NAME_ID: _ClassVar[KeyFieldName]
    KEY_FIELD_NAME_USER_ID: _ClassVar[KeyFieldName]
    KEY_FIELD_NAME_ORGANIZATION_ID: _ClassVar[KeyFieldName]
    KEY_FIELD_NAME_KEY_EXPIRATION_DATE: _ClassVar[KeyFieldName]

class PersonalAccessTokenFieldName(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PERSONAL_ACCESS_TOKEN_FIELD_NAME_UNSPECIFIED: _ClassVar[PersonalAccessTokenFieldName]
    PERSONAL_ACCESS_TOKEN_FIELD_NAME_CREATED_DATE: _ClassVar[PersonalAccessTokenFieldName]
    PERSONAL_ACCESS_TOKEN_FIELD_NAME_ID: _ClassVar[PersonalAccessTokenFieldName]
    PERSONAL_ACCESS_TOKEN_FIELD_NAME_USER_ID: _ClassVar[PersonalAccessTokenFieldName]
    PERSONAL_ACCESS_TOKEN_FIELD_NAME_ORGANIZATION_ID: _ClassVar[PersonalAccessTokenFieldName]
    PERSONAL_ACCESS_TOKEN_FIELD_NAME_EXPIRATION_DATE: _ClassVar[PersonalAccessTokenFieldName]
KEY_FIELD_NAME_UNSPECIFIED: KeyFieldName
KEY_FIELD_NAME_CREATED_DATE: KeyFieldName
KEY_FIELD_NAME_ID: KeyFieldName
KEY_FIELD_NAME_USER_ID: KeyFieldName
KEY_FIELD_NAME_ORGANIZATION_ID: KeyFieldName
KEY_FIELD_NAME_KEY_EXPIRATION_DATE: KeyFieldName
PERSONAL_ACCESS_TOKEN_FIELD_NAME_UNSPECIFIED: PersonalAccessTokenFieldName
PERSONAL_ACCESS_TOKEN_FIELD_NAME_CREATED_DATE: PersonalAccessTokenFieldName
PERSONAL_ACCESS_TOKEN_FIELD_NAME_ID: PersonalAccessTokenFieldName
PERSONAL_ACCESS_TOKEN_FIELD_NAME_USER_ID: PersonalAccessTokenFieldName
PERSONAL_ACCESS_TOKEN_FIELD_NAME_ORGANIZATION_ID: PersonalAccessTokenFieldName
PERSONAL_ACCESS_TOKEN_FIELD_NAME_EXPIRATION_DATE: PersonalAccessTokenFieldName

class Key(_message.Message):
    __slots__ = ("creation_date", "change_date", "id", "user_id", "organization_id", "expiration_date")
    CREATION_DATE_FIELD_NUMBER: _ClassVar[int]
    CHANGE_DATE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    EXPIRATION_DATE_FIELD_NUMBER: _ClassVar[int]
    creation_date: _timestamp_pb2.Timestamp
    change_date: _timestamp_pb2.Timestamp
    id: str
    user_id: str
    organization_id: str
    expiration_date: _timestamp_pb2.Timestamp
    def __init__(self, creation_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., change_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., id: _Optional[str] = ..., user_id: _Optional[str] = ..., organization_id: _Optional[str] = ..., expiration_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class KeysSearchFilter(_message.Message):
    __slots__ = ("key_id_filter", "user_id_filter", "organization_id_filter", "created_date_filter", "expiration_date_filter")
    KEY_ID_FILTER_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FILTER_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_ID_FILTER_FIELD_NUMBER: _ClassVar[int]
    CREATED_DATE_FILTER_FIELD_NUMBER: _ClassVar[int]
    EXPIRATION_DATE_FILTER_FIELD_NUMBER: _ClassVar[int]
    key_id_filter: _filter_pb2.IDFilter
    user_id_filter: _filter_pb2.IDFilter
    organization_id_filter: _filter_pb2.IDFilter
    created_date_filter: _filter_pb2.TimestampFilter
    expiration_date_filter: _filter_pb2.TimestampFilter
    def __init__(self, key_id_filter: _Optional[_Union[_filter_pb2.IDFilter, _Mapping]] = ..., user_id_filter: _Optional[_Union[_filter_pb2.IDFilter, _Mapping]] = ..., organization_id_filter: _Optional[_Union[_filter_pb2.IDFilter, _Mapping]] = ..., created_date_filter: _Optional[_Union[_filter_pb2.TimestampFilter, _Mapping]] = ..., expiration_date_filter: _Optional[_Union[_filter_pb2.TimestampFilter, _Mapping]] = ...) -> None: ...

class AddKeyRequest(_message.Message):
    __slots__ = ("user_id", "expiration_date", "public_key")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    EXPIRATION_DATE_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_KEY_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    expiration_date: _timestamp_pb2.Timestamp
    public_key: bytes
    def __init__(self, user_id: _Optional[str] = ..., expiration_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., public_key: _Optional[bytes] = ...) -> None: ...

class AddKeyResponse(_message.Message):
    __slots__ = ("creation_date", "key_id", "key_content")
    CREATION_DATE_FIELD_NUMBER: _ClassVar[int]
    KEY_ID_FIELD_NUMBER: _ClassVar[int]
    KEY_CONTENT_FIELD_NUMBER: _ClassVar[int]
    creation_date: _timestamp_pb2.Timestamp
    key_id: str
    key_content: bytes
    def __init__(self, creation_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., key_id: _Optional[str] = ..., key_content: _Optional[bytes] = ...) -> None: ...

class RemoveKeyRequest(_message.Message):
    __slots__ = ("user_id", "key_id")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    KEY_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    key_id: str
    def __init__(self, user_id: _Optional[str] = ..., key_id: _Optional[str] = ...) -> None: ...

class RemoveKeyResponse(_message.Message):
    __slots__ = ("deletion_date",)
    DELETION_DATE_FIELD_NUMBER: _ClassVar[int]
    deletion_date: _timestamp_pb2.Timestamp
    def __init__(self, deletion_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListKeysRequest(_message.Message):
    __slots__ = ("pagination", "sorting_column", "filters")
    PAGINATION_FIELD_NUMBER: _ClassVar[int]
    SORTING_COLUMN_FIELD_NUMBER: _ClassVar[int]
    FILTERS_FIELD_NUMBER: _ClassVar[int]
    pagination: _filter_pb2.PaginationRequest
    sorting_column: KeyFieldName
    filters: _containers.RepeatedCompositeFieldContainer[KeysSearchFilter]
    def __init__(self, pagination: _Optional[_Union[_filter_pb2.PaginationRequest, _Mapping]] = ..., sorting_column: _Optional[_Union[KeyFieldName, str]] = ..., filters: _Optional[_Iterable[_Union[KeysSearchFilter, _Mapping]]] = ...) -> None: ...

class ListKeysResponse(_message.Message):
    __slots__ = ("pagination", "result")
    PAGINATION_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    pagination: _filter_pb2.PaginationResponse
    result: _containers.RepeatedCompositeFieldContainer[Key]
    def __init__(self, pagination: _Optional[_Union[_filter_pb2.PaginationResponse, _Mapping]] = ..., result: _Optional[_Iterable[_Union[Key, _Mapping]]] = ...) -> None: ...

class PersonalAccessToken(_message.Message):
    __slots__ = ("creation_date", "change_date", "id", "user_id", "organization_id", "expiration_date")
    CREATION_DATE_FIELD_NUMBER: _ClassVar[int]
    CHANGE_DATE_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    EXPIRATION_DATE_FIELD_NUMBER: _ClassVar[int]
    creation_date: _timestamp_pb2.Timestamp
    change_date: _timestamp_pb2.Timestamp
    id: str
    user_id: str
    organization_id: str
    expiration_date: _timestamp_pb2.Timestamp
    def __init__(self, creation_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., change_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., id: _Optional[str] = ..., user_id: _Optional[str] = ..., organization_id: _Optional[str] = ..., expiration_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class PersonalAccessTokensSearchFilter(_message.Message):
    __slots__ = ("token_id_filter", "user_id_filter", "organization_id_filter", "created_date_filter", "expiration_date_filter")
    TOKEN_ID_FILTER_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FILTER_FIELD_NUMBER: _ClassVar[int]
    ORGANIZATION_ID_FILTER_FIELD_NUMBER: _ClassVar[int]
    CREATED_DATE_FILTER_FIELD_NUMBER: _ClassVar[int]
    EXPIRATION_DATE_FILTER_FIELD_NUMBER: _ClassVar[int]
    token_id_filter: _filter_pb2.IDFilter
    user_id_filter: _filter_pb2.IDFilter
    organization_id_filter: _filter_pb2.IDFilter
    created_date_filter: _filter_pb2.TimestampFilter
    expiration_date_filter: _filter_pb2.TimestampFilter
    def __init__(self, token_id_filter: _Optional[_Union[_filter_pb2.IDFilter, _Mapping]] = ..., user_id_filter: _Optional[_Union[_filter_pb2.IDFilter, _Mapping]] = ..., organization_id_filter: _Optional[_Union[_filter_pb2.IDFilter, _Mapping]] = ..., created_date_filter: _Optional[_Union[_filter_pb2.TimestampFilter, _Mapping]] = ..., expiration_date_filter: _Optional[_Union[_filter_pb2.TimestampFilter, _Mapping]] = ...) -> None: ...

class AddPersonalAccessTokenRequest(_message.Message):
    __slots__ = ("user_id", "expiration_date")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    EXPIRATION_DATE_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    expiration_date: _timestamp_pb2.Timestamp
    def __init__(self, user_id: _Optional[str] = ..., expiration_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class AddPersonalAccessTokenResponse(_message.Message):
    __slots__ = ("creation_date", "token_id", "token")
    CREATION_DATE_FIELD_NUMBER: _ClassVar[int]
    TOKEN_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    creation_date: _timestamp_pb2.Timestamp
    token_id: str
    token: str
    def __init__(self, creation_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., token_id: _Optional[str] = ..., token: _Optional[str] = ...) -> None: ...

class RemovePersonalAccessTokenRequest(_message.Message):
    __slots__ = ("user_id", "token_id")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    token_id: str
    def __init__(self, user_id: _Optional[str] = ..., token_id: _Optional[str] = ...) -> None: ...

class RemovePersonalAccessTokenResponse(_message.Message):
    __slots__ = ("deletion_date",)
    DELETION_DATE_FIELD_NUMBER: _ClassVar[int]
    deletion_date: _timestamp_pb2.Timestamp
    def __init__(self, deletion_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListPersonalAccessTokensRequest(_message.Message):
    __slots__ = ("pagination", "sorting_column", "filters")
    PAGINATION_FIELD_NUMBER: _ClassVar[int]
    SORTING_COLUMN_FIELD_NUMBER: _ClassVar[int]
    FILTERS_FIELD_NUMBER: _ClassVar[int]
    pagination: _filter_pb2.PaginationRequest
    sorting_column: PersonalAccessTokenFieldName
    filters: _containers.RepeatedCompositeFieldContainer[PersonalAccessTokensSearchFilter]
    def __init__(self, pagination: _Optional[_Union[_filter_pb2.PaginationRequest, _Mapping]] = ..., sorting_column: _Optional[_Union[PersonalAccessTokenFieldName, str]] = ..., filters: _Optional[_Iterable[_Union[PersonalAccessTokensSearchFilter, _Mapping]]] = ...) -> None: ...

class ListPersonalAccessTokensResponse(_message.Message):
    __slots__ = ("pagination", "result")
    PAGINATION_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    pagination: _filter_pb2.PaginationResponse
    result: _containers.RepeatedCompositeFieldContainer[PersonalAccessToken]
    def __init__(self, pagination: _Optional[_Union[_filter_pb2.PaginationResponse, _Mapping]] = ..., result: _Optional[_Iterable[_Union[PersonalAccessToken, _Mapping]]] = ...) -> None: ...

class AddSecretRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class AddSecretResponse(_message.Message):
    __slots__ = ("creation_date", "client_secret")
    CREATION_DATE_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SECRET_FIELD_NUMBER: _ClassVar[int]
    creation_date: _timestamp_pb2.Timestamp
    client_secret: str
    def __init__(self, creation_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., client_secret: _Optional[str] = ...) -> None: ...

class RemoveSecretRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class RemoveSecretResponse(_message.Message):
    __slots__ = ("deletion_date",)
    DELETION_DATE_FIELD_NUMBER: _ClassVar[int]
    deletion_date: _timestamp_pb2.Timestamp
    def __init__(self, deletion_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
