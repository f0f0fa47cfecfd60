import datetime

from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from portico_contracts.generated.portico.management.v1 import idp_pb2 as _idp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class LDAPAttributes(_message.Message):
    __slots__ = ("id_attribute", "first_name_attribute", "last_name_attribute", "display_name_attribute", "preferred_username_attribute", "email_attribute", "email_verified_attribute", "preferred_language_attribute", "avatar_url_attribute")
    ID_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    FIRST_NAME_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    LAST_NAME_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    PREFERRED_USERNAME_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    EMAIL_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    EMAIL_VERIFIED_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    PREFERRED_LANGUAGE_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    AVATAR_URL_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    id_attribute: str
    first_name_attribute: str
    last_name_attribute: str
    display_name_attribute: str
    preferred_username_attribute: str
    email_attribute: str
    email_verified_attribute: str
    preferred_language_attribute: str
    avatar_url_attribute: str
    def __init__(self, id_attribute: _Optional[str] = ..., first_name_attribute: _Optional[str] = ..., last_name_attribute: _Optional[str] = ..., display_name_attribute: _Optional[str] = ..., preferred_username_attribute: _Optional[str] = ..., email_attribute: _Optional[str] = ..., email_verified_attribute: _Optional[str] = ..., preferred_language_attribute: _Optional[str] = ..., avatar_url_attribute: _Optional[str] = ...) -> None: ...

class LDAPConfig(_message.Message):
    __slots__ = ("servers", "start_tls", "base_dn", "bind_dn", "user_base", "user_object_classes", "user_filters", "timeout", "attributes", "root_ca")
    SERVERS_FIELD_NUMBER: _ClassVar[int]
    START_TLS_FIELD_NUMBER: _ClassVar[int]
    BASE_DN_FIELD_NUMBER: _ClassVar[int]
    BIND_DN_FIELD_NUMBER: _ClassVar[int]
    USER_BASE_FIELD_NUMBER: _ClassVar[int]
    USER_OBJECT_CLASSES_FIELD_NUMBER: _ClassVar[int]
    USER_FILTERS_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    ATTRIBUTES_FIELD_NUMBER: _ClassVar[int]
    ROOT_CA_FIELD_NUMBER: _ClassVar[int]
    servers: _containers.RepeatedScalarFieldContainer[str]
    start_tls: bool
    base_dn: str
    bind_dn: str
    user_base: str
    user_object_classes: _containers.RepeatedScalarFieldContainer[str]
    user_filters: _containers.RepeatedScalarFieldContainer[str]
    timeout: _duration_pb2.Duration
    attributes: LDAPAttributes
    root_ca: bytes
    def __init__(self, servers: _Optional[_Iterable[str]] = ..., start_tls: _Optional[bool] = ..., base_dn: _Optional[str] = ..., bind_dn: _Optional[str] = ..., user_base: _Optional[str] = ..., user_object_classes: _Optional[_Iterable[str]] = ..., user_filters: _Optional[_Iterable[str]] = ..., timeout: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., attributes: _Optional[_Union[LDAPAttributes, _Mapping]] = ..., root_ca: _Optional[bytes] = ...) -> None: ...

class AddLDAPProviderRequest(_message.Message):
    __slots__ = ("name", "servers", "start_tls", "base_dn", "bind_dn", "bind_password", "user_base", "user_object_classes", "user_filters", "timeout", "attributes", "provider_options", "root_ca", "id")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SERVERS_FIELD_NUMBER: _ClassVar[int]
    START_TLS_FIELD_NUMBER: _ClassVar[int]
    BASE_DN_FIELD_NUMBER: _ClassVar[int]
    BIND_DN_FIELD_NUMBER: _ClassVar[int]
    BIND_PASSWORD_FIELD_NUMBER: _ClassVar[int]
    USER_BASE_FIELD_NUMBER: _ClassVar[int]
    USER_OBJECT_CLASSES_FIELD_NUMBER: _ClassVar[int]
    USER_FILTERS_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    ATTRIBUTES_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    ROOT_CA_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    name: str
    servers: _containers.RepeatedScalarFieldContainer[str]
    start_tls: bool
    base_dn: str
    bind_dn: str
    bind_password: str
    user_base: str
    user_object_classes: _containers.RepeatedScalarFieldContainer[str]
    user_filters: _containers.RepeatedScalarFieldContainer[str]
    timeout: _duration_pb2.Duration
    attributes: LDAPAttributes
    provider_options: _idp_pb2.ProviderOptions
    root_ca: bytes
    id: str
    def __init__(self, name: _Optional[str] = ..., servers: _Optional[_Iterable[str]] = ..., start_tls: _Optional[bool] = ..., base_dn: _Optional[str] = ..., bind_dn: _Optional[str] = ..., bind_password: _Optional[str] = ..., user_base: _Optional[str] = ..., user_object_classes: _Optional[_Iterable[str]] = ..., user_filters: _Optional[_Iterable[str]] = ..., timeout: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., attributes: _Optional[_Union[LDAPAttributes, _Mapping]] = ..., provider_options: _Optional[_Union[_idp_pb2.ProviderOptions, _Mapping]] = ..., root_ca: _Optional[bytes] = ..., id: _Optional[str] = ...) -> None: ...

class UpdateLDAPProviderRequest(_message.Message):
    __slots__ = ("idp_id", "name", "servers", "start_tls", "base_dn", "bind_dn", "bind_password", "user_base", "user_object_classes", "user_filters", "timeout", "attributes", "provider_options", "root_ca")
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    SERVERS_FIELD_NUMBER: _ClassVar[int]
    START_TLS_FIELD_NUMBER: _ClassVar[int]
    BASE_DN_FIELD_NUMBER: _ClassVar[int]
    BIND_DN_FIELD_NUMBER: _ClassVar[int]
    BIND_PASSWORD_FIELD_NUMBER: _ClassVar[int]
    USER_BASE_FIELD_NUMBER: _ClassVar[int]
    USER_OBJECT_CLASSES_FIELD_NUMBER: _ClassVar[int]
    USER_FILTERS_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    ATTRIBUTES_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    ROOT_CA_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    name: str
    servers: _containers.RepeatedScalarFieldContainer[str]
    start_tls: bool
    base_dn: str
    bind_dn: str
    bind_password: str
    user_base: str
    user_object_classes: _containers.RepeatedScalarFieldContainer[str]
    user_filters: _containers.RepeatedScalarFieldContainer[str]
    timeout: _duration_pb2.Duration
    attributes: LDAPAttributes
    provider_options: _idp_pb2.ProviderOptions
    root_ca: bytes
    def __init__(self, idp_id: _Optional[str] = ..., name: _Optional[str] = ..., servers: _Optional[_Iterable[str]] = ..., start_tls: _Optional[bool] = ..., base_dn: _Optional[str] = ..., bind_dn: _Optional[str] = ..., bind_password: _Optional[str] = ..., user_base: _Optional[str] = ..., user_object_classes: _Optional[_Iterable[str]] = ..., user_filters: _Optional[_Iterable[str]] = ..., timeout: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., attributes: _Optional[_Union[LDAPAttributes, _Mapping]] = ..., provider_options: _Optional[_Union[_idp_pb2.ProviderOptions, _Mapping]] = ..., root_ca: _Optional[bytes] = ...) -> None: ...
