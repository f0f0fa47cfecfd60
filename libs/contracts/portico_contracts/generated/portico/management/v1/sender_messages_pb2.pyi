import datetime

from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SmtpSecurity(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SMTP_SECURITY_UNSPECIFIED: _ClassVar[SmtpSecurity]
    SMTP_SECURITY_STARTTLS: _ClassVar[SmtpSecurity]
    SMTP_SECURITY_TLS: _ClassVar[SmtpSecurity]

class EmailTemplate(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EMAIL_TEMPLATE_UNSPECIFIED: _ClassVar[EmailTemplate]
    EMAIL_TEMPLATE_VERIFY_EMAIL: _ClassVar[EmailTemplate]
    EMAIL_TEMPLATE_ACCOUNT_EXISTS: _ClassVar[EmailTemplate]
    EMAIL_TEMPLATE_RESET_PASSWORD: _ClassVar[EmailTemplate]
    EMAIL_TEMPLATE_INVITE: _ClassVar[EmailTemplate]
    EMAIL_TEMPLATE_REGISTER_PASSKEY: _ClassVar[EmailTemplate]
    EMAIL_TEMPLATE_SIGN_IN_CODE: _ClassVar[EmailTemplate]
    EMAIL_TEMPLATE_EMAIL_CODE_SIGN_IN: _ClassVar[EmailTemplate]
    EMAIL_TEMPLATE_ENROLMENT_CODE: _ClassVar[EmailTemplate]
    EMAIL_TEMPLATE_ACCOUNT_CHANGED: _ClassVar[EmailTemplate]
    EMAIL_TEMPLATE_ACTED_FOR: _ClassVar[EmailTemplate]
SMTP_SECURITY_UNSPECIFIED: SmtpSecurity
SMTP_SECURITY_STARTTLS: SmtpSecurity
SMTP_SECURITY_TLS: SmtpSecurity
EMAIL_TEMPLATE_UNSPECIFIED: EmailTemplate
EMAIL_TEMPLATE_VERIFY_EMAIL: EmailTemplate
EMAIL_TEMPLATE_ACCOUNT_EXISTS: EmailTemplate
EMAIL_TEMPLATE_RESET_PASSWORD: EmailTemplate
EMAIL_TEMPLATE_INVITE: EmailTemplate
EMAIL_TEMPLATE_REGISTER_PASSKEY: EmailTemplate
EMAIL_TEMPLATE_SIGN_IN_CODE: EmailTemplate
EMAIL_TEMPLATE_EMAIL_CODE_SIGN_IN: EmailTemplate
EMAIL_TEMPLATE_ENROLMENT_CODE: EmailTemplate
EMAIL_TEMPLATE_ACCOUNT_CHANGED: EmailTemplate
EMAIL_TEMPLATE_ACTED_FOR: EmailTemplate

class SenderDelivery(_message.Message):
    __slots__ = ("last_delivery_date", "last_failure_date", "failure")
    LAST_DELIVERY_DATE_FIELD_NUMBER: _ClassVar[int]
    LAST_FAILURE_DATE_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    last_delivery_date: _timestamp_pb2.Timestamp
    last_failure_date: _timestamp_pb2.Timestamp
    failure: str
    def __init__(self, last_delivery_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., last_failure_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., failure: _Optional[str] = ...) -> None: ...

class SmsSender(_message.Message):
    __slots__ = ("details", "url", "allowed_prefixes", "messages_per_day", "messages_per_month", "previous_secret_until", "delivery")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    ALLOWED_PREFIXES_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_PER_DAY_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_PER_MONTH_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_SECRET_UNTIL_FIELD_NUMBER: _ClassVar[int]
    DELIVERY_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    url: str
    allowed_prefixes: _containers.RepeatedScalarFieldContainer[str]
    messages_per_day: int
    messages_per_month: int
    previous_secret_until: _timestamp_pb2.Timestamp
    delivery: SenderDelivery
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., url: _Optional[str] = ..., allowed_prefixes: _Optional[_Iterable[str]] = ..., messages_per_day: _Optional[int] = ..., messages_per_month: _Optional[int] = ..., previous_secret_until: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., delivery: _Optional[_Union[SenderDelivery, _Mapping]] = ...) -> None: ...

class EmailSender(_message.Message):
    __slots__ = ("details", "url", "smtp_host", "smtp_port", "smtp_security", "smtp_user", "from_address", "previous_secret_until", "delivery")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    SMTP_HOST_FIELD_NUMBER: _ClassVar[int]
    SMTP_PORT_FIELD_NUMBER: _ClassVar[int]
    SMTP_SECURITY_FIELD_NUMBER: _ClassVar[int]
    SMTP_USER_FIELD_NUMBER: _ClassVar[int]
    FROM_ADDRESS_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_SECRET_UNTIL_FIELD_NUMBER: _ClassVar[int]
    DELIVERY_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    url: str
    smtp_host: str
    smtp_port: int
    smtp_security: SmtpSecurity
    smtp_user: str
    from_address: str
    previous_secret_until: _timestamp_pb2.Timestamp
    delivery: SenderDelivery
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., url: _Optional[str] = ..., smtp_host: _Optional[str] = ..., smtp_port: _Optional[int] = ..., smtp_security: _Optional[_Union[SmtpSecurity, str]] = ..., smtp_user: _Optional[str] = ..., from_address: _Optional[str] = ..., previous_secret_until: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., delivery: _Optional[_Union[SenderDelivery, _Mapping]] = ...) -> None: ...

class GetSmsSenderRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetSmsSenderResponse(_message.Message):
    __slots__ = ("sender", "sent_today", "sent_this_month")
    SENDER_FIELD_NUMBER: _ClassVar[int]
    SENT_TODAY_FIELD_NUMBER: _ClassVar[int]
    SENT_THIS_MONTH_FIELD_NUMBER: _ClassVar[int]
    sender: SmsSender
    sent_today: int
    sent_this_month: int
    def __init__(self, sender: _Optional[_Union[SmsSender, _Mapping]] = ..., sent_today: _Optional[int] = ..., sent_this_month: _Optional[int] = ...) -> None: ...

class SetSmsSenderRequest(_message.Message):
    __slots__ = ("url", "allowed_prefixes", "messages_per_day", "messages_per_month")
    URL_FIELD_NUMBER: _ClassVar[int]
    ALLOWED_PREFIXES_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_PER_DAY_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_PER_MONTH_FIELD_NUMBER: _ClassVar[int]
    url: str
    allowed_prefixes: _containers.RepeatedScalarFieldContainer[str]
    messages_per_day: int
    messages_per_month: int
    def __init__(self, url: _Optional[str] = ..., allowed_prefixes: _Optional[_Iterable[str]] = ..., messages_per_day: _Optional[int] = ..., messages_per_month: _Optional[int] = ...) -> None: ...

class SetSenderResponse(_message.Message):
    __slots__ = ("details", "secret")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    SECRET_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    secret: str
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., secret: _Optional[str] = ...) -> None: ...

class ChangeSenderRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ChangeSenderResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class RotateSenderSecretResponse(_message.Message):
    __slots__ = ("details", "secret", "previous_secret_until")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    SECRET_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_SECRET_UNTIL_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    secret: str
    previous_secret_until: _timestamp_pb2.Timestamp
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., secret: _Optional[str] = ..., previous_secret_until: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class TestSmsSenderRequest(_message.Message):
    __slots__ = ("phone",)
    PHONE_FIELD_NUMBER: _ClassVar[int]
    phone: str
    def __init__(self, phone: _Optional[str] = ...) -> None: ...

class TestSmsSenderResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetEmailSenderRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetEmailSenderResponse(_message.Message):
    __slots__ = ("sender",)
    SENDER_FIELD_NUMBER: _ClassVar[int]
    sender: EmailSender
    def __init__(self, sender: _Optional[_Union[EmailSender, _Mapping]] = ...) -> None: ...

class SetEmailSenderRequest(_message.Message):
    __slots__ = ("url", "smtp_host", "smtp_port", "smtp_security", "smtp_user", "smtp_password", "from_address")
    URL_FIELD_NUMBER: _ClassVar[int]
    SMTP_HOST_FIELD_NUMBER: _ClassVar[int]
    SMTP_PORT_FIELD_NUMBER: _ClassVar[int]
    SMTP_SECURITY_FIELD_NUMBER: _ClassVar[int]
    SMTP_USER_FIELD_NUMBER: _ClassVar[int]
    SMTP_PASSWORD_FIELD_NUMBER: _ClassVar[int]
    FROM_ADDRESS_FIELD_NUMBER: _ClassVar[int]
    url: str
    smtp_host: str
    smtp_port: int
    smtp_security: SmtpSecurity
    smtp_user: str
    smtp_password: str
    from_address: str
    def __init__(self, url: _Optional[str] = ..., smtp_host: _Optional[str] = ..., smtp_port: _Optional[int] = ..., smtp_security: _Optional[_Union[SmtpSecurity, str]] = ..., smtp_user: _Optional[str] = ..., smtp_password: _Optional[str] = ..., from_address: _Optional[str] = ...) -> None: ...

class TestEmailSenderRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class TestEmailSenderResponse(_message.Message):
    __slots__ = ("email",)
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    email: str
    def __init__(self, email: _Optional[str] = ...) -> None: ...

class PreviewEmailRequest(_message.Message):
    __slots__ = ("template", "language")
    TEMPLATE_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    template: EmailTemplate
    language: str
    def __init__(self, template: _Optional[_Union[EmailTemplate, str]] = ..., language: _Optional[str] = ...) -> None: ...

class PreviewEmailResponse(_message.Message):
    __slots__ = ("subject", "text", "html")
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    HTML_FIELD_NUMBER: _ClassVar[int]
    subject: str
    text: str
    html: str
    def __init__(self, subject: _Optional[str] = ..., text: _Optional[str] = ..., html: _Optional[str] = ...) -> None: ...

class SendEmailPreviewResponse(_message.Message):
    __slots__ = ("email",)
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    email: str
    def __init__(self, email: _Optional[str] = ...) -> None: ...
