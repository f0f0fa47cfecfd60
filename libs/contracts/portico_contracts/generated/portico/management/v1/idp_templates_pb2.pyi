import datetime

from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from portico_contracts.generated.portico.management.v1 import idp_pb2 as _idp_pb2
from portico_contracts.generated.portico.management.v1 import idp_ldap_pb2 as _idp_ldap_pb2
from portico_contracts.generated.portico.management.v1 import idp_preset_configs_pb2 as _idp_preset_configs_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ProviderType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PROVIDER_TYPE_UNSPECIFIED: _ClassVar[ProviderType]
    PROVIDER_TYPE_OIDC: _ClassVar[ProviderType]
    PROVIDER_TYPE_JWT: _ClassVar[ProviderType]
    PROVIDER_TYPE_LDAP: _ClassVar[ProviderType]
    PROVIDER_TYPE_OAUTH: _ClassVar[ProviderType]
    PROVIDER_TYPE_AZURE_AD: _ClassVar[ProviderType]
    PROVIDER_TYPE_GITHUB: _ClassVar[ProviderType]
    PROVIDER_TYPE_GITHUB_ES: _ClassVar[ProviderType]
    PROVIDER_TYPE_GITLAB: _ClassVar[ProviderType]
    PROVIDER_TYPE_GITLAB_SELF_HOSTED: _ClassVar[ProviderType]
    PROVIDER_TYPE_GOOGLE: _ClassVar[ProviderType]
    PROVIDER_TYPE_APPLE: _ClassVar[ProviderType]
PROVIDER_TYPE_UNSPECIFIED: ProviderType
PROVIDER_TYPE_OIDC: ProviderType
PROVIDER_TYPE_JWT: ProviderType
PROVIDER_TYPE_LDAP: ProviderType
PROVIDER_TYPE_OAUTH: ProviderType
PROVIDER_TYPE_AZURE_AD: ProviderType
PROVIDER_TYPE_GITHUB: ProviderType
PROVIDER_TYPE_GITHUB_ES: ProviderType
PROVIDER_TYPE_GITLAB: ProviderType
PROVIDER_TYPE_GITLAB_SELF_HOSTED: ProviderType
PROVIDER_TYPE_GOOGLE: ProviderType
PROVIDER_TYPE_APPLE: ProviderType

class Provider(_message.Message):
    __slots__ = ("id", "details", "state", "name", "owner", "type", "config")
    ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    CONFIG_FIELD_NUMBER: _ClassVar[int]
    id: str
    details: _object_pb2.ObjectDetails
    state: _idp_pb2.IDPState
    name: str
    owner: _idp_pb2.IDPOwnerType
    type: ProviderType
    config: ProviderConfig
    def __init__(self, id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., state: _Optional[_Union[_idp_pb2.IDPState, str]] = ..., name: _Optional[str] = ..., owner: _Optional[_Union[_idp_pb2.IDPOwnerType, str]] = ..., type: _Optional[_Union[ProviderType, str]] = ..., config: _Optional[_Union[ProviderConfig, _Mapping]] = ...) -> None: ...

class ProviderConfig(_message.Message):
    __slots__ = ("options", "oidc", "jwt", "ldap", "oauth", "google", "github", "github_es", "gitlab", "gitlab_self_hosted", "azure_ad", "apple")
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    OIDC_FIELD_NUMBER: _ClassVar[int]
    JWT_FIELD_NUMBER: _ClassVar[int]
    LDAP_FIELD_NUMBER: _ClassVar[int]
    OAUTH_FIELD_NUMBER: _ClassVar[int]
    GOOGLE_FIELD_NUMBER: _ClassVar[int]
    GITHUB_FIELD_NUMBER: _ClassVar[int]
    GITHUB_ES_FIELD_NUMBER: _ClassVar[int]
    GITLAB_FIELD_NUMBER: _ClassVar[int]
    GITLAB_SELF_HOSTED_FIELD_NUMBER: _ClassVar[int]
    AZURE_AD_FIELD_NUMBER: _ClassVar[int]
    APPLE_FIELD_NUMBER: _ClassVar[int]
    options: _idp_pb2.ProviderOptions
    oidc: GenericOIDCConfig
    jwt: _idp_pb2.JWTIDPConfig
    ldap: _idp_ldap_pb2.LDAPConfig
    oauth: _idp_preset_configs_pb2.OAuthConfig
    google: _idp_preset_configs_pb2.GoogleConfig
    github: _idp_preset_configs_pb2.GitHubConfig
    github_es: _idp_preset_configs_pb2.GitHubEnterpriseServerConfig
    gitlab: _idp_preset_configs_pb2.GitLabConfig
    gitlab_self_hosted: _idp_preset_configs_pb2.GitLabSelfHostedConfig
    azure_ad: _idp_preset_configs_pb2.AzureADConfig
    apple: _idp_preset_configs_pb2.AppleConfig
    def __init__(self, options: _Optional[_Union[_idp_pb2.ProviderOptions, _Mapping]] = ..., oidc: _Optional[_Union[GenericOIDCConfig, _Mapping]] = ..., jwt: _Optional[_Union[_idp_pb2.JWTIDPConfig, _Mapping]] = ..., ldap: _Optional[_Union[_idp_ldap_pb2.LDAPConfig, _Mapping]] = ..., oauth: _Optional[_Union[_idp_preset_configs_pb2.OAuthConfig, _Mapping]] = ..., google: _Optional[_Union[_idp_preset_configs_pb2.GoogleConfig, _Mapping]] = ..., github: _Optional[_Union[_idp_preset_configs_pb2.GitHubConfig, _Mapping]] = ..., github_es: _Optional[_Union[_idp_preset_configs_pb2.GitHubEnterpriseServerConfig, _Mapping]] = ..., gitlab: _Optional[_Union[_idp_preset_configs_pb2.GitLabConfig, _Mapping]] = ..., gitlab_self_hosted: _Optional[_Union[_idp_preset_configs_pb2.GitLabSelfHostedConfig, _Mapping]] = ..., azure_ad: _Optional[_Union[_idp_preset_configs_pb2.AzureADConfig, _Mapping]] = ..., apple: _Optional[_Union[_idp_preset_configs_pb2.AppleConfig, _Mapping]] = ...) -> None: ...

class GenericOIDCConfig(_message.Message):
    __slots__ = ("issuer", "client_id", "scopes", "has_client_secret", "trusted_email", "preset")
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    HAS_CLIENT_SECRET_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_EMAIL_FIELD_NUMBER: _ClassVar[int]
    PRESET_FIELD_NUMBER: _ClassVar[int]
    issuer: str
    client_id: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    has_client_secret: bool
    trusted_email: bool
    preset: str
    def __init__(self, issuer: _Optional[str] = ..., client_id: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., has_client_secret: _Optional[bool] = ..., trusted_email: _Optional[bool] = ..., preset: _Optional[str] = ...) -> None: ...

class GetProviderByIDResponse(_message.Message):
    __slots__ = ("idp", "last_test")
    IDP_FIELD_NUMBER: _ClassVar[int]
    LAST_TEST_FIELD_NUMBER: _ClassVar[int]
    idp: Provider
    last_test: LastProviderTest
    def __init__(self, idp: _Optional[_Union[Provider, _Mapping]] = ..., last_test: _Optional[_Union[LastProviderTest, _Mapping]] = ...) -> None: ...

class LastProviderTest(_message.Message):
    __slots__ = ("time", "user_id", "error_id", "error_text", "outdated")
    TIME_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    ERROR_ID_FIELD_NUMBER: _ClassVar[int]
    ERROR_TEXT_FIELD_NUMBER: _ClassVar[int]
    OUTDATED_FIELD_NUMBER: _ClassVar[int]
    time: _timestamp_pb2.Timestamp
    user_id: str
    error_id: str
    error_text: str
    outdated: bool
    def __init__(self, time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., user_id: _Optional[str] = ..., error_id: _Optional[str] = ..., error_text: _Optional[str] = ..., outdated: _Optional[bool] = ...) -> None: ...

class GetProviderUsageRequest(_message.Message):
    __slots__ = ("idp_id",)
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    def __init__(self, idp_id: _Optional[str] = ...) -> None: ...

class GetProviderUsageResponse(_message.Message):
    __slots__ = ("linked_users", "only_way_in")
    LINKED_USERS_FIELD_NUMBER: _ClassVar[int]
    ONLY_WAY_IN_FIELD_NUMBER: _ClassVar[int]
    linked_users: int
    only_way_in: int
    def __init__(self, linked_users: _Optional[int] = ..., only_way_in: _Optional[int] = ...) -> None: ...

class ListProvidersResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[Provider]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[Provider, _Mapping]]] = ...) -> None: ...

class AddGenericOIDCProviderRequest(_message.Message):
    __slots__ = ("name", "issuer", "client_id", "client_secret", "scopes", "provider_options", "trusted_email", "id", "preset")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SECRET_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_EMAIL_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    PRESET_FIELD_NUMBER: _ClassVar[int]
    name: str
    issuer: str
    client_id: str
    client_secret: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    provider_options: _idp_pb2.ProviderOptions
    trusted_email: bool
    id: str
    preset: str
    def __init__(self, name: _Optional[str] = ..., issuer: _Optional[str] = ..., client_id: _Optional[str] = ..., client_secret: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., provider_options: _Optional[_Union[_idp_pb2.ProviderOptions, _Mapping]] = ..., trusted_email: _Optional[bool] = ..., id: _Optional[str] = ..., preset: _Optional[str] = ...) -> None: ...

class AddGenericOIDCProviderResponse(_message.Message):
    __slots__ = ("details", "id")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    id: str
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., id: _Optional[str] = ...) -> None: ...

class UpdateGenericOIDCProviderRequest(_message.Message):
    __slots__ = ("idp_id", "name", "issuer", "client_id", "client_secret", "scopes", "provider_options", "trusted_email")
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ISSUER_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SECRET_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_OPTIONS_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_EMAIL_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    name: str
    issuer: str
    client_id: str
    client_secret: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    provider_options: _idp_pb2.ProviderOptions
    trusted_email: bool
    def __init__(self, idp_id: _Optional[str] = ..., name: _Optional[str] = ..., issuer: _Optional[str] = ..., client_id: _Optional[str] = ..., client_secret: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., provider_options: _Optional[_Union[_idp_pb2.ProviderOptions, _Mapping]] = ..., trusted_email: _Optional[bool] = ...) -> None: ...
