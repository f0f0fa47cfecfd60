from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from portico_contracts.generated.portico.management.v1 import idp_pb2 as _idp_pb2
from portico_contracts.generated.portico.management.v1 import idp_preset_configs_pb2 as _idp_preset_configs_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AddProviderResponse(_message.Message):
    __slots__ = ("details", "id")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    id: str
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., id: _Optional[str] = ...) -> None: ...

class AddGenericOAuthProviderRequest(_message.Message):
    __slots__ = ("name", "client_id", "client_secret", "authorization_endpoint", "token_endpoint", "user_endpoint", "scopes", "id_attribute", "provider_options", "email_attribute", "email_verified_attribute", "user_name_attribute", "first_name_attribute", "last_name_attribute", "display_name_attribute", "trusted_email", "id", "preset")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SECRET_FIELD_NUMBER: _ClassVar[int]
    AUTHORIZATION_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    TOKEN_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    USER_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    ID_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    EMAIL_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    EMAIL_VERIFIED_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    USER_NAME_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    FIRST_NAME_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    LAST_NAME_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_EMAIL_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    PRESET_FIELD_NUMBER: _ClassVar[int]
    name: str
    client_id: str
    client_secret: str
    authorization_endpoint: str
    token_endpoint: str
    user_endpoint: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    id_attribute: str
    provider_options: _idp_pb2.ProviderOptions
    email_attribute: str
    email_verified_attribute: str
    user_name_attribute: str
    first_name_attribute: str
    last_name_attribute: str
    display_name_attribute: str
    trusted_email: bool
    id: str
    preset: str
    def __init__(self, name: _Optional[str] = ..., client_id: _Optional[str] = ..., client_secret: _Optional[str] = ..., authorization_endpoint: _Optional[str] = ..., token_endpoint: _Optional[str] = ..., user_endpoint: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., id_attribute: _Optional[str] = ..., provider_options: _Optional[_Union[_idp_pb2.ProviderOptions, _Mapping]] = ..., email_attribute: _Optional[str] = ..., email_verified_attribute: _Optional[str] = ..., user_name_attribute: _Optional[str] = ..., first_name_attribute: _Optional[str] = ..., last_name_attribute: _Optional[str] = ..., display_name_attribute: _Optional[str] = ..., trusted_email: _Optional[bool] = ..., id: _Optional[str] = ..., preset: _Optional[str] = ...) -> None: ...

class UpdateGenericOAuthProviderRequest(_message.Message):
    __slots__ = ("idp_id", "name", "client_id", "client_secret", "authorization_endpoint", "token_endpoint", "user_endpoint", "scopes", "id_attribute", "provider_options", "email_attribute", "email_verified_attribute", "user_name_attribute", "first_name_attribute", "last_name_attribute", "display_name_attribute", "trusted_email")
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SECRET_FIELD_NUMBER: _ClassVar[int]
    AUTHORIZATION_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    TOKEN_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    USER_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    ID_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    EMAIL_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    EMAIL_VERIFIED_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    USER_NAME_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    FIRST_NAME_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    LAST_NAME_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_ATTRIBUTE_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_EMAIL_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    name: str
    client_id: str
    client_secret: str
    authorization_endpoint: str
    token_endpoint: str
    user_endpoint: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    id_attribute: str
    provider_options: _idp_pb2.ProviderOptions
    email_attribute: str
    email_verified_attribute: str
    user_name_attribute: str
    first_name_attribute: str
    last_name_attribute: str
    display_name_attribute: str
    trusted_email: bool
    def __init__(self, idp_id: _Optional[str] = ..., name: _Optional[str] = ..., client_id: _Optional[str] = ..., client_secret: _Optional[str] = ..., authorization_endpoint: _Optional[str] = ..., token_endpoint: _Optional[str] = ..., user_endpoint: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., id_attribute: _Optional[str] = ..., provider_options: _Optional[_Union[_idp_pb2.ProviderOptions, _Mapping]] = ..., email_attribute: _Optional[str] = ..., email_verified_attribute: _Optional[str] = ..., user_name_attribute: _Optional[str] = ..., first_name_attribute: _Optional[str] = ..., last_name_attribute: _Optional[str] = ..., display_name_attribute: _Optional[str] = ..., trusted_email: _Optional[bool] = ...) -> None: ...

class AddGoogleProviderRequest(_message.Message):
    __slots__ = ("name", "client_id", "client_secret", "scopes", "provider_options", "hosted_domains", "trusted_email", "id")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SECRET_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    HOSTED_DOMAINS_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_EMAIL_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    name: str
    client_id: str
    client_secret: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    provider_options: _idp_pb2.ProviderOptions
    hosted_domains: _containers.RepeatedScalarFieldContainer[str]
    trusted_email: bool
    id: str
    def __init__(self, name: _Optional[str] = ..., client_id: _Optional[str] = ..., client_secret: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., provider_options: _Optional[_Union[_idp_pb2.ProviderOptions, _Mapping]] = ..., hosted_domains: _Optional[_Iterable[str]] = ..., trusted_email: _Optional[bool] = ..., id: _Optional[str] = ...) -> None: ...

class UpdateGoogleProviderRequest(_message.Message):
    __slots__ = ("idp_id", "name", "client_id", "client_secret", "scopes", "provider_options", "hosted_domains", "trusted_email")
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SECRET_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    HOSTED_DOMAINS_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_EMAIL_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    name: str
    client_id: str
    client_secret: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    provider_options: _idp_pb2.ProviderOptions
    hosted_domains: _containers.RepeatedScalarFieldContainer[str]
    trusted_email: bool
    def __init__(self, idp_id: _Optional[str] = ..., name: _Optional[str] = ..., client_id: _Optional[str] = ..., client_secret: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., provider_options: _Optional[_Union[_idp_pb2.ProviderOptions, _Mapping]] = ..., hosted_domains: _Optional[_Iterable[str]] = ..., trusted_email: _Optional[bool] = ...) -> None: ...

class AddAzureADProviderRequest(_message.Message):
    __slots__ = ("name", "client_id", "client_secret", "tenant", "email_verified", "scopes", "provider_options", "allowed_tenants", "id")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SECRET_FIELD_NUMBER: _ClassVar[int]
    TENANT_FIELD_NUMBER: _ClassVar[int]
    EMAIL_VERIFIED_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    ALLOWED_TENANTS_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    name: str
    client_id: str
    client_secret: str
    tenant: _idp_preset_configs_pb2.AzureADTenant
    email_verified: bool
    scopes: _containers.RepeatedScalarFieldContainer[str]
    provider_options: _idp_pb2.ProviderOptions
    allowed_tenants: _containers.RepeatedScalarFieldContainer[str]
    id: str
    def __init__(self, name: _Optional[str] = ..., client_id: _Optional[str] = ..., client_secret: _Optional[str] = ..., tenant: _Optional[_Union[_idp_preset_configs_pb2.AzureADTenant, _Mapping]] = ..., email_verified: _Optional[bool] = ..., scopes: _Optional[_Iterable[str]] = ..., provider_options: _Optional[_Union[_idp_pb2.ProviderOptions, _Mapping]] = ..., allowed_tenants: _Optional[_Iterable[str]] = ..., id: _Optional[str] = ...) -> None: ...

class UpdateAzureADProviderRequest(_message.Message):
    __slots__ = ("idp_id", "name", "client_id", "client_secret", "tenant", "email_verified", "scopes", "provider_options", "allowed_tenants")
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SECRET_FIELD_NUMBER: _ClassVar[int]
    TENANT_FIELD_NUMBER: _ClassVar[int]
    EMAIL_VERIFIED_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    ALLOWED_TENANTS_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    name: str
    client_id: str
    client_secret: str
    tenant: _idp_preset_configs_pb2.AzureADTenant
    email_verified: bool
    scopes: _containers.RepeatedScalarFieldContainer[str]
    provider_options: _idp_pb2.ProviderOptions
    allowed_tenants: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, idp_id: _Optional[str] = ..., name: _Optional[str] = ..., client_id: _Optional[str] = ..., client_secret: _Optional[str] = ..., tenant: _Optional[_Union[_idp_preset_configs_pb2.AzureADTenant, _Mapping]] = ..., email_verified: _Optional[bool] = ..., scopes: _Optional[_Iterable[str]] = ..., provider_options: _Optional[_Union[_idp_pb2.ProviderOptions, _Mapping]] = ..., allowed_tenants: _Optional[_Iterable[str]] = ...) -> None: ...

class AddGitHubProviderRequest(_message.Message):
    __slots__ = ("name", "client_id", "client_secret", "scopes", "provider_options", "trusted_email", "id")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SECRET_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_EMAIL_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    name: str
    client_id: str
    client_secret: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    provider_options: _idp_pb2.ProviderOptions
    trusted_email: bool
    id: str
    def __init__(self, name: _Optional[str] = ..., client_id: _Optional[str] = ..., client_secret: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., provider_options: _Optional[_Union[_idp_pb2.ProviderOptions, _Mapping]] = ..., trusted_email: _Optional[bool] = ..., id: _Optional[str] = ...) -> None: ...

class UpdateGitHubProviderRequest(_message.Message):
    __slots__ = ("idp_id", "name", "client_id", "client_secret", "scopes", "provider_options", "trusted_email")
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SECRET_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_EMAIL_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    name: str
    client_id: str
    client_secret: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    provider_options: _idp_pb2.ProviderOptions
    trusted_email: bool
    def __init__(self, idp_id: _Optional[str] = ..., name: _Optional[str] = ..., client_id: _Optional[str] = ..., client_secret: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., provider_options: _Optional[_Union[_idp_pb2.ProviderOptions, _Mapping]] = ..., trusted_email: _Optional[bool] = ...) -> None: ...

class AddGitHubEnterpriseServerProviderRequest(_message.Message):
    __slots__ = ("client_id", "name", "client_secret", "authorization_endpoint", "token_endpoint", "user_endpoint", "scopes", "provider_options", "trusted_email", "id")
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SECRET_FIELD_NUMBER: _ClassVar[int]
    AUTHORIZATION_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    TOKEN_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    USER_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_EMAIL_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    client_id: str
    name: str
    client_secret: str
    authorization_endpoint: str
    token_endpoint: str
    user_endpoint: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    provider_options: _idp_pb2.ProviderOptions
    trusted_email: bool
    id: str
    def __init__(self, client_id: _Optional[str] = ..., name: _Optional[str] = ..., client_secret: _Optional[str] = ..., authorization_endpoint: _Optional[str] = ..., token_endpoint: _Optional[str] = ..., user_endpoint: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., provider_options: _Optional[_Union[_idp_pb2.ProviderOptions, _Mapping]] = ..., trusted_email: _Optional[bool] = ..., id: _Optional[str] = ...) -> None: ...

class UpdateGitHubEnterpriseServerProviderRequest(_message.Message):
    __slots__ = ("idp_id", "client_id", "name", "client_secret", "authorization_endpoint", "token_endpoint", "user_endpoint", "scopes", "provider_options", "trusted_email")
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SECRET_FIELD_NUMBER: _ClassVar[int]
    AUTHORIZATION_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    TOKEN_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    USER_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_EMAIL_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    client_id: str
    name: str
    client_secret: str
    authorization_endpoint: str
    token_endpoint: str
    user_endpoint: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    provider_options: _idp_pb2.ProviderOptions
    trusted_email: bool
    def __init__(self, idp_id: _Optional[str] = ..., client_id: _Optional[str] = ..., name: _Optional[str] = ..., client_secret: _Optional[str] = ..., authorization_endpoint: _Optional[str] = ..., token_endpoint: _Optional[str] = ..., user_endpoint: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., provider_options: _Optional[_Union[_idp_pb2.ProviderOptions, _Mapping]] = ..., trusted_email: _Optional[bool] = ...) -> None: ...

class AddGitLabProviderRequest(_message.Message):
    __slots__ = ("name", "client_id", "client_secret", "scopes", "provider_options", "trusted_email", "id")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SECRET_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_EMAIL_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    name: str
    client_id: str
    client_secret: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    provider_options: _idp_pb2.ProviderOptions
    trusted_email: bool
    id: str
    def __init__(self, name: _Optional[str] = ..., client_id: _Optional[str] = ..., client_secret: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., provider_options: _Optional[_Union[_idp_pb2.ProviderOptions, _Mapping]] = ..., trusted_email: _Optional[bool] = ..., id: _Optional[str] = ...) -> None: ...

class UpdateGitLabProviderRequest(_message.Message):
    __slots__ = ("idp_id", "name", "client_id", "client_secret", "scopes", "provider_options", "trusted_email")
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SECRET_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_EMAIL_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    name: str
    client_id: str
    client_secret: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    provider_options: _idp_pb2.ProviderOptions
    trusted_email: bool
    def __init__(self, idp_id: _Optional[str] = ..., name: _Optional[str] = ..., client_id: _Optional[str] = ..., client_secret: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., provider_options: _Optional[_Union[_idp_pb2.ProviderOptions, _Mapping]] = ..., trusted_email: _Optional[bool] = ...) -> None: ...

class AddGitLabSelfHostedProviderRequest(_message.Message):
    __slots__ = ("issuer", "name", "client_id", "client_secret", "scopes", "provider_options", "trusted_email", "id")
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SECRET_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_EMAIL_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    issuer: str
    name: str
    client_id: str
    client_secret: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    provider_options: _idp_pb2.ProviderOptions
    trusted_email: bool
    id: str
    def __init__(self, issuer: _Optional[str] = ..., name: _Optional[str] = ..., client_id: _Optional[str] = ..., client_secret: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., provider_options: _Optional[_Union[_idp_pb2.ProviderOptions, _Mapping]] = ..., trusted_email: _Optional[bool] = ..., id: _Optional[str] = ...) -> None: ...

class UpdateGitLabSelfHostedProviderRequest(_message.Message):
    __slots__ = ("idp_id", "issuer", "name", "client_id", "client_secret", "scopes", "provider_options", "trusted_email")
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SECRET_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_EMAIL_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    issuer: str
    name: str
    client_id: str
    client_secret: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    provider_options: _idp_pb2.ProviderOptions
    trusted_email: bool
    def __init__(self, idp_id: _Optional[str] = ..., issuer: _Optional[str] = ..., name: _Optional[str] = ..., client_id: _Optional[str] = ..., client_secret: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., provider_options: _Optional[_Union[_idp_pb2.ProviderOptions, _Mapping]] = ..., trusted_email: _Optional[bool] = ...) -> None: ...

class AddAppleProviderRequest(_message.Message):
    __slots__ = ("name", "client_id", "team_id", "key_id", "private_key", "scopes", "provider_options", "trusted_email", "id")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    TEAM_ID_FIELD_NUMBER: _ClassVar[int]
    KEY_ID_FIELD_NUMBER: _ClassVar[int]
    PRIVATE_KEY_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_EMAIL_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    name: str
    client_id: str
    team_id: str
    key_id: str
    private_key: bytes
    scopes: _containers.RepeatedScalarFieldContainer[str]
    provider_options: _idp_pb2.ProviderOptions
    trusted_email: bool
    id: str
    def __init__(self, name: _Optional[str] = ..., client_id: _Optional[str] = ..., team_id: _Optional[str] = ..., key_id: _Optional[str] = ..., private_key: _Optional[bytes] = ..., scopes: _Optional[_Iterable[str]] = ..., provider_options: _Optional[_Union[_idp_pb2.ProviderOptions, _Mapping]] = ..., trusted_email: _Optional[bool] = ..., id: _Optional[str] = ...) -> None: ...

class UpdateAppleProviderRequest(_message.Message):
    __slots__ = ("idp_id", "name", "client_id", "team_id", "key_id", "private_key", "scopes", "provider_options", "trusted_email")
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    TEAM_ID_FIELD_NUMBER: _ClassVar[int]
    KEY_ID_FIELD_NUMBER: _ClassVar[int]
    PRIVATE_KEY_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_EMAIL_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    name: str
    client_id: str
    team_id: str
    key_id: str
    private_key: bytes
    scopes: _containers.RepeatedScalarFieldContainer[str]
    provider_options: _idp_pb2.ProviderOptions
    trusted_email: bool
    def __init__(self, idp_id: _Optional[str] = ..., name: _Optional[str] = ..., client_id: _Optional[str] = ..., team_id: _Optional[str] = ..., key_id: _Optional[str] = ..., private_key: _Optional[bytes] = ..., scopes: _Optional[_Iterable[str]] = ..., provider_options: _Optional[_Union[_idp_pb2.ProviderOptions, _Mapping]] = ..., trusted_email: _Optional[bool] = ...) -> None: ...

class MigrateGenericOIDCProviderRequest(_message.Message):
    __slots__ = ("idp_id", "azure", "google")
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    AZURE_FIELD_NUMBER: _ClassVar[int]
    GOOGLE_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    azure: AddAzureADProviderRequest
    google: AddGoogleProviderRequest
    def __init__(self, idp_id: _Optional[str] = ..., azure: _Optional[_Union[AddAzureADProviderRequest, _Mapping]] = ..., google: _Optional[_Union[AddGoogleProviderRequest, _Mapping]] = ...) -> None: ...
