import datetime

from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import struct_pb2 as _struct_pb2
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

class ScimLoginName(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SCIM_LOGIN_NAME_USER_NAME: _ClassVar[ScimLoginName]
    SCIM_LOGIN_NAME_EMAIL: _ClassVar[ScimLoginName]
    SCIM_LOGIN_NAME_EXTERNAL_ID: _ClassVar[ScimLoginName]
    SCIM_LOGIN_NAME_NICK_NAME: _ClassVar[ScimLoginName]
    SCIM_LOGIN_NAME_EMPLOYEE_NUMBER: _ClassVar[ScimLoginName]

class ScimAddress(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SCIM_ADDRESS_PRIMARY: _ClassVar[ScimAddress]
    SCIM_ADDRESS_WORK: _ClassVar[ScimAddress]
    SCIM_ADDRESS_USER_NAME: _ClassVar[ScimAddress]

class ScimDisplayName(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SCIM_DISPLAY_NAME_DISPLAY_NAME: _ClassVar[ScimDisplayName]
    SCIM_DISPLAY_NAME_PARTS: _ClassVar[ScimDisplayName]

class ScimDestination(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SCIM_DESTINATION_UNSPECIFIED: _ClassVar[ScimDestination]
    SCIM_DESTINATION_METADATA: _ClassVar[ScimDestination]
    SCIM_DESTINATION_NICK_NAME: _ClassVar[ScimDestination]
    SCIM_DESTINATION_PREFERRED_LANGUAGE: _ClassVar[ScimDestination]
    SCIM_DESTINATION_TIME_ZONE: _ClassVar[ScimDestination]
    SCIM_DESTINATION_PROFILE_URL: _ClassVar[ScimDestination]
    SCIM_DESTINATION_NOWHERE: _ClassVar[ScimDestination]
SCIM_LOGIN_NAME_USER_NAME: ScimLoginName
SCIM_LOGIN_NAME_EMAIL: ScimLoginName
SCIM_LOGIN_NAME_EXTERNAL_ID: ScimLoginName
SCIM_LOGIN_NAME_NICK_NAME: ScimLoginName
SCIM_LOGIN_NAME_EMPLOYEE_NUMBER: ScimLoginName
SCIM_ADDRESS_PRIMARY: ScimAddress
SCIM_ADDRESS_WORK: ScimAddress
SCIM_ADDRESS_USER_NAME: ScimAddress
SCIM_DISPLAY_NAME_DISPLAY_NAME: ScimDisplayName
SCIM_DISPLAY_NAME_PARTS: ScimDisplayName
SCIM_DESTINATION_UNSPECIFIED: ScimDestination
SCIM_DESTINATION_METADATA: ScimDestination
SCIM_DESTINATION_NICK_NAME: ScimDestination
SCIM_DESTINATION_PREFERRED_LANGUAGE: ScimDestination
SCIM_DESTINATION_TIME_ZONE: ScimDestination
SCIM_DESTINATION_PROFILE_URL: ScimDestination
SCIM_DESTINATION_NOWHERE: ScimDestination

class ScimAttribute(_message.Message):
    __slots__ = ("attribute", "destination", "key")
    ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    DESTINATION_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    attribute: str
    destination: ScimDestination
    key: str
    def __init__(self, attribute: _Optional[str] = ..., destination: _Optional[_Union[ScimDestination, str]] = ..., key: _Optional[str] = ...) -> None: ...

class ScimMapping(_message.Message):
    __slots__ = ("login_name", "address", "display_name", "attributes")
    LOGIN_NAME_FIELD_NUMBER: _ClassVar[int]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    ATTRIBUTES_FIELD_NUMBER: _ClassVar[int]
    login_name: ScimLoginName
    address: ScimAddress
    display_name: ScimDisplayName
    attributes: _containers.RepeatedCompositeFieldContainer[ScimAttribute]
    def __init__(self, login_name: _Optional[_Union[ScimLoginName, str]] = ..., address: _Optional[_Union[ScimAddress, str]] = ..., display_name: _Optional[_Union[ScimDisplayName, str]] = ..., attributes: _Optional[_Iterable[_Union[ScimAttribute, _Mapping]]] = ...) -> None: ...

class ScimSecret(_message.Message):
    __slots__ = ("id", "creation_date")
    ID_FIELD_NUMBER: _ClassVar[int]
    CREATION_DATE_FIELD_NUMBER: _ClassVar[int]
    id: str
    creation_date: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[str] = ..., creation_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class RefusedScimCall(_message.Message):
    __slots__ = ("date", "request", "http_status", "error_id", "message")
    DATE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    HTTP_STATUS_FIELD_NUMBER: _ClassVar[int]
    ERROR_ID_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    date: _timestamp_pb2.Timestamp
    request: str
    http_status: int
    error_id: str
    message: str
    def __init__(self, date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., request: _Optional[str] = ..., http_status: _Optional[int] = ..., error_id: _Optional[str] = ..., message: _Optional[str] = ...) -> None: ...

class ScimConnection(_message.Message):
    __slots__ = ("id", "details", "name", "url", "provisions_users", "provisions_groups", "deletes", "secrets", "last_call", "refused_calls", "mapping")
    ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    PROVISIONS_USERS_FIELD_NUMBER: _ClassVar[int]
    PROVISIONS_GROUPS_FIELD_NUMBER: _ClassVar[int]
    DELETES_FIELD_NUMBER: _ClassVar[int]
    SECRETS_FIELD_NUMBER: _ClassVar[int]
    LAST_CALL_FIELD_NUMBER: _ClassVar[int]
    REFUSED_CALLS_FIELD_NUMBER: _ClassVar[int]
    MAPPING_FIELD_NUMBER: _ClassVar[int]
    id: str
    details: _object_pb2.ObjectDetails
    name: str
    url: str
    provisions_users: bool
    provisions_groups: bool
    deletes: bool
    secrets: _containers.RepeatedCompositeFieldContainer[ScimSecret]
    last_call: _timestamp_pb2.Timestamp
    refused_calls: _containers.RepeatedCompositeFieldContainer[RefusedScimCall]
    mapping: ScimMapping
    def __init__(self, id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., name: _Optional[str] = ..., url: _Optional[str] = ..., provisions_users: _Optional[bool] = ..., provisions_groups: _Optional[bool] = ..., deletes: _Optional[bool] = ..., secrets: _Optional[_Iterable[_Union[ScimSecret, _Mapping]]] = ..., last_call: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., refused_calls: _Optional[_Iterable[_Union[RefusedScimCall, _Mapping]]] = ..., mapping: _Optional[_Union[ScimMapping, _Mapping]] = ...) -> None: ...

class AddScimConnectionRequest(_message.Message):
    __slots__ = ("name", "provisions_users", "provisions_groups", "deletes")
    NAME_FIELD_NUMBER: _ClassVar[int]
    PROVISIONS_USERS_FIELD_NUMBER: _ClassVar[int]
    PROVISIONS_GROUPS_FIELD_NUMBER: _ClassVar[int]
    DELETES_FIELD_NUMBER: _ClassVar[int]
    name: str
    provisions_users: bool
    provisions_groups: bool
    deletes: bool
    def __init__(self, name: _Optional[str] = ..., provisions_users: _Optional[bool] = ..., provisions_groups: _Optional[bool] = ..., deletes: _Optional[bool] = ...) -> None: ...

class AddScimConnectionResponse(_message.Message):
    __slots__ = ("id", "details", "url", "secret", "secret_id")
    ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    SECRET_FIELD_NUMBER: _ClassVar[int]
    SECRET_ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    details: _object_pb2.ObjectDetails
    url: str
    secret: str
    secret_id: str
    def __init__(self, id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., url: _Optional[str] = ..., secret: _Optional[str] = ..., secret_id: _Optional[str] = ...) -> None: ...

class GetScimConnectionRequest(_message.Message):
    __slots__ = ("connection_id",)
    CONNECTION_ID_FIELD_NUMBER: _ClassVar[int]
    connection_id: str
    def __init__(self, connection_id: _Optional[str] = ...) -> None: ...

class GetScimConnectionResponse(_message.Message):
    __slots__ = ("connection",)
    CONNECTION_FIELD_NUMBER: _ClassVar[int]
    connection: ScimConnection
    def __init__(self, connection: _Optional[_Union[ScimConnection, _Mapping]] = ...) -> None: ...

class ListScimConnectionsRequest(_message.Message):
    __slots__ = ("query",)
    QUERY_FIELD_NUMBER: _ClassVar[int]
    query: _object_pb2.ListQuery
    def __init__(self, query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ...) -> None: ...

class ListScimConnectionsResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[ScimConnection]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[ScimConnection, _Mapping]]] = ...) -> None: ...

class UpdateScimConnectionRequest(_message.Message):
    __slots__ = ("connection_id", "name", "provisions_users", "provisions_groups", "deletes")
    CONNECTION_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PROVISIONS_USERS_FIELD_NUMBER: _ClassVar[int]
    PROVISIONS_GROUPS_FIELD_NUMBER: _ClassVar[int]
    DELETES_FIELD_NUMBER: _ClassVar[int]
    connection_id: str
    name: str
    provisions_users: bool
    provisions_groups: bool
    deletes: bool
    def __init__(self, connection_id: _Optional[str] = ..., name: _Optional[str] = ..., provisions_users: _Optional[bool] = ..., provisions_groups: _Optional[bool] = ..., deletes: _Optional[bool] = ...) -> None: ...

class SetScimMappingRequest(_message.Message):
    __slots__ = ("connection_id", "mapping")
    CONNECTION_ID_FIELD_NUMBER: _ClassVar[int]
    MAPPING_FIELD_NUMBER: _ClassVar[int]
    connection_id: str
    mapping: ScimMapping
    def __init__(self, connection_id: _Optional[str] = ..., mapping: _Optional[_Union[ScimMapping, _Mapping]] = ...) -> None: ...

class ChangeScimConnectionResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class RemoveScimConnectionRequest(_message.Message):
    __slots__ = ("connection_id",)
    CONNECTION_ID_FIELD_NUMBER: _ClassVar[int]
    connection_id: str
    def __init__(self, connection_id: _Optional[str] = ...) -> None: ...

class AddScimSecretRequest(_message.Message):
    __slots__ = ("connection_id",)
    CONNECTION_ID_FIELD_NUMBER: _ClassVar[int]
    connection_id: str
    def __init__(self, connection_id: _Optional[str] = ...) -> None: ...

class AddScimSecretResponse(_message.Message):
    __slots__ = ("details", "secret", "secret_id")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    SECRET_FIELD_NUMBER: _ClassVar[int]
    SECRET_ID_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    secret: str
    secret_id: str
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., secret: _Optional[str] = ..., secret_id: _Optional[str] = ...) -> None: ...

class ListScimSecretsRequest(_message.Message):
    __slots__ = ("connection_id",)
    CONNECTION_ID_FIELD_NUMBER: _ClassVar[int]
    connection_id: str
    def __init__(self, connection_id: _Optional[str] = ...) -> None: ...

class ListScimSecretsResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[ScimSecret]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[ScimSecret, _Mapping]]] = ...) -> None: ...

class RemoveScimSecretRequest(_message.Message):
    __slots__ = ("connection_id", "secret_id")
    CONNECTION_ID_FIELD_NUMBER: _ClassVar[int]
    SECRET_ID_FIELD_NUMBER: _ClassVar[int]
    connection_id: str
    secret_id: str
    def __init__(self, connection_id: _Optional[str] = ..., secret_id: _Optional[str] = ...) -> None: ...

class UserProvisioning(_message.Message):
    __slots__ = ("connection_id", "connection_name", "external_id", "attributes", "removed")
    CONNECTION_ID_FIELD_NUMBER: _ClassVar[int]
    CONNECTION_NAME_FIELD_NUMBER: _ClassVar[int]
    EXTERNAL_ID_FIELD_NUMBER: _ClassVar[int]
    ATTRIBUTES_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    connection_id: str
    connection_name: str
    external_id: str
    attributes: _struct_pb2.Struct
    removed: bool
    def __init__(self, connection_id: _Optional[str] = ..., connection_name: _Optional[str] = ..., external_id: _Optional[str] = ..., attributes: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., removed: _Optional[bool] = ...) -> None: ...

class ListUserProvisioningRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class ListUserProvisioningResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[UserProvisioning]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[UserProvisioning, _Mapping]]] = ...) -> None: ...
