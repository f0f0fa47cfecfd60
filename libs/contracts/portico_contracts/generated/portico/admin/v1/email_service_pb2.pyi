import datetime

from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from portico_contracts.generated.portico.management.v1 import sender_messages_pb2 as _sender_messages_pb2
from portico_contracts.generated.portico.v1 import options_pb2 as _options_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GetEmailDeliveryRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetEmailDeliveryResponse(_message.Message):
    __slots__ = ("mail_server_configured", "last_delivery_date", "last_failure_date", "failure")
    MAIL_SERVER_CONFIGURED_FIELD_NUMBER: _ClassVar[int]
    LAST_DELIVERY_DATE_FIELD_NUMBER: _ClassVar[int]
    LAST_FAILURE_DATE_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    mail_server_configured: bool
    last_delivery_date: _timestamp_pb2.Timestamp
    last_failure_date: _timestamp_pb2.Timestamp
    failure: str
    def __init__(self, mail_server_configured: _Optional[bool] = ..., last_delivery_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., last_failure_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., failure: _Optional[str] = ...) -> None: ...

class SendTestEmailRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class SendTestEmailResponse(_message.Message):
    __slots__ = ("email",)
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    email: str
    def __init__(self, email: _Optional[str] = ...) -> None: ...
