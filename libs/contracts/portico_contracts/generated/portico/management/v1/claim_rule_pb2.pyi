from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
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

class ClaimReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CLAIM_REASON_UNSPECIFIED: _ClassVar[ClaimReason]
    CLAIM_REASON_RESERVED: _ClassVar[ClaimReason]
    CLAIM_REASON_ANOTHER_PLACE: _ClassVar[ClaimReason]
    CLAIM_REASON_SCOPE: _ClassVar[ClaimReason]
    CLAIM_REASON_ANOTHER_PROJECT: _ClassVar[ClaimReason]
    CLAIM_REASON_ANOTHER_ORGANIZATION: _ClassVar[ClaimReason]
    CLAIM_REASON_NO_VALUE: _ClassVar[ClaimReason]
    CLAIM_REASON_NOT_VERIFIED: _ClassVar[ClaimReason]

class ScopeReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SCOPE_REASON_UNSPECIFIED: _ClassVar[ScopeReason]
    SCOPE_REASON_UNKNOWN: _ClassVar[ScopeReason]
    SCOPE_REASON_PROJECT: _ClassVar[ScopeReason]
    SCOPE_REASON_METADATA: _ClassVar[ScopeReason]
    SCOPE_REASON_NO_REFRESH_TOKENS: _ClassVar[ScopeReason]
    SCOPE_REASON_ROLE: _ClassVar[ScopeReason]
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
CLAIM_REASON_UNSPECIFIED: ClaimReason
CLAIM_REASON_RESERVED: ClaimReason
CLAIM_REASON_ANOTHER_PLACE: ClaimReason
CLAIM_REASON_SCOPE: ClaimReason
CLAIM_REASON_ANOTHER_PROJECT: ClaimReason
CLAIM_REASON_ANOTHER_ORGANIZATION: ClaimReason
CLAIM_REASON_NO_VALUE: ClaimReason
CLAIM_REASON_NOT_VERIFIED: ClaimReason
SCOPE_REASON_UNSPECIFIED: ScopeReason
SCOPE_REASON_UNKNOWN: ScopeReason
SCOPE_REASON_PROJECT: ScopeReason
SCOPE_REASON_METADATA: ScopeReason
SCOPE_REASON_NO_REFRESH_TOKENS: ScopeReason
SCOPE_REASON_ROLE: ScopeReason

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

class AppliedClaimRule(_message.Message):
    __slots__ = ("claim", "of_project", "places", "reason")
    CLAIM_FIELD_NUMBER: _ClassVar[int]
    OF_PROJECT_FIELD_NUMBER: _ClassVar[int]
    PLACES_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    claim: str
    of_project: bool
    places: _containers.RepeatedScalarFieldContainer[ClaimPlace]
    reason: ClaimReason
    def __init__(self, claim: _Optional[str] = ..., of_project: _Optional[bool] = ..., places: _Optional[_Iterable[_Union[ClaimPlace, str]]] = ..., reason: _Optional[_Union[ClaimReason, str]] = ...) -> None: ...

class DroppedScope(_message.Message):
    __slots__ = ("scope", "reason", "roles", "project_id")
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    scope: str
    reason: ScopeReason
    roles: _containers.RepeatedScalarFieldContainer[str]
    project_id: str
    def __init__(self, scope: _Optional[str] = ..., reason: _Optional[_Union[ScopeReason, str]] = ..., roles: _Optional[_Iterable[str]] = ..., project_id: _Optional[str] = ...) -> None: ...

class TokenPreview(_message.Message):
    __slots__ = ("scopes", "dropped_scopes", "id_token", "access_token", "userinfo", "introspection", "claim_rules", "token_hook_id")
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    DROPPED_SCOPES_FIELD_NUMBER: _ClassVar[int]
    ID_TOKEN_FIELD_NUMBER: _ClassVar[int]
    ACCESS_TOKEN_FIELD_NUMBER: _ClassVar[int]
    USERINFO_FIELD_NUMBER: _ClassVar[int]
    INTROSPECTION_FIELD_NUMBER: _ClassVar[int]
    CLAIM_RULES_FIELD_NUMBER: _ClassVar[int]
    TOKEN_HOOK_ID_FIELD_NUMBER: _ClassVar[int]
    scopes: _containers.RepeatedScalarFieldContainer[str]
    dropped_scopes: _containers.RepeatedCompositeFieldContainer[DroppedScope]
    id_token: _struct_pb2.Struct
    access_token: _struct_pb2.Struct
    userinfo: _struct_pb2.Struct
    introspection: _struct_pb2.Struct
    claim_rules: _containers.RepeatedCompositeFieldContainer[AppliedClaimRule]
    token_hook_id: str
    def __init__(self, scopes: _Optional[_Iterable[str]] = ..., dropped_scopes: _Optional[_Iterable[_Union[DroppedScope, _Mapping]]] = ..., id_token: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., access_token: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., userinfo: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., introspection: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., claim_rules: _Optional[_Iterable[_Union[AppliedClaimRule, _Mapping]]] = ..., token_hook_id: _Optional[str] = ...) -> None: ...
