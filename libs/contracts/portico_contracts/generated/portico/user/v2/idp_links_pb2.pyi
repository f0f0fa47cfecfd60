from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from portico_contracts.generated.portico.object.v2 import object_pb2 as _object_pb2
from portico_contracts.generated.portico.user.v2 import user_pb2 as _user_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2_1
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AddIDPLinkRequest(_message.Message):
    __slots__ = ("user_id", "idp_link")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    IDP_LINK_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    idp_link: _user_pb2.IdpLink
    def __init__(self, user_id: _Optional[str] = ..., idp_link: _Optional[_Union[_user_pb2.IdpLink, _Mapping]] = ...) -> None: ...

class AddIDPLinkResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ...) -> None: ...

class ListIDPLinksRequest(_message.Message):
    __slots__ = ("user_id", "query")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    query: _object_pb2_1.ListQuery
    def __init__(self, user_id: _Optional[str] = ..., query: _Optional[_Union[_object_pb2_1.ListQuery, _Mapping]] = ...) -> None: ...

class ListIDPLinksResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2_1.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[LinkedIdp]
    def __init__(self, details: _Optional[_Union[_object_pb2_1.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[LinkedIdp, _Mapping]]] = ...) -> None: ...

class LinkedIdp(_message.Message):
    __slots__ = ("idp_id", "idp_name", "user_id", "user_name")
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    IDP_NAME_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    USER_NAME_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    idp_name: str
    user_id: str
    user_name: str
    def __init__(self, idp_id: _Optional[str] = ..., idp_name: _Optional[str] = ..., user_id: _Optional[str] = ..., user_name: _Optional[str] = ...) -> None: ...

class RemoveIDPLinkRequest(_message.Message):
    __slots__ = ("user_id", "idp_id", "linked_user_id")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    LINKED_USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    idp_id: str
    linked_user_id: str
    def __init__(self, user_id: _Optional[str] = ..., idp_id: _Optional[str] = ..., linked_user_id: _Optional[str] = ...) -> None: ...

class RemoveIDPLinkResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ...) -> None: ...
