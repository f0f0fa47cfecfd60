import datetime

from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from portico_contracts.generated.portico.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SigningKeyState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SIGNING_KEY_STATE_UNSPECIFIED: _ClassVar[SigningKeyState]
    SIGNING_KEY_STATE_CREATED: _ClassVar[SigningKeyState]
    SIGNING_KEY_STATE_PUBLISHED: _ClassVar[SigningKeyState]
    SIGNING_KEY_STATE_SIGNING: _ClassVar[SigningKeyState]
    SIGNING_KEY_STATE_RETIRED: _ClassVar[SigningKeyState]
    SIGNING_KEY_STATE_REVOKED: _ClassVar[SigningKeyState]
SIGNING_KEY_STATE_UNSPECIFIED: SigningKeyState
SIGNING_KEY_STATE_CREATED: SigningKeyState
SIGNING_KEY_STATE_PUBLISHED: SigningKeyState
SIGNING_KEY_STATE_SIGNING: SigningKeyState
SIGNING_KEY_STATE_RETIRED: SigningKeyState
SIGNING_KEY_STATE_REVOKED: SigningKeyState

class SigningKey(_message.Message):
    __slots__ = ("kid", "alg", "state", "since", "activation_date")
    KID_FIELD_NUMBER: _ClassVar[int]
    ALG_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    SINCE_FIELD_NUMBER: _ClassVar[int]
    ACTIVATION_DATE_FIELD_NUMBER: _ClassVar[int]
    kid: str
    alg: str
    state: SigningKeyState
    since: _timestamp_pb2.Timestamp
    activation_date: _timestamp_pb2.Timestamp
    def __init__(self, kid: _Optional[str] = ..., alg: _Optional[str] = ..., state: _Optional[_Union[SigningKeyState, str]] = ..., since: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., activation_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListSigningKeysRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListSigningKeysResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[SigningKey]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[SigningKey, _Mapping]]] = ...) -> None: ...

class RotateSigningKeysRequest(_message.Message):
    __slots__ = ("alg", "now")
    ALG_FIELD_NUMBER: _ClassVar[int]
    NOW_FIELD_NUMBER: _ClassVar[int]
    alg: str
    now: bool
    def __init__(self, alg: _Optional[str] = ..., now: _Optional[bool] = ...) -> None: ...

class RotateSigningKeysResponse(_message.Message):
    __slots__ = ("result",)
    RESULT_FIELD_NUMBER: _ClassVar[int]
    result: _containers.RepeatedCompositeFieldContainer[SigningKey]
    def __init__(self, result: _Optional[_Iterable[_Union[SigningKey, _Mapping]]] = ...) -> None: ...

class RevokeSigningKeyRequest(_message.Message):
    __slots__ = ("kid",)
    KID_FIELD_NUMBER: _ClassVar[int]
    kid: str
    def __init__(self, kid: _Optional[str] = ...) -> None: ...

class RevokeSigningKeyResponse(_message.Message):
    __slots__ = ("result",)
    RESULT_FIELD_NUMBER: _ClassVar[int]
    result: _containers.RepeatedCompositeFieldContainer[SigningKey]
    def __init__(self, result: _Optional[_Iterable[_Union[SigningKey, _Mapping]]] = ...) -> None: ...
