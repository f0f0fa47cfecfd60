from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class OrgState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ORG_STATE_UNSPECIFIED: _ClassVar[OrgState]
    ORG_STATE_ACTIVE: _ClassVar[OrgState]
    ORG_STATE_INACTIVE: _ClassVar[OrgState]

class OrgFieldName(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ORG_FIELD_NAME_UNSPECIFIED: _ClassVar[OrgFieldName]
    ORG_FIELD_NAME_NAME: _ClassVar[OrgFieldName]
ORG_STATE_UNSPECIFIED: OrgState
ORG_STATE_ACTIVE: OrgState
ORG_STATE_INACTIVE: OrgState
ORG_FIELD_NAME_UNSPECIFIED: OrgFieldName
ORG_FIELD_NAME_NAME: OrgFieldName

class Org(_message.Message):
    __slots__ = ("id", "details", "state", "name", "primary_domain")
    ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PRIMARY_DOMAIN_FIELD_NUMBER: _ClassVar[int]
    id: str
    details: _object_pb2.ObjectDetails
    state: OrgState
    name: str
    primary_domain: str
    def __init__(self, id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., state: _Optional[_Union[OrgState, str]] = ..., name: _Optional[str] = ..., primary_domain: _Optional[str] = ...) -> None: ...
