from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.api import annotations_pb2 as _annotations_pb2
from portico_contracts.generated.portico.management.v1 import event_service_pb2 as _event_service_pb2
from portico_contracts.generated.portico.management.v1 import org_pb2 as _org_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from portico_contracts.generated.portico.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListMyOrgsRequest(_message.Message):
    __slots__ = ("query", "search")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    SEARCH_FIELD_NUMBER: _ClassVar[int]
    query: _object_pb2.ListQuery
    search: str
    def __init__(self, query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ..., search: _Optional[str] = ...) -> None: ...

class ListMyOrgsResponse(_message.Message):
    __slots__ = ("details", "result", "own_org_id")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    OWN_ORG_ID_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[_org_pb2.Org]
    own_org_id: str
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[_org_pb2.Org, _Mapping]]] = ..., own_org_id: _Optional[str] = ...) -> None: ...

class ListMyEventsRequest(_message.Message):
    __slots__ = ("query",)
    QUERY_FIELD_NUMBER: _ClassVar[int]
    query: _object_pb2.ListQuery
    def __init__(self, query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ...) -> None: ...

class ListMyEventsResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[_event_service_pb2.Event]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[_event_service_pb2.Event, _Mapping]]] = ...) -> None: ...

class GetMyPasswordRulesRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetMyPasswordRulesResponse(_message.Message):
    __slots__ = ("min_length", "has_uppercase", "has_lowercase", "has_number", "has_symbol")
    MIN_LENGTH_FIELD_NUMBER: _ClassVar[int]
    HAS_UPPERCASE_FIELD_NUMBER: _ClassVar[int]
    HAS_LOWERCASE_FIELD_NUMBER: _ClassVar[int]
    HAS_NUMBER_FIELD_NUMBER: _ClassVar[int]
    HAS_SYMBOL_FIELD_NUMBER: _ClassVar[int]
    min_length: int
    has_uppercase: bool
    has_lowercase: bool
    has_number: bool
    has_symbol: bool
    def __init__(self, min_length: _Optional[int] = ..., has_uppercase: _Optional[bool] = ..., has_lowercase: _Optional[bool] = ..., has_number: _Optional[bool] = ..., has_symbol: _Optional[bool] = ...) -> None: ...

class GetMyBrandingRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetMyBrandingResponse(_message.Message):
    __slots__ = ("light", "dark", "font_family", "logo_url", "logo_url_dark", "logo_text", "tos_link", "privacy_link", "help_link", "support_email", "disable_watermark")
    LIGHT_FIELD_NUMBER: _ClassVar[int]
    DARK_FIELD_NUMBER: _ClassVar[int]
    FONT_FAMILY_FIELD_NUMBER: _ClassVar[int]
    LOGO_URL_FIELD_NUMBER: _ClassVar[int]
    LOGO_URL_DARK_FIELD_NUMBER: _ClassVar[int]
    LOGO_TEXT_FIELD_NUMBER: _ClassVar[int]
    TOS_LINK_FIELD_NUMBER: _ClassVar[int]
    PRIVACY_LINK_FIELD_NUMBER: _ClassVar[int]
    HELP_LINK_FIELD_NUMBER: _ClassVar[int]
    SUPPORT_EMAIL_FIELD_NUMBER: _ClassVar[int]
    DISABLE_WATERMARK_FIELD_NUMBER: _ClassVar[int]
    light: BrandColors
    dark: BrandColors
    font_family: str
    logo_url: str
    logo_url_dark: str
    logo_text: str
    tos_link: str
    privacy_link: str
    help_link: str
    support_email: str
    disable_watermark: bool
    def __init__(self, light: _Optional[_Union[BrandColors, _Mapping]] = ..., dark: _Optional[_Union[BrandColors, _Mapping]] = ..., font_family: _Optional[str] = ..., logo_url: _Optional[str] = ..., logo_url_dark: _Optional[str] = ..., logo_text: _Optional[str] = ..., tos_link: _Optional[str] = ..., privacy_link: _Optional[str] = ..., help_link: _Optional[str] = ..., support_email: _Optional[str] = ..., disable_watermark: _Optional[bool] = ...) -> None: ...

class BrandColors(_message.Message):
    __slots__ = ("primary", "background", "warn", "font")
    PRIMARY_FIELD_NUMBER: _ClassVar[int]
    BACKGROUND_FIELD_NUMBER: _ClassVar[int]
    WARN_FIELD_NUMBER: _ClassVar[int]
    FONT_FIELD_NUMBER: _ClassVar[int]
    primary: str
    background: str
    warn: str
    font: str
    def __init__(self, primary: _Optional[str] = ..., background: _Optional[str] = ..., warn: _Optional[str] = ..., font: _Optional[str] = ...) -> None: ...

class ListMyPermissionsRequest(_message.Message):
    __slots__ = ("project_id",)
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    def __init__(self, project_id: _Optional[str] = ...) -> None: ...

class ListMyPermissionsResponse(_message.Message):
    __slots__ = ("org", "permissions", "instance")
    ORG_FIELD_NUMBER: _ClassVar[int]
    PERMISSIONS_FIELD_NUMBER: _ClassVar[int]
    INSTANCE_FIELD_NUMBER: _ClassVar[int]
    org: _org_pb2.Org
    permissions: _containers.RepeatedCompositeFieldContainer[HeldPermission]
    instance: bool
    def __init__(self, org: _Optional[_Union[_org_pb2.Org, _Mapping]] = ..., permissions: _Optional[_Iterable[_Union[HeldPermission, _Mapping]]] = ..., instance: _Optional[bool] = ...) -> None: ...

class HeldPermission(_message.Message):
    __slots__ = ("permission", "roles", "everywhere")
    PERMISSION_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    EVERYWHERE_FIELD_NUMBER: _ClassVar[int]
    permission: str
    roles: _containers.RepeatedScalarFieldContainer[str]
    everywhere: bool
    def __init__(self, permission: _Optional[str] = ..., roles: _Optional[_Iterable[str]] = ..., everywhere: _Optional[bool] = ...) -> None: ...
