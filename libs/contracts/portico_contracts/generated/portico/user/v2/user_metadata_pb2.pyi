import datetime

from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from portico_contracts.generated.portico.object.v2 import object_pb2 as _object_pb2
from portico_contracts.generated.portico.user.v2 import user_pb2 as _user_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2_1
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MetadataEntry(_message.Message):
    __slots__ = ("key", "value")
    KEY_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    key: str
    value: bytes
    def __init__(self, key: _Optional[str] = ..., value: _Optional[bytes] = ...) -> None: ...

class MetadataKeyFilter(_message.Message):
    __slots__ = ("key", "method")
    KEY_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    key: str
    method: _object_pb2_1.TextQueryMethod
    def __init__(self, key: _Optional[str] = ..., method: _Optional[_Union[_object_pb2_1.TextQueryMethod, str]] = ...) -> None: ...

class MetadataFilter(_message.Message):
    __slots__ = ("key_filter",)
    KEY_FILTER_FIELD_NUMBER: _ClassVar[int]
    key_filter: MetadataKeyFilter
    def __init__(self, key_filter: _Optional[_Union[MetadataKeyFilter, _Mapping]] = ...) -> None: ...

class SetUserMetadataRequest(_message.Message):
    __slots__ = ("user_id", "metadata")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    metadata: _containers.RepeatedCompositeFieldContainer[_user_pb2.SetMetadataEntry]
    def __init__(self, user_id: _Optional[str] = ..., metadata: _Optional[_Iterable[_Union[_user_pb2.SetMetadataEntry, _Mapping]]] = ...) -> None: ...

class SetUserMetadataResponse(_message.Message):
    __slots__ = ("set_date", "details")
    SET_DATE_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    set_date: _timestamp_pb2.Timestamp
    details: _object_pb2.Details
    def __init__(self, set_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ...) -> None: ...

class ListUserMetadataRequest(_message.Message):
    __slots__ = ("user_id", "pagination", "filters")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    PAGINATION_FIELD_NUMBER: _ClassVar[int]
    FILTERS_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    pagination: _object_pb2_1.ListQuery
    filters: _containers.RepeatedCompositeFieldContainer[MetadataFilter]
    def __init__(self, user_id: _Optional[str] = ..., pagination: _Optional[_Union[_object_pb2_1.ListQuery, _Mapping]] = ..., filters: _Optional[_Iterable[_Union[MetadataFilter, _Mapping]]] = ...) -> None: ...

class ListUserMetadataResponse(_message.Message):
    __slots__ = ("details", "metadata")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2_1.ListDetails
    metadata: _containers.RepeatedCompositeFieldContainer[MetadataEntry]
    def __init__(self, details: _Optional[_Union[_object_pb2_1.ListDetails, _Mapping]] = ..., metadata: _Optional[_Iterable[_Union[MetadataEntry, _Mapping]]] = ...) -> None: ...

class DeleteUserMetadataRequest(_message.Message):
    __slots__ = ("user_id", "keys")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    KEYS_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    keys: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, user_id: _Optional[str] = ..., keys: _Optional[_Iterable[str]] = ...) -> None: ...

class DeleteUserMetadataResponse(_message.Message):
    __slots__ = ("deletion_date", "details")
    DELETION_DATE_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    deletion_date: _timestamp_pb2.Timestamp
    details: _object_pb2.Details
    def __init__(self, deletion_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ...) -> None: ...
