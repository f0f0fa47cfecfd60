from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.api import annotations_pb2 as _annotations_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from portico_contracts.generated.portico.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class OutsideServerPeople(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OUTSIDE_SERVER_PEOPLE_SELECTED: _ClassVar[OutsideServerPeople]
    OUTSIDE_SERVER_PEOPLE_ORGANIZATION: _ClassVar[OutsideServerPeople]
OUTSIDE_SERVER_PEOPLE_SELECTED: OutsideServerPeople
OUTSIDE_SERVER_PEOPLE_ORGANIZATION: OutsideServerPeople

class OutsideApplication(_message.Message):
    __slots__ = ("client_id", "outside_client_id")
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    OUTSIDE_CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    client_id: str
    outside_client_id: str
    def __init__(self, client_id: _Optional[str] = ..., outside_client_id: _Optional[str] = ...) -> None: ...

class OutsideRole(_message.Message):
    __slots__ = ("project_id", "role_key")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_KEY_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    role_key: str
    def __init__(self, project_id: _Optional[str] = ..., role_key: _Optional[str] = ...) -> None: ...

class OutsideServer(_message.Message):
    __slots__ = ("id", "details", "name", "issuer", "applications", "resources", "scopes", "people", "groups", "roles", "sends_email")
    ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    APPLICATIONS_FIELD_NUMBER: _ClassVar[int]
    RESOURCES_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    PEOPLE_FIELD_NUMBER: _ClassVar[int]
    GROUPS_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    SENDS_EMAIL_FIELD_NUMBER: _ClassVar[int]
    id: str
    details: _object_pb2.ObjectDetails
    name: str
    issuer: str
    applications: _containers.RepeatedCompositeFieldContainer[OutsideApplication]
    resources: _containers.RepeatedScalarFieldContainer[str]
    scopes: _containers.RepeatedScalarFieldContainer[str]
    people: OutsideServerPeople
    groups: _containers.RepeatedScalarFieldContainer[str]
    roles: _containers.RepeatedCompositeFieldContainer[OutsideRole]
    sends_email: bool
    def __init__(self, id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., name: _Optional[str] = ..., issuer: _Optional[str] = ..., applications: _Optional[_Iterable[_Union[OutsideApplication, _Mapping]]] = ..., resources: _Optional[_Iterable[str]] = ..., scopes: _Optional[_Iterable[str]] = ..., people: _Optional[_Union[OutsideServerPeople, str]] = ..., groups: _Optional[_Iterable[str]] = ..., roles: _Optional[_Iterable[_Union[OutsideRole, _Mapping]]] = ..., sends_email: _Optional[bool] = ...) -> None: ...

class AddOutsideServerRequest(_message.Message):
    __slots__ = ("name", "issuer", "applications", "resources", "scopes", "people", "groups", "roles", "sends_email")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    APPLICATIONS_FIELD_NUMBER: _ClassVar[int]
    RESOURCES_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    PEOPLE_FIELD_NUMBER: _ClassVar[int]
    GROUPS_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    SENDS_EMAIL_FIELD_NUMBER: _ClassVar[int]
    name: str
    issuer: str
    applications: _containers.RepeatedCompositeFieldContainer[OutsideApplication]
    resources: _containers.RepeatedScalarFieldContainer[str]
    scopes: _containers.RepeatedScalarFieldContainer[str]
    people: OutsideServerPeople
    groups: _containers.RepeatedScalarFieldContainer[str]
    roles: _containers.RepeatedCompositeFieldContainer[OutsideRole]
    sends_email: bool
    def __init__(self, name: _Optional[str] = ..., issuer: _Optional[str] = ..., applications: _Optional[_Iterable[_Union[OutsideApplication, _Mapping]]] = ..., resources: _Optional[_Iterable[str]] = ..., scopes: _Optional[_Iterable[str]] = ..., people: _Optional[_Union[OutsideServerPeople, str]] = ..., groups: _Optional[_Iterable[str]] = ..., roles: _Optional[_Iterable[_Union[OutsideRole, _Mapping]]] = ..., sends_email: _Optional[bool] = ...) -> None: ...

class AddOutsideServerResponse(_message.Message):
    __slots__ = ("id", "details")
    ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    id: str
    details: _object_pb2.ObjectDetails
    def __init__(self, id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class GetOutsideServerRequest(_message.Message):
    __slots__ = ("server_id",)
    SERVER_ID_FIELD_NUMBER: _ClassVar[int]
    server_id: str
    def __init__(self, server_id: _Optional[str] = ...) -> None: ...

class GetOutsideServerResponse(_message.Message):
    __slots__ = ("server",)
    SERVER_FIELD_NUMBER: _ClassVar[int]
    server: OutsideServer
    def __init__(self, server: _Optional[_Union[OutsideServer, _Mapping]] = ...) -> None: ...

class ListOutsideServersRequest(_message.Message):
    __slots__ = ("query",)
    QUERY_FIELD_NUMBER: _ClassVar[int]
    query: _object_pb2.ListQuery
    def __init__(self, query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ...) -> None: ...

class ListOutsideServersResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[OutsideServer]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[OutsideServer, _Mapping]]] = ...) -> None: ...

class UpdateOutsideServerRequest(_message.Message):
    __slots__ = ("server_id", "name", "issuer", "applications", "resources", "scopes", "people", "groups", "roles", "sends_email")
    SERVER_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    APPLICATIONS_FIELD_NUMBER: _ClassVar[int]
    RESOURCES_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    PEOPLE_FIELD_NUMBER: _ClassVar[int]
    GROUPS_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    SENDS_EMAIL_FIELD_NUMBER: _ClassVar[int]
    server_id: str
    name: str
    issuer: str
    applications: _containers.RepeatedCompositeFieldContainer[OutsideApplication]
    resources: _containers.RepeatedScalarFieldContainer[str]
    scopes: _containers.RepeatedScalarFieldContainer[str]
    people: OutsideServerPeople
    groups: _containers.RepeatedScalarFieldContainer[str]
    roles: _containers.RepeatedCompositeFieldContainer[OutsideRole]
    sends_email: bool
    def __init__(self, server_id: _Optional[str] = ..., name: _Optional[str] = ..., issuer: _Optional[str] = ..., applications: _Optional[_Iterable[_Union[OutsideApplication, _Mapping]]] = ..., resources: _Optional[_Iterable[str]] = ..., scopes: _Optional[_Iterable[str]] = ..., people: _Optional[_Union[OutsideServerPeople, str]] = ..., groups: _Optional[_Iterable[str]] = ..., roles: _Optional[_Iterable[_Union[OutsideRole, _Mapping]]] = ..., sends_email: _Optional[bool] = ...) -> None: ...

class ChangeOutsideServerResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class RemoveOutsideServerRequest(_message.Message):
    __slots__ = ("server_id",)
    SERVER_ID_FIELD_NUMBER: _ClassVar[int]
    server_id: str
    def __init__(self, server_id: _Optional[str] = ...) -> None: ...
