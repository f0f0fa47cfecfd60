from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.protobuf import struct_pb2 as _struct_pb2
from portico_contracts.generated.portico.object.v2 import object_pb2 as _object_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class StartIdentityProviderIntentRequest(_message.Message):
    __slots__ = ("idp_id", "urls", "ldap")
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    URLS_FIELD_NUMBER: _ClassVar[int]
    LDAP_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    urls: RedirectURLs
    ldap: LDAPCredentials
    def __init__(self, idp_id: _Optional[str] = ..., urls: _Optional[_Union[RedirectURLs, _Mapping]] = ..., ldap: _Optional[_Union[LDAPCredentials, _Mapping]] = ...) -> None: ...

class RedirectURLs(_message.Message):
    __slots__ = ("success_url", "failure_url")
    SUCCESS_URL_FIELD_NUMBER: _ClassVar[int]
    FAILURE_URL_FIELD_NUMBER: _ClassVar[int]
    success_url: str
    failure_url: str
    def __init__(self, success_url: _Optional[str] = ..., failure_url: _Optional[str] = ...) -> None: ...

class LDAPCredentials(_message.Message):
    __slots__ = ("username", "password")
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    username: str
    password: str
    def __init__(self, username: _Optional[str] = ..., password: _Optional[str] = ...) -> None: ...

class StartIdentityProviderIntentResponse(_message.Message):
    __slots__ = ("details", "auth_url", "idp_intent", "idp_intent_id")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    AUTH_URL_FIELD_NUMBER: _ClassVar[int]
    IDP_INTENT_FIELD_NUMBER: _ClassVar[int]
    IDP_INTENT_ID_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    auth_url: str
    idp_intent: IDPIntent
    idp_intent_id: str
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ..., auth_url: _Optional[str] = ..., idp_intent: _Optional[_Union[IDPIntent, _Mapping]] = ..., idp_intent_id: _Optional[str] = ...) -> None: ...

class IDPIntent(_message.Message):
    __slots__ = ("idp_intent_id", "idp_intent_token", "user_id")
    IDP_INTENT_ID_FIELD_NUMBER: _ClassVar[int]
    IDP_INTENT_TOKEN_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    idp_intent_id: str
    idp_intent_token: str
    user_id: str
    def __init__(self, idp_intent_id: _Optional[str] = ..., idp_intent_token: _Optional[str] = ..., user_id: _Optional[str] = ...) -> None: ...

class RetrieveIdentityProviderIntentRequest(_message.Message):
    __slots__ = ("idp_intent_id", "idp_intent_token")
    IDP_INTENT_ID_FIELD_NUMBER: _ClassVar[int]
    IDP_INTENT_TOKEN_FIELD_NUMBER: _ClassVar[int]
    idp_intent_id: str
    idp_intent_token: str
    def __init__(self, idp_intent_id: _Optional[str] = ..., idp_intent_token: _Optional[str] = ...) -> None: ...

class RetrieveIdentityProviderIntentResponse(_message.Message):
    __slots__ = ("details", "idp_information", "user_id")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    IDP_INFORMATION_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.Details
    idp_information: IDPInformation
    user_id: str
    def __init__(self, details: _Optional[_Union[_object_pb2.Details, _Mapping]] = ..., idp_information: _Optional[_Union[IDPInformation, _Mapping]] = ..., user_id: _Optional[str] = ...) -> None: ...

class IDPInformation(_message.Message):
    __slots__ = ("idp_id", "user_id", "user_name", "raw_information")
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    USER_NAME_FIELD_NUMBER: _ClassVar[int]
    RAW_INFORMATION_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    user_id: str
    user_name: str
    raw_information: _struct_pb2.Struct
    def __init__(self, idp_id: _Optional[str] = ..., user_id: _Optional[str] = ..., user_name: _Optional[str] = ..., raw_information: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...
