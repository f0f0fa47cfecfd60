import datetime

from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from portico_contracts.generated.portico.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GetOIDCSettingsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetOIDCSettingsResponse(_message.Message):
    __slots__ = ("settings",)
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    settings: OIDCSettings
    def __init__(self, settings: _Optional[_Union[OIDCSettings, _Mapping]] = ...) -> None: ...

class OIDCSettings(_message.Message):
    __slots__ = ("details", "access_token_lifetime", "id_token_lifetime", "refresh_token_idle_expiration", "refresh_token_expiration")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    ACCESS_TOKEN_LIFETIME_FIELD_NUMBER: _ClassVar[int]
    ID_TOKEN_LIFETIME_FIELD_NUMBER: _ClassVar[int]
    REFRESH_TOKEN_IDLE_EXPIRATION_FIELD_NUMBER: _ClassVar[int]
    REFRESH_TOKEN_EXPIRATION_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    access_token_lifetime: _duration_pb2.Duration
    id_token_lifetime: _duration_pb2.Duration
    refresh_token_idle_expiration: _duration_pb2.Duration
    refresh_token_expiration: _duration_pb2.Duration
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., access_token_lifetime: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., id_token_lifetime: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., refresh_token_idle_expiration: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., refresh_token_expiration: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class SetOIDCSettingsRequest(_message.Message):
    __slots__ = ("access_token_lifetime", "id_token_lifetime", "refresh_token_idle_expiration", "refresh_token_expiration")
    ACCESS_TOKEN_LIFETIME_FIELD_NUMBER: _ClassVar[int]
    ID_TOKEN_LIFETIME_FIELD_NUMBER: _ClassVar[int]
    REFRESH_TOKEN_IDLE_EXPIRATION_FIELD_NUMBER: _ClassVar[int]
    REFRESH_TOKEN_EXPIRATION_FIELD_NUMBER: _ClassVar[int]
    access_token_lifetime: _duration_pb2.Duration
    id_token_lifetime: _duration_pb2.Duration
    refresh_token_idle_expiration: _duration_pb2.Duration
    refresh_token_expiration: _duration_pb2.Duration
    def __init__(self, access_token_lifetime: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., id_token_lifetime: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., refresh_token_idle_expiration: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., refresh_token_expiration: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class OIDCSettingsChangedResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class GetImpersonationSettingsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetImpersonationSettingsResponse(_message.Message):
    __slots__ = ("details", "allow_impersonation")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    ALLOW_IMPERSONATION_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    allow_impersonation: bool
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., allow_impersonation: _Optional[bool] = ...) -> None: ...

class SetImpersonationSettingsRequest(_message.Message):
    __slots__ = ("allow_impersonation",)
    ALLOW_IMPERSONATION_FIELD_NUMBER: _ClassVar[int]
    allow_impersonation: bool
    def __init__(self, allow_impersonation: _Optional[bool] = ...) -> None: ...

class SetImpersonationSettingsResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class GetIDPIntentSettingsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetIDPIntentSettingsResponse(_message.Message):
    __slots__ = ("details", "urls")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    URLS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    urls: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., urls: _Optional[_Iterable[str]] = ...) -> None: ...

class SetIDPIntentSettingsRequest(_message.Message):
    __slots__ = ("urls",)
    URLS_FIELD_NUMBER: _ClassVar[int]
    urls: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, urls: _Optional[_Iterable[str]] = ...) -> None: ...

class SetIDPIntentSettingsResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...
