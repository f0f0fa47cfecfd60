from google.api import annotations_pb2 as _annotations_pb2
from portico_contracts.generated.portico.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AttentionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ATTENTION_KIND_UNSPECIFIED: _ClassVar[AttentionKind]
    ATTENTION_KIND_EMAILS_FAILED: _ClassVar[AttentionKind]
    ATTENTION_KIND_EMAILS_WAITING: _ClassVar[AttentionKind]
    ATTENTION_KIND_NO_MAIL_SERVER: _ClassVar[AttentionKind]
    ATTENTION_KIND_ONE_OWNER: _ClassVar[AttentionKind]
    ATTENTION_KIND_NO_SECOND_FACTOR: _ClassVar[AttentionKind]
    ATTENTION_KIND_WEBHOOK_FAILS: _ClassVar[AttentionKind]
    ATTENTION_KIND_OLD_SIGNING_KEY: _ClassVar[AttentionKind]
    ATTENTION_KIND_NO_EMAIL_DELIVERED: _ClassVar[AttentionKind]
    ATTENTION_KIND_CERTIFICATE_ENDS: _ClassVar[AttentionKind]
    ATTENTION_KIND_ADDRESS_FAILS: _ClassVar[AttentionKind]
    ATTENTION_KIND_SECRET_ENDS: _ClassVar[AttentionKind]
    ATTENTION_KIND_SCIM_TARGET_FAILS: _ClassVar[AttentionKind]
ATTENTION_KIND_UNSPECIFIED: AttentionKind
ATTENTION_KIND_EMAILS_FAILED: AttentionKind
ATTENTION_KIND_EMAILS_WAITING: AttentionKind
ATTENTION_KIND_NO_MAIL_SERVER: AttentionKind
ATTENTION_KIND_ONE_OWNER: AttentionKind
ATTENTION_KIND_NO_SECOND_FACTOR: AttentionKind
ATTENTION_KIND_WEBHOOK_FAILS: AttentionKind
ATTENTION_KIND_OLD_SIGNING_KEY: AttentionKind
ATTENTION_KIND_NO_EMAIL_DELIVERED: AttentionKind
ATTENTION_KIND_CERTIFICATE_ENDS: AttentionKind
ATTENTION_KIND_ADDRESS_FAILS: AttentionKind
ATTENTION_KIND_SECRET_ENDS: AttentionKind
ATTENTION_KIND_SCIM_TARGET_FAILS: AttentionKind

class GetStatisticsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetStatisticsResponse(_message.Message):
    __slots__ = ("statistics",)
    STATISTICS_FIELD_NUMBER: _ClassVar[int]
    statistics: Statistics
    def __init__(self, statistics: _Optional[_Union[Statistics, _Mapping]] = ...) -> None: ...

class Statistics(_message.Message):
    __slots__ = ("users", "days", "refusals", "attention")
    USERS_FIELD_NUMBER: _ClassVar[int]
    DAYS_FIELD_NUMBER: _ClassVar[int]
    REFUSALS_FIELD_NUMBER: _ClassVar[int]
    ATTENTION_FIELD_NUMBER: _ClassVar[int]
    users: UserNumbers
    days: _containers.RepeatedCompositeFieldContainer[DayNumbers]
    refusals: _containers.RepeatedCompositeFieldContainer[RefusalNumber]
    attention: _containers.RepeatedCompositeFieldContainer[Attention]
    def __init__(self, users: _Optional[_Union[UserNumbers, _Mapping]] = ..., days: _Optional[_Iterable[_Union[DayNumbers, _Mapping]]] = ..., refusals: _Optional[_Iterable[_Union[RefusalNumber, _Mapping]]] = ..., attention: _Optional[_Iterable[_Union[Attention, _Mapping]]] = ...) -> None: ...

class UserNumbers(_message.Message):
    __slots__ = ("total", "signed_in", "created")
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    SIGNED_IN_FIELD_NUMBER: _ClassVar[int]
    CREATED_FIELD_NUMBER: _ClassVar[int]
    total: int
    signed_in: int
    created: int
    def __init__(self, total: _Optional[int] = ..., signed_in: _Optional[int] = ..., created: _Optional[int] = ...) -> None: ...

class DayNumbers(_message.Message):
    __slots__ = ("date", "sign_ins", "failed_sign_ins", "refusals")
    DATE_FIELD_NUMBER: _ClassVar[int]
    SIGN_INS_FIELD_NUMBER: _ClassVar[int]
    FAILED_SIGN_INS_FIELD_NUMBER: _ClassVar[int]
    REFUSALS_FIELD_NUMBER: _ClassVar[int]
    date: str
    sign_ins: int
    failed_sign_ins: int
    refusals: int
    def __init__(self, date: _Optional[str] = ..., sign_ins: _Optional[int] = ..., failed_sign_ins: _Optional[int] = ..., refusals: _Optional[int] = ...) -> None: ...

class RefusalNumber(_message.Message):
    __slots__ = ("error_id", "text", "fix", "count")
    ERROR_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    FIX_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    error_id: str
    text: str
    fix: str
    count: int
    def __init__(self, error_id: _Optional[str] = ..., text: _Optional[str] = ..., fix: _Optional[str] = ..., count: _Optional[int] = ...) -> None: ...

class Attention(_message.Message):
    __slots__ = ("kind", "count", "id", "name", "reason", "project_id")
    KIND_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    kind: AttentionKind
    count: int
    id: str
    name: str
    reason: str
    project_id: str
    def __init__(self, kind: _Optional[_Union[AttentionKind, str]] = ..., count: _Optional[int] = ..., id: _Optional[str] = ..., name: _Optional[str] = ..., reason: _Optional[str] = ..., project_id: _Optional[str] = ...) -> None: ...
