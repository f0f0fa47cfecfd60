from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AssertionRule(_message.Message):
    __slots__ = ("client_id", "resource", "scopes")
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    client_id: str
    resource: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, client_id: _Optional[str] = ..., resource: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ...) -> None: ...

class AcceptedAssertions(_message.Message):
    __slots__ = ("rules", "tenant_claim", "tenant")
    RULES_FIELD_NUMBER: _ClassVar[int]
    TENANT_CLAIM_FIELD_NUMBER: _ClassVar[int]
    TENANT_FIELD_NUMBER: _ClassVar[int]
    rules: _containers.RepeatedCompositeFieldContainer[AssertionRule]
    tenant_claim: str
    tenant: str
    def __init__(self, rules: _Optional[_Iterable[_Union[AssertionRule, _Mapping]]] = ..., tenant_claim: _Optional[str] = ..., tenant: _Optional[str] = ...) -> None: ...

class SetAcceptedAssertionsRequest(_message.Message):
    __slots__ = ("idp_id", "accepted_assertions")
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    ACCEPTED_ASSERTIONS_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    accepted_assertions: AcceptedAssertions
    def __init__(self, idp_id: _Optional[str] = ..., accepted_assertions: _Optional[_Union[AcceptedAssertions, _Mapping]] = ...) -> None: ...

class SetAcceptedAssertionsResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class GetAcceptedAssertionsRequest(_message.Message):
    __slots__ = ("idp_id",)
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    def __init__(self, idp_id: _Optional[str] = ...) -> None: ...

class GetAcceptedAssertionsResponse(_message.Message):
    __slots__ = ("details", "accepted_assertions")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    ACCEPTED_ASSERTIONS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    accepted_assertions: AcceptedAssertions
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., accepted_assertions: _Optional[_Union[AcceptedAssertions, _Mapping]] = ...) -> None: ...
