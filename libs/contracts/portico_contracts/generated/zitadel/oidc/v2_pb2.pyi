import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from portico_contracts.generated.zitadel.object import v2_pb2 as _v2_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ErrorReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ERROR_REASON_UNSPECIFIED: _ClassVar[ErrorReason]
    ERROR_REASON_INVALID_REQUEST: _ClassVar[ErrorReason]
    ERROR_REASON_UNAUTHORIZED_CLIENT: _ClassVar[ErrorReason]
    ERROR_REASON_ACCESS_DENIED: _ClassVar[ErrorReason]
    ERROR_REASON_UNSUPPORTED_RESPONSE_TYPE: _ClassVar[ErrorReason]
    ERROR_REASON_INVALID_SCOPE: _ClassVar[ErrorReason]
    ERROR_REASON_SERVER_ERROR: _ClassVar[ErrorReason]
    ERROR_REASON_TEMPORARY_UNAVAILABLE: _ClassVar[ErrorReason]
    ERROR_REASON_INTERACTION_REQUIRED: _ClassVar[ErrorReason]
    ERROR_REASON_LOGIN_REQUIRED: _ClassVar[ErrorReason]
    ERROR_REASON_ACCOUNT_SELECTION_REQUIRED: _ClassVar[ErrorReason]
    ERROR_REASON_CONSENT_REQUIRED: _ClassVar[ErrorReason]
    ERROR_REASON_INVALID_REQUEST_URI: _ClassVar[ErrorReason]
    ERROR_REASON_INVALID_REQUEST_OBJECT: _ClassVar[ErrorReason]
    ERROR_REASON_REQUEST_NOT_SUPPORTED: _ClassVar[ErrorReason]
    ERROR_REASON_REQUEST_URI_NOT_SUPPORTED: _ClassVar[ErrorReason]
    ERROR_REASON_REGISTRATION_NOT_SUPPORTED: _ClassVar[ErrorReason]

class Prompt(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PROMPT_UNSPECIFIED: _ClassVar[Prompt]
    PROMPT_NONE: _ClassVar[Prompt]
    PROMPT_LOGIN: _ClassVar[Prompt]
    PROMPT_CONSENT: _ClassVar[Prompt]
    PROMPT_SELECT_ACCOUNT: _ClassVar[Prompt]
    PROMPT_CREATE: _ClassVar[Prompt]
ERROR_REASON_UNSPECIFIED: ErrorReason
ERROR_REASON_INVALID_REQUEST: ErrorReason
ERROR_REASON_UNAUTHORIZED_CLIENT: ErrorReason
ERROR_REASON_ACCESS_DENIED: ErrorReason
ERROR_REASON_UNSUPPORTED_RESPONSE_TYPE: ErrorReason
ERROR_REASON_INVALID_SCOPE: ErrorReason
ERROR_REASON_SERVER_ERROR: ErrorReason
ERROR_REASON_TEMPORARY_UNAVAILABLE: ErrorReason
ERROR_REASON_INTERACTION_REQUIRED: ErrorReason
ERROR_REASON_LOGIN_REQUIRED: ErrorReason
ERROR_REASON_ACCOUNT_SELECTION_REQUIRED: ErrorReason
ERROR_REASON_CONSENT_REQUIRED: ErrorReason
ERROR_REASON_INVALID_REQUEST_URI: ErrorReason
ERROR_REASON_INVALID_REQUEST_OBJECT: ErrorReason
ERROR_REASON_REQUEST_NOT_SUPPORTED: ErrorReason
ERROR_REASON_REQUEST_URI_NOT_SUPPORTED: ErrorReason
ERROR_REASON_REGISTRATION_NOT_SUPPORTED: ErrorReason
PROMPT_UNSPECIFIED: Prompt
PROMPT_NONE: Prompt
PROMPT_LOGIN: Prompt
PROMPT_CONSENT: Prompt
PROMPT_SELECT_ACCOUNT: Prompt
PROMPT_CREATE: Prompt

class AuthRequest(_message.Message):
    __slots__ = ("id", "creation_date", "client_id", "scope", "redirect_uri", "prompt", "ui_locales", "login_hint", "max_age", "hint_user_id")
    ID_FIELD_NUMBER: _ClassVar[int]
    CREATION_DATE_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    REDIRECT_URI_FIELD_NUMBER: _ClassVar[int]
    PROMPT_FIELD_NUMBER: _ClassVar[int]
    UI_LOCALES_FIELD_NUMBER: _ClassVar[int]
    LOGIN_HINT_FIELD_NUMBER: _ClassVar[int]
    MAX_AGE_FIELD_NUMBER: _ClassVar[int]
    HINT_USER_ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    creation_date: _timestamp_pb2.Timestamp
    client_id: str
    scope: _containers.RepeatedScalarFieldContainer[str]
    redirect_uri: str
    prompt: _containers.RepeatedScalarFieldContainer[Prompt]
    ui_locales: _containers.RepeatedScalarFieldContainer[str]
    login_hint: str
    max_age: _duration_pb2.Duration
    hint_user_id: str
    def __init__(self, id: _Optional[str] = ..., creation_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., client_id: _Optional[str] = ..., scope: _Optional[_Iterable[str]] = ..., redirect_uri: _Optional[str] = ..., prompt: _Optional[_Iterable[_Union[Prompt, str]]] = ..., ui_locales: _Optional[_Iterable[str]] = ..., login_hint: _Optional[str] = ..., max_age: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., hint_user_id: _Optional[str] = ...) -> None: ...

class AuthorizationError(_message.Message):
    __slots__ = ("error", "error_description", "error_uri")
    ERROR_FIELD_NUMBER: _ClassVar[int]
    ERROR_DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    ERROR_URI_FIELD_NUMBER: _ClassVar[int]
    error: ErrorReason
    error_description: str
    error_uri: str
    def __init__(self, error: _Optional[_Union[ErrorReason, str]] = ..., error_description: _Optional[str] = ..., error_uri: _Optional[str] = ...) -> None: ...

class AuthorizeOrDenyDeviceAuthorizationRequest(_message.Message):
    __slots__ = ("device_authorization_id", "session", "deny")
    DEVICE_AUTHORIZATION_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    DENY_FIELD_NUMBER: _ClassVar[int]
    device_authorization_id: str
    session: Session
    deny: Deny
    def __init__(self, device_authorization_id: _Optional[str] = ..., session: _Optional[_Union[Session, _Mapping]] = ..., deny: _Optional[_Union[Deny, _Mapping]] = ...) -> None: ...

class AuthorizeOrDenyDeviceAuthorizationResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class CreateCallbackRequest(_message.Message):
    __slots__ = ("auth_request_id", "session", "error")
    AUTH_REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    auth_request_id: str
    session: Session
    error: AuthorizationError
    def __init__(self, auth_request_id: _Optional[str] = ..., session: _Optional[_Union[Session, _Mapping]] = ..., error: _Optional[_Union[AuthorizationError, _Mapping]] = ...) -> None: ...

class CreateCallbackResponse(_message.Message):
    __slots__ = ("details", "callback_url")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    CALLBACK_URL_FIELD_NUMBER: _ClassVar[int]
    details: _v2_pb2.Details
    callback_url: str
    def __init__(self, details: _Optional[_Union[_v2_pb2.Details, _Mapping]] = ..., callback_url: _Optional[str] = ...) -> None: ...

class Deny(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class DeviceAuthorizationRequest(_message.Message):
    __slots__ = ("id", "client_id", "scope", "app_name", "project_name")
    ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    APP_NAME_FIELD_NUMBER: _ClassVar[int]
    PROJECT_NAME_FIELD_NUMBER: _ClassVar[int]
    id: str
    client_id: str
    scope: _containers.RepeatedScalarFieldContainer[str]
    app_name: str
    project_name: str
    def __init__(self, id: _Optional[str] = ..., client_id: _Optional[str] = ..., scope: _Optional[_Iterable[str]] = ..., app_name: _Optional[str] = ..., project_name: _Optional[str] = ...) -> None: ...

class GetAuthRequestRequest(_message.Message):
    __slots__ = ("auth_request_id",)
    AUTH_REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    auth_request_id: str
    def __init__(self, auth_request_id: _Optional[str] = ...) -> None: ...

class GetAuthRequestResponse(_message.Message):
    __slots__ = ("auth_request",)
    AUTH_REQUEST_FIELD_NUMBER: _ClassVar[int]
    auth_request: AuthRequest
    def __init__(self, auth_request: _Optional[_Union[AuthRequest, _Mapping]] = ...) -> None: ...

class GetDeviceAuthorizationRequestRequest(_message.Message):
    __slots__ = ("user_code",)
    USER_CODE_FIELD_NUMBER: _ClassVar[int]
    user_code: str
    def __init__(self, user_code: _Optional[str] = ...) -> None: ...

class GetDeviceAuthorizationRequestResponse(_message.Message):
    __slots__ = ("device_authorization_request",)
    DEVICE_AUTHORIZATION_REQUEST_FIELD_NUMBER: _ClassVar[int]
    device_authorization_request: DeviceAuthorizationRequest
    def __init__(self, device_authorization_request: _Optional[_Union[DeviceAuthorizationRequest, _Mapping]] = ...) -> None: ...

class Session(_message.Message):
    __slots__ = ("session_id", "session_token")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_TOKEN_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    session_token: str
    def __init__(self, session_id: _Optional[str] = ..., session_token: _Optional[str] = ...) -> None: ...
