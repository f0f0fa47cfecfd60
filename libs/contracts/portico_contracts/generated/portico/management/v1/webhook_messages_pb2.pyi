import datetime

from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class WebhookState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    WEBHOOK_STATE_UNSPECIFIED: _ClassVar[WebhookState]
    WEBHOOK_STATE_ACTIVE: _ClassVar[WebhookState]
    WEBHOOK_STATE_INACTIVE: _ClassVar[WebhookState]

class DeliveryState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DELIVERY_STATE_UNSPECIFIED: _ClassVar[DeliveryState]
    DELIVERY_STATE_WAITING: _ClassVar[DeliveryState]
    DELIVERY_STATE_DELIVERED: _ClassVar[DeliveryState]
    DELIVERY_STATE_GIVEN_UP: _ClassVar[DeliveryState]
    DELIVERY_STATE_WITHDRAWN: _ClassVar[DeliveryState]

class OnFailure(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ON_FAILURE_CLOSED: _ClassVar[OnFailure]
    ON_FAILURE_OPEN: _ClassVar[OnFailure]
WEBHOOK_STATE_UNSPECIFIED: WebhookState
WEBHOOK_STATE_ACTIVE: WebhookState
WEBHOOK_STATE_INACTIVE: WebhookState
DELIVERY_STATE_UNSPECIFIED: DeliveryState
DELIVERY_STATE_WAITING: DeliveryState
DELIVERY_STATE_DELIVERED: DeliveryState
DELIVERY_STATE_GIVEN_UP: DeliveryState
DELIVERY_STATE_WITHDRAWN: DeliveryState
ON_FAILURE_CLOSED: OnFailure
ON_FAILURE_OPEN: OnFailure

class Webhook(_message.Message):
    __slots__ = ("id", "details", "name", "state", "url", "event_types", "previous_secret_until", "failing_since", "failure", "project_id", "on_failure", "at_refresh")
    ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    EVENT_TYPES_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_SECRET_UNTIL_FIELD_NUMBER: _ClassVar[int]
    FAILING_SINCE_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    ON_FAILURE_FIELD_NUMBER: _ClassVar[int]
    AT_REFRESH_FIELD_NUMBER: _ClassVar[int]
    id: str
    details: _object_pb2.ObjectDetails
    name: str
    state: WebhookState
    url: str
    event_types: _containers.RepeatedScalarFieldContainer[str]
    previous_secret_until: _timestamp_pb2.Timestamp
    failing_since: _timestamp_pb2.Timestamp
    failure: str
    project_id: str
    on_failure: OnFailure
    at_refresh: bool
    def __init__(self, id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., name: _Optional[str] = ..., state: _Optional[_Union[WebhookState, str]] = ..., url: _Optional[str] = ..., event_types: _Optional[_Iterable[str]] = ..., previous_secret_until: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., failing_since: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., failure: _Optional[str] = ..., project_id: _Optional[str] = ..., on_failure: _Optional[_Union[OnFailure, str]] = ..., at_refresh: _Optional[bool] = ...) -> None: ...

class DeliveryAttempt(_message.Message):
    __slots__ = ("date", "http_status", "duration_ms", "cause")
    DATE_FIELD_NUMBER: _ClassVar[int]
    HTTP_STATUS_FIELD_NUMBER: _ClassVar[int]
    DURATION_MS_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    date: _timestamp_pb2.Timestamp
    http_status: int
    duration_ms: int
    cause: str
    def __init__(self, date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., http_status: _Optional[int] = ..., duration_ms: _Optional[int] = ..., cause: _Optional[str] = ...) -> None: ...

class Delivery(_message.Message):
    __slots__ = ("event_id", "event_type", "aggregate_id", "sequence", "event_date", "state", "attempt_count", "attempts", "next_attempt", "give_up")
    EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    EVENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    AGGREGATE_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    EVENT_DATE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_COUNT_FIELD_NUMBER: _ClassVar[int]
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    GIVE_UP_FIELD_NUMBER: _ClassVar[int]
    event_id: str
    event_type: str
    aggregate_id: str
    sequence: int
    event_date: _timestamp_pb2.Timestamp
    state: DeliveryState
    attempt_count: int
    attempts: _containers.RepeatedCompositeFieldContainer[DeliveryAttempt]
    next_attempt: _timestamp_pb2.Timestamp
    give_up: _timestamp_pb2.Timestamp
    def __init__(self, event_id: _Optional[str] = ..., event_type: _Optional[str] = ..., aggregate_id: _Optional[str] = ..., sequence: _Optional[int] = ..., event_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., state: _Optional[_Union[DeliveryState, str]] = ..., attempt_count: _Optional[int] = ..., attempts: _Optional[_Iterable[_Union[DeliveryAttempt, _Mapping]]] = ..., next_attempt: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., give_up: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class AddWebhookRequest(_message.Message):
    __slots__ = ("name", "url", "event_types", "project_id", "on_failure", "at_refresh")
    NAME_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    EVENT_TYPES_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    ON_FAILURE_FIELD_NUMBER: _ClassVar[int]
    AT_REFRESH_FIELD_NUMBER: _ClassVar[int]
    name: str
    url: str
    event_types: _containers.RepeatedScalarFieldContainer[str]
    project_id: str
    on_failure: OnFailure
    at_refresh: bool
    def __init__(self, name: _Optional[str] = ..., url: _Optional[str] = ..., event_types: _Optional[_Iterable[str]] = ..., project_id: _Optional[str] = ..., on_failure: _Optional[_Union[OnFailure, str]] = ..., at_refresh: _Optional[bool] = ...) -> None: ...

class AddWebhookResponse(_message.Message):
    __slots__ = ("id", "details", "secret")
    ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    SECRET_FIELD_NUMBER: _ClassVar[int]
    id: str
    details: _object_pb2.ObjectDetails
    secret: str
    def __init__(self, id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., secret: _Optional[str] = ...) -> None: ...

class GetWebhookRequest(_message.Message):
    __slots__ = ("webhook_id",)
    WEBHOOK_ID_FIELD_NUMBER: _ClassVar[int]
    webhook_id: str
    def __init__(self, webhook_id: _Optional[str] = ...) -> None: ...

class GetWebhookResponse(_message.Message):
    __slots__ = ("webhook",)
    WEBHOOK_FIELD_NUMBER: _ClassVar[int]
    webhook: Webhook
    def __init__(self, webhook: _Optional[_Union[Webhook, _Mapping]] = ...) -> None: ...

class ListWebhooksRequest(_message.Message):
    __slots__ = ("query",)
    QUERY_FIELD_NUMBER: _ClassVar[int]
    query: _object_pb2.ListQuery
    def __init__(self, query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ...) -> None: ...

class ListWebhooksResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[Webhook]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[Webhook, _Mapping]]] = ...) -> None: ...

class UpdateWebhookRequest(_message.Message):
    __slots__ = ("webhook_id", "name", "url", "event_types", "project_id", "on_failure", "at_refresh")
    WEBHOOK_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    EVENT_TYPES_FIELD_NUMBER: _ClassVar[int]
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    ON_FAILURE_FIELD_NUMBER: _ClassVar[int]
    AT_REFRESH_FIELD_NUMBER: _ClassVar[int]
    webhook_id: str
    name: str
    url: str
    event_types: _containers.RepeatedScalarFieldContainer[str]
    project_id: str
    on_failure: OnFailure
    at_refresh: bool
    def __init__(self, webhook_id: _Optional[str] = ..., name: _Optional[str] = ..., url: _Optional[str] = ..., event_types: _Optional[_Iterable[str]] = ..., project_id: _Optional[str] = ..., on_failure: _Optional[_Union[OnFailure, str]] = ..., at_refresh: _Optional[bool] = ...) -> None: ...

class ChangeWebhookStateRequest(_message.Message):
    __slots__ = ("webhook_id",)
    WEBHOOK_ID_FIELD_NUMBER: _ClassVar[int]
    webhook_id: str
    def __init__(self, webhook_id: _Optional[str] = ...) -> None: ...

class ChangeWebhookResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class RotateWebhookSecretRequest(_message.Message):
    __slots__ = ("webhook_id", "keep_previous_seconds")
    WEBHOOK_ID_FIELD_NUMBER: _ClassVar[int]
    KEEP_PREVIOUS_SECONDS_FIELD_NUMBER: _ClassVar[int]
    webhook_id: str
    keep_previous_seconds: int
    def __init__(self, webhook_id: _Optional[str] = ..., keep_previous_seconds: _Optional[int] = ...) -> None: ...

class RotateWebhookSecretResponse(_message.Message):
    __slots__ = ("details", "secret", "previous_secret_until")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    SECRET_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_SECRET_UNTIL_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    secret: str
    previous_secret_until: _timestamp_pb2.Timestamp
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., secret: _Optional[str] = ..., previous_secret_until: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListDeliveriesRequest(_message.Message):
    __slots__ = ("webhook_id", "query", "states", "aggregate_id")
    WEBHOOK_ID_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    STATES_FIELD_NUMBER: _ClassVar[int]
    AGGREGATE_ID_FIELD_NUMBER: _ClassVar[int]
    webhook_id: str
    query: _object_pb2.ListQuery
    states: _containers.RepeatedScalarFieldContainer[DeliveryState]
    aggregate_id: str
    def __init__(self, webhook_id: _Optional[str] = ..., query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ..., states: _Optional[_Iterable[_Union[DeliveryState, str]]] = ..., aggregate_id: _Optional[str] = ...) -> None: ...

class ListDeliveriesResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[Delivery]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[Delivery, _Mapping]]] = ...) -> None: ...

class ResendDeliveryRequest(_message.Message):
    __slots__ = ("webhook_id", "event_id")
    WEBHOOK_ID_FIELD_NUMBER: _ClassVar[int]
    EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    webhook_id: str
    event_id: str
    def __init__(self, webhook_id: _Optional[str] = ..., event_id: _Optional[str] = ...) -> None: ...

class ResendDeliveryResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class TestTokenHookRequest(_message.Message):
    __slots__ = ("webhook_id",)
    WEBHOOK_ID_FIELD_NUMBER: _ClassVar[int]
    webhook_id: str
    def __init__(self, webhook_id: _Optional[str] = ...) -> None: ...

class TestTokenHookResponse(_message.Message):
    __slots__ = ("cause", "http_status", "duration_ms", "claims")
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    HTTP_STATUS_FIELD_NUMBER: _ClassVar[int]
    DURATION_MS_FIELD_NUMBER: _ClassVar[int]
    CLAIMS_FIELD_NUMBER: _ClassVar[int]
    cause: str
    http_status: int
    duration_ms: int
    claims: _struct_pb2.Struct
    def __init__(self, cause: _Optional[str] = ..., http_status: _Optional[int] = ..., duration_ms: _Optional[int] = ..., claims: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...
