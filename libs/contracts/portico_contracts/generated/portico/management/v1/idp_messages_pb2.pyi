from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from portico_contracts.generated.portico.management.v1 import idp_pb2 as _idp_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GetIDPByIDRequest(_message.Message):
    __slots__ = ("idp_id",)
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    def __init__(self, idp_id: _Optional[str] = ...) -> None: ...

class GetIDPByIDResponse(_message.Message):
    __slots__ = ("idp",)
    IDP_FIELD_NUMBER: _ClassVar[int]
    idp: _idp_pb2.IDP
    def __init__(self, idp: _Optional[_Union[_idp_pb2.IDP, _Mapping]] = ...) -> None: ...

class ListIDPsRequest(_message.Message):
    __slots__ = ("query", "queries", "sorting_column")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    QUERIES_FIELD_NUMBER: _ClassVar[int]
    SORTING_COLUMN_FIELD_NUMBER: _ClassVar[int]
    query: _object_pb2.ListQuery
    queries: _containers.RepeatedCompositeFieldContainer[_idp_pb2.IDPQuery]
    sorting_column: _idp_pb2.IDPFieldName
    def __init__(self, query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ..., queries: _Optional[_Iterable[_Union[_idp_pb2.IDPQuery, _Mapping]]] = ..., sorting_column: _Optional[_Union[_idp_pb2.IDPFieldName, str]] = ...) -> None: ...

class ListIDPsResponse(_message.Message):
    __slots__ = ("details", "result", "sorting_column")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    SORTING_COLUMN_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[_idp_pb2.IDP]
    sorting_column: _idp_pb2.IDPFieldName
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[_idp_pb2.IDP, _Mapping]]] = ..., sorting_column: _Optional[_Union[_idp_pb2.IDPFieldName, str]] = ...) -> None: ...

class AddJWTIDPRequest(_message.Message):
    __slots__ = ("name", "styling_type", "jwt_endpoint", "issuer", "keys_endpoint", "header_name", "auto_register")
    NAME_FIELD_NUMBER: _ClassVar[int]
    STYLING_TYPE_FIELD_NUMBER: _ClassVar[int]
    JWT_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    KEYS_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    HEADER_NAME_FIELD_NUMBER: _ClassVar[int]
    AUTO_REGISTER_FIELD_NUMBER: _ClassVar[int]
    name: str
    styling_type: _idp_pb2.IDPStylingType
    jwt_endpoint: str
    issuer: str
    keys_endpoint: str
    header_name: str
    auto_register: bool
    def __init__(self, name: _Optional[str] = ..., styling_type: _Optional[_Union[_idp_pb2.IDPStylingType, str]] = ..., jwt_endpoint: _Optional[str] = ..., issuer: _Optional[str] = ..., keys_endpoint: _Optional[str] = ..., header_name: _Optional[str] = ..., auto_register: _Optional[bool] = ...) -> None: ...

class AddOIDCIDPRequest(_message.Message):
    __slots__ = ("name", "styling_type", "client_id", "client_secret", "issuer", "scopes", "display_name_mapping", "username_mapping", "auto_register")
    NAME_FIELD_NUMBER: _ClassVar[int]
    STYLING_TYPE_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SECRET_FIELD_NUMBER: _ClassVar[int]
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_MAPPING_FIELD_NUMBER: _ClassVar[int]
    USERNAME_MAPPING_FIELD_NUMBER: _ClassVar[int]
    AUTO_REGISTER_FIELD_NUMBER: _ClassVar[int]
    name: str
    styling_type: _idp_pb2.IDPStylingType
    client_id: str
    client_secret: str
    issuer: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    display_name_mapping: _idp_pb2.OIDCMappingField
    username_mapping: _idp_pb2.OIDCMappingField
    auto_register: bool
    def __init__(self, name: _Optional[str] = ..., styling_type: _Optional[_Union[_idp_pb2.IDPStylingType, str]] = ..., client_id: _Optional[str] = ..., client_secret: _Optional[str] = ..., issuer: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., display_name_mapping: _Optional[_Union[_idp_pb2.OIDCMappingField, str]] = ..., username_mapping: _Optional[_Union[_idp_pb2.OIDCMappingField, str]] = ..., auto_register: _Optional[bool] = ...) -> None: ...

class AddIDPResponse(_message.Message):
    __slots__ = ("details", "idp_id")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    idp_id: str
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., idp_id: _Optional[str] = ...) -> None: ...

class UpdateIDPRequest(_message.Message):
    __slots__ = ("idp_id", "name", "styling_type", "auto_register")
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    STYLING_TYPE_FIELD_NUMBER: _ClassVar[int]
    AUTO_REGISTER_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    name: str
    styling_type: _idp_pb2.IDPStylingType
    auto_register: bool
    def __init__(self, idp_id: _Optional[str] = ..., name: _Optional[str] = ..., styling_type: _Optional[_Union[_idp_pb2.IDPStylingType, str]] = ..., auto_register: _Optional[bool] = ...) -> None: ...

class UpdateIDPJWTConfigRequest(_message.Message):
    __slots__ = ("idp_id", "jwt_endpoint", "issuer", "keys_endpoint", "header_name")
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    JWT_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    KEYS_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    HEADER_NAME_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    jwt_endpoint: str
    issuer: str
    keys_endpoint: str
    header_name: str
    def __init__(self, idp_id: _Optional[str] = ..., jwt_endpoint: _Optional[str] = ..., issuer: _Optional[str] = ..., keys_endpoint: _Optional[str] = ..., header_name: _Optional[str] = ...) -> None: ...

class UpdateIDPOIDCConfigRequest(_message.Message):
    __slots__ = ("idp_id", "issuer", "client_id", "client_secret", "scopes", "display_name_mapping", "username_mapping")
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SECRET_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_MAPPING_FIELD_NUMBER: _ClassVar[int]
    USERNAME_MAPPING_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    issuer: str
    client_id: str
    client_secret: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    display_name_mapping: _idp_pb2.OIDCMappingField
    username_mapping: _idp_pb2.OIDCMappingField
    def __init__(self, idp_id: _Optional[str] = ..., issuer: _Optional[str] = ..., client_id: _Optional[str] = ..., client_secret: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., display_name_mapping: _Optional[_Union[_idp_pb2.OIDCMappingField, str]] = ..., username_mapping: _Optional[_Union[_idp_pb2.OIDCMappingField, str]] = ...) -> None: ...

class AddGenericJWTProviderRequest(_message.Message):
    __slots__ = ("name", "issuer", "jwt_endpoint", "keys_endpoint", "header_name", "provider_options", "id")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    JWT_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    KEYS_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    HEADER_NAME_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    name: str
    issuer: str
    jwt_endpoint: str
    keys_endpoint: str
    header_name: str
    provider_options: _idp_pb2.ProviderOptions
    id: str
    def __init__(self, name: _Optional[str] = ..., issuer: _Optional[str] = ..., jwt_endpoint: _Optional[str] = ..., keys_endpoint: _Optional[str] = ..., header_name: _Optional[str] = ..., provider_options: _Optional[_Union[_idp_pb2.ProviderOptions, _Mapping]] = ..., id: _Optional[str] = ...) -> None: ...

class AddGenericJWTProviderResponse(_message.Message):
    __slots__ = ("details", "id")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    id: str
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., id: _Optional[str] = ...) -> None: ...

class UpdateGenericJWTProviderRequest(_message.Message):
    __slots__ = ("idp_id", "name", "issuer", "jwt_endpoint", "keys_endpoint", "header_name", "provider_options")
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    JWT_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    KEYS_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    HEADER_NAME_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    name: str
    issuer: str
    jwt_endpoint: str
    keys_endpoint: str
    header_name: str
    provider_options: _idp_pb2.ProviderOptions
    def __init__(self, idp_id: _Optional[str] = ..., name: _Optional[str] = ..., issuer: _Optional[str] = ..., jwt_endpoint: _Optional[str] = ..., keys_endpoint: _Optional[str] = ..., header_name: _Optional[str] = ..., provider_options: _Optional[_Union[_idp_pb2.ProviderOptions, _Mapping]] = ...) -> None: ...

class UpdateIDPResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class ChangeIDPStateRequest(_message.Message):
    __slots__ = ("idp_id",)
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    def __init__(self, idp_id: _Optional[str] = ...) -> None: ...

class RemoveIDPResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class HumanLinkedIDP(_message.Message):
    __slots__ = ("idp_id", "idp_name", "user_id", "user_name")
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    IDP_NAME_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    USER_NAME_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    idp_name: str
    user_id: str
    user_name: str
    def __init__(self, idp_id: _Optional[str] = ..., idp_name: _Optional[str] = ..., user_id: _Optional[str] = ..., user_name: _Optional[str] = ...) -> None: ...

class ListHumanLinkedIDPsResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[HumanLinkedIDP]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[HumanLinkedIDP, _Mapping]]] = ...) -> None: ...

class RemoveHumanLinkedIDPResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...
