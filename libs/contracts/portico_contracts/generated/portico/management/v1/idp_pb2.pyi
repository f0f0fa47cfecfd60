from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class IDPState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    IDP_STATE_UNSPECIFIED: _ClassVar[IDPState]
    IDP_STATE_ACTIVE: _ClassVar[IDPState]
    IDP_STATE_INACTIVE: _ClassVar[IDPState]

class IDPStylingType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STYLING_TYPE_UNSPECIFIED: _ClassVar[IDPStylingType]
    STYLING_TYPE_GOOGLE: _ClassVar[IDPStylingType]

class IDPOwnerType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    IDP_OWNER_TYPE_UNSPECIFIED: _ClassVar[IDPOwnerType]
    IDP_OWNER_TYPE_SYSTEM: _ClassVar[IDPOwnerType]
    IDP_OWNER_TYPE_ORG: _ClassVar[IDPOwnerType]

class IDPFieldName(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    IDP_FIELD_NAME_UNSPECIFIED: _ClassVar[IDPFieldName]
    IDP_FIELD_NAME_NAME: _ClassVar[IDPFieldName]

class OIDCMappingField(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OIDC_MAPPING_FIELD_UNSPECIFIED: _ClassVar[OIDCMappingField]
    OIDC_MAPPING_FIELD_PREFERRED_USERNAME: _ClassVar[OIDCMappingField]
    OIDC_MAPPING_FIELD_EMAIL: _ClassVar[OIDCMappingField]

class AutoLinkingOption(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    AUTO_LINKING_OPTION_UNSPECIFIED: _ClassVar[AutoLinkingOption]
    AUTO_LINKING_OPTION_USERNAME: _ClassVar[AutoLinkingOption]
    AUTO_LINKING_OPTION_EMAIL: _ClassVar[AutoLinkingOption]
IDP_STATE_UNSPECIFIED: IDPState
IDP_STATE_ACTIVE: IDPState
IDP_STATE_INACTIVE: IDPState
STYLING_TYPE_UNSPECIFIED: IDPStylingType
STYLING_TYPE_GOOGLE: IDPStylingType
IDP_OWNER_TYPE_UNSPECIFIED: IDPOwnerType
IDP_OWNER_TYPE_SYSTEM: IDPOwnerType
IDP_OWNER_TYPE_ORG: IDPOwnerType
IDP_FIELD_NAME_UNSPECIFIED: IDPFieldName
IDP_FIELD_NAME_NAME: IDPFieldName
OIDC_MAPPING_FIELD_UNSPECIFIED: OIDCMappingField
OIDC_MAPPING_FIELD_PREFERRED_USERNAME: OIDCMappingField
OIDC_MAPPING_FIELD_EMAIL: OIDCMappingField
AUTO_LINKING_OPTION_UNSPECIFIED: AutoLinkingOption
AUTO_LINKING_OPTION_USERNAME: AutoLinkingOption
AUTO_LINKING_OPTION_EMAIL: AutoLinkingOption

class IDP(_message.Message):
    __slots__ = ("id", "details", "state", "name", "styling_type", "owner", "auto_register", "oidc_config", "jwt_config", "provider_options")
    ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    STYLING_TYPE_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    AUTO_REGISTER_FIELD_NUMBER: _ClassVar[int]
    OIDC_CONFIG_FIELD_NUMBER: _ClassVar[int]
    JWT_CONFIG_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    id: str
    details: _object_pb2.ObjectDetails
    state: IDPState
    name: str
    styling_type: IDPStylingType
    owner: IDPOwnerType
    auto_register: bool
    oidc_config: OIDCIDPConfig
    jwt_config: JWTIDPConfig
    provider_options: ProviderOptions
    def __init__(self, id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., state: _Optional[_Union[IDPState, str]] = ..., name: _Optional[str] = ..., styling_type: _Optional[_Union[IDPStylingType, str]] = ..., owner: _Optional[_Union[IDPOwnerType, str]] = ..., auto_register: _Optional[bool] = ..., oidc_config: _Optional[_Union[OIDCIDPConfig, _Mapping]] = ..., jwt_config: _Optional[_Union[JWTIDPConfig, _Mapping]] = ..., provider_options: _Optional[_Union[ProviderOptions, _Mapping]] = ...) -> None: ...

class OIDCIDPConfig(_message.Message):
    __slots__ = ("client_id", "issuer", "scopes", "display_name_mapping", "username_mapping", "has_client_secret")
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_MAPPING_FIELD_NUMBER: _ClassVar[int]
    USERNAME_MAPPING_FIELD_NUMBER: _ClassVar[int]
    HAS_CLIENT_SECRET_FIELD_NUMBER: _ClassVar[int]
    client_id: str
    issuer: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    display_name_mapping: OIDCMappingField
    username_mapping: OIDCMappingField
    has_client_secret: bool
    def __init__(self, client_id: _Optional[str] = ..., issuer: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., display_name_mapping: _Optional[_Union[OIDCMappingField, str]] = ..., username_mapping: _Optional[_Union[OIDCMappingField, str]] = ..., has_client_secret: _Optional[bool] = ...) -> None: ...

class JWTIDPConfig(_message.Message):
    __slots__ = ("jwt_endpoint", "issuer", "keys_endpoint", "header_name")
    JWT_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    KEYS_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    HEADER_NAME_FIELD_NUMBER: _ClassVar[int]
    jwt_endpoint: str
    issuer: str
    keys_endpoint: str
    header_name: str
    def __init__(self, jwt_endpoint: _Optional[str] = ..., issuer: _Optional[str] = ..., keys_endpoint: _Optional[str] = ..., header_name: _Optional[str] = ...) -> None: ...

class ProviderOptions(_message.Message):
    __slots__ = ("is_linking_allowed", "is_creation_allowed", "is_auto_creation", "is_auto_update", "auto_linking")
    IS_LINKING_ALLOWED_FIELD_NUMBER: _ClassVar[int]
    IS_CREATION_ALLOWED_FIELD_NUMBER: _ClassVar[int]
    IS_AUTO_CREATION_FIELD_NUMBER: _ClassVar[int]
    IS_AUTO_UPDATE_FIELD_NUMBER: _ClassVar[int]
    AUTO_LINKING_FIELD_NUMBER: _ClassVar[int]
    is_linking_allowed: bool
    is_creation_allowed: bool
    is_auto_creation: bool
    is_auto_update: bool
    auto_linking: AutoLinkingOption
    def __init__(self, is_linking_allowed: _Optional[bool] = ..., is_creation_allowed: _Optional[bool] = ..., is_auto_creation: _Optional[bool] = ..., is_auto_update: _Optional[bool] = ..., auto_linking: _Optional[_Union[AutoLinkingOption, str]] = ...) -> None: ...

class IDPQuery(_message.Message):
    __slots__ = ("idp_id_query", "idp_name_query", "owner_type_query")
    IDP_ID_QUERY_FIELD_NUMBER: _ClassVar[int]
    IDP_NAME_QUERY_FIELD_NUMBER: _ClassVar[int]
    OWNER_TYPE_QUERY_FIELD_NUMBER: _ClassVar[int]
    idp_id_query: IDPIDQuery
    idp_name_query: IDPNameQuery
    owner_type_query: IDPOwnerTypeQuery
    def __init__(self, idp_id_query: _Optional[_Union[IDPIDQuery, _Mapping]] = ..., idp_name_query: _Optional[_Union[IDPNameQuery, _Mapping]] = ..., owner_type_query: _Optional[_Union[IDPOwnerTypeQuery, _Mapping]] = ...) -> None: ...

class IDPIDQuery(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class IDPNameQuery(_message.Message):
    __slots__ = ("name", "method")
    NAME_FIELD_NUMBER: _ClassVar[int]
    METHOD_FIELD_NUMBER: _ClassVar[int]
    name: str
    method: _object_pb2.TextQueryMethod
    def __init__(self, name: _Optional[str] = ..., method: _Optional[_Union[_object_pb2.TextQueryMethod, str]] = ...) -> None: ...

class IDPOwnerTypeQuery(_message.Message):
    __slots__ = ("owner_type",)
    OWNER_TYPE_FIELD_NUMBER: _ClassVar[int]
    owner_type: IDPOwnerType
    def __init__(self, owner_type: _Optional[_Union[IDPOwnerType, str]] = ...) -> None: ...
