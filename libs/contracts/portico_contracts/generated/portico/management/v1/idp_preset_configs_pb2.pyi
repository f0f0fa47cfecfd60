from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AzureADTenantType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    AZURE_AD_TENANT_TYPE_COMMON: _ClassVar[AzureADTenantType]
    AZURE_AD_TENANT_TYPE_ORGANISATIONS: _ClassVar[AzureADTenantType]
    AZURE_AD_TENANT_TYPE_CONSUMERS: _ClassVar[AzureADTenantType]
AZURE_AD_TENANT_TYPE_COMMON: AzureADTenantType
AZURE_AD_TENANT_TYPE_ORGANISATIONS: AzureADTenantType
AZURE_AD_TENANT_TYPE_CONSUMERS: AzureADTenantType

class AzureADTenant(_message.Message):
    __slots__ = ("tenant_type", "tenant_id")
    TENANT_TYPE_FIELD_NUMBER: _ClassVar[int]
    TENANT_ID_FIELD_NUMBER: _ClassVar[int]
    tenant_type: AzureADTenantType
    tenant_id: str
    def __init__(self, tenant_type: _Optional[_Union[AzureADTenantType, str]] = ..., tenant_id: _Optional[str] = ...) -> None: ...

class OAuthConfig(_message.Message):
    __slots__ = ("client_id", "authorization_endpoint", "token_endpoint", "user_endpoint", "scopes", "id_attribute", "email_attribute", "email_verified_attribute", "user_name_attribute", "first_name_attribute", "last_name_attribute", "display_name_attribute", "trusted_email", "preset")
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    AUTHORIZATION_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    TOKEN_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    USER_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    ID_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    EMAIL_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    EMAIL_VERIFIED_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    USER_NAME_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    FIRST_NAME_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    LAST_NAME_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_EMAIL_FIELD_NUMBER: _ClassVar[int]
    PRESET_FIELD_NUMBER: _ClassVar[int]
    client_id: str
    authorization_endpoint: str
    token_endpoint: str
    user_endpoint: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    id_attribute: str
    email_attribute: str
    email_verified_attribute: str
    user_name_attribute: str
    first_name_attribute: str
    last_name_attribute: str
    display_name_attribute: str
    trusted_email: bool
    preset: str
    def __init__(self, client_id: _Optional[str] = ..., authorization_endpoint: _Optional[str] = ..., token_endpoint: _Optional[str] = ..., user_endpoint: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., id_attribute: _Optional[str] = ..., email_attribute: _Optional[str] = ..., email_verified_attribute: _Optional[str] = ..., user_name_attribute: _Optional[str] = ..., first_name_attribute: _Optional[str] = ..., last_name_attribute: _Optional[str] = ..., display_name_attribute: _Optional[str] = ..., trusted_email: _Optional[bool] = ..., preset: _Optional[str] = ...) -> None: ...

class GoogleConfig(_message.Message):
    __slots__ = ("client_id", "scopes", "hosted_domains", "trusted_email")
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    HOSTED_DOMAINS_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_EMAIL_FIELD_NUMBER: _ClassVar[int]
    client_id: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    hosted_domains: _containers.RepeatedScalarFieldContainer[str]
    trusted_email: bool
    def __init__(self, client_id: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., hosted_domains: _Optional[_Iterable[str]] = ..., trusted_email: _Optional[bool] = ...) -> None: ...

class AzureADConfig(_message.Message):
    __slots__ = ("client_id", "tenant", "email_verified", "scopes", "allowed_tenants")
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    TENANT_FIELD_NUMBER: _ClassVar[int]
    EMAIL_VERIFIED_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    ALLOWED_TENANTS_FIELD_NUMBER: _ClassVar[int]
    client_id: str
    tenant: AzureADTenant
    email_verified: bool
    scopes: _containers.RepeatedScalarFieldContainer[str]
    allowed_tenants: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, client_id: _Optional[str] = ..., tenant: _Optional[_Union[AzureADTenant, _Mapping]] = ..., email_verified: _Optional[bool] = ..., scopes: _Optional[_Iterable[str]] = ..., allowed_tenants: _Optional[_Iterable[str]] = ...) -> None: ...

class GitHubConfig(_message.Message):
    __slots__ = ("client_id", "scopes", "trusted_email")
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_EMAIL_FIELD_NUMBER: _ClassVar[int]
    client_id: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    trusted_email: bool
    def __init__(self, client_id: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., trusted_email: _Optional[bool] = ...) -> None: ...

class GitHubEnterpriseServerConfig(_message.Message):
    __slots__ = ("client_id", "authorization_endpoint", "token_endpoint", "user_endpoint", "scopes", "trusted_email")
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    AUTHORIZATION_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    TOKEN_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    USER_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_EMAIL_FIELD_NUMBER: _ClassVar[int]
    client_id: str
    authorization_endpoint: str
    token_endpoint: str
    user_endpoint: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    trusted_email: bool
    def __init__(self, client_id: _Optional[str] = ..., authorization_endpoint: _Optional[str] = ..., token_endpoint: _Optional[str] = ..., user_endpoint: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., trusted_email: _Optional[bool] = ...) -> None: ...

class GitLabConfig(_message.Message):
    __slots__ = ("client_id", "scopes", "trusted_email")
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_EMAIL_FIELD_NUMBER: _ClassVar[int]
    client_id: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    trusted_email: bool
    def __init__(self, client_id: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., trusted_email: _Optional[bool] = ...) -> None: ...

class GitLabSelfHostedConfig(_message.Message):
    __slots__ = ("issuer", "client_id", "scopes", "trusted_email")
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_EMAIL_FIELD_NUMBER: _ClassVar[int]
    issuer: str
    client_id: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    trusted_email: bool
    def __init__(self, issuer: _Optional[str] = ..., client_id: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., trusted_email: _Optional[bool] = ...) -> None: ...

class AppleConfig(_message.Message):
    __slots__ = ("client_id", "team_id", "key_id", "scopes", "trusted_email")
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    TEAM_ID_FIELD_NUMBER: _ClassVar[int]
    KEY_ID_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_EMAIL_FIELD_NUMBER: _ClassVar[int]
    client_id: str
    team_id: str
    key_id: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    trusted_email: bool
    def __init__(self, client_id: _Optional[str] = ..., team_id: _Optional[str] = ..., key_id: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., trusted_email: _Optional[bool] = ...) -> None: ...
