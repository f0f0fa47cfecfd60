from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ClaimSource(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CLAIM_SOURCE_UNSPECIFIED: _ClassVar[ClaimSource]
    CLAIM_SOURCE_FIXED: _ClassVar[ClaimSource]
    CLAIM_SOURCE_METADATA: _ClassVar[ClaimSource]
    CLAIM_SOURCE_ATTRIBUTE: _ClassVar[ClaimSource]
    CLAIM_SOURCE_GROUPS: _ClassVar[ClaimSource]
    CLAIM_SOURCE_ROLES: _ClassVar[ClaimSource]
    CLAIM_SOURCE_ORGANIZATION: _ClassVar[ClaimSource]

class ClaimFormat(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CLAIM_FORMAT_TEXT: _ClassVar[ClaimFormat]
    CLAIM_FORMAT_JSON: _ClassVar[ClaimFormat]
    CLAIM_FORMAT_LIST: _ClassVar[ClaimFormat]

class ClaimPlace(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CLAIM_PLACE_UNSPECIFIED: _ClassVar[ClaimPlace]
    CLAIM_PLACE_ID_TOKEN: _ClassVar[ClaimPlace]
    CLAIM_PLACE_ACCESS_TOKEN: _ClassVar[ClaimPlace]
    CLAIM_PLACE_USERINFO: _ClassVar[ClaimPlace]
    CLAIM_PLACE_INTROSPECTION: _ClassVar[ClaimPlace]
CLAIM_SOURCE_UNSPECIFIED: ClaimSource
CLAIM_SOURCE_FIXED: ClaimSource
CLAIM_SOURCE_METADATA: ClaimSource
CLAIM_SOURCE_ATTRIBUTE: ClaimSource
CLAIM_SOURCE_GROUPS: ClaimSource
CLAIM_SOURCE_ROLES: ClaimSource
CLAIM_SOURCE_ORGANIZATION: ClaimSource
CLAIM_FORMAT_TEXT: ClaimFormat
CLAIM_FORMAT_JSON: ClaimFormat
CLAIM_FORMAT_LIST: ClaimFormat
CLAIM_PLACE_UNSPECIFIED: ClaimPlace
CLAIM_PLACE_ID_TOKEN: ClaimPlace
CLAIM_PLACE_ACCESS_TOKEN: ClaimPlace
CLAIM_PLACE_USERINFO: ClaimPlace
CLAIM_PLACE_INTROSPECTION: ClaimPlace

class ClaimRule(_message.Message):
    __slots__ = ("claim", "source", "key", "value", "format", "groups", "scope", "places")
    CLAIM_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    GROUPS_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    claim: str
    source: ClaimSource
    key: str
    value: str
    format: ClaimFormat
    groups: _containers.RepeatedScalarFieldContainer[str]
    scope: str
    places: _containers.RepeatedScalarFieldContainer[ClaimPlace]
    def __init__(self, claim: _Optional[str] = ..., source: _Optional[_Union[ClaimSource, str]] = ..., key: _Optional[str] = ..., value: _Optional[str] = ..., format: _Optional[_Union[ClaimFormat, str]] = ..., groups: _Optional[_Iterable[str]] = ..., scope: _Optional[str] = ..., places: _Optional[_Iterable[_Union[ClaimPlace, str]]] = ...) -> None: ...
