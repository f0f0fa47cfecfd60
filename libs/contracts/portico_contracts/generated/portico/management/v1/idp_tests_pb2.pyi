from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from portico_contracts.generated.portico.user.v2 import idp_intents_pb2 as _idp_intents_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ProviderTestEffect(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PROVIDER_TEST_EFFECT_UNSPECIFIED: _ClassVar[ProviderTestEffect]
    PROVIDER_TEST_EFFECT_SIGNS_IN: _ClassVar[ProviderTestEffect]
    PROVIDER_TEST_EFFECT_LINKS: _ClassVar[ProviderTestEffect]
    PROVIDER_TEST_EFFECT_CREATES: _ClassVar[ProviderTestEffect]
    PROVIDER_TEST_EFFECT_ASKS: _ClassVar[ProviderTestEffect]
    PROVIDER_TEST_EFFECT_NO_ACCOUNT: _ClassVar[ProviderTestEffect]
    PROVIDER_TEST_EFFECT_REFUSED: _ClassVar[ProviderTestEffect]
PROVIDER_TEST_EFFECT_UNSPECIFIED: ProviderTestEffect
PROVIDER_TEST_EFFECT_SIGNS_IN: ProviderTestEffect
PROVIDER_TEST_EFFECT_LINKS: ProviderTestEffect
PROVIDER_TEST_EFFECT_CREATES: ProviderTestEffect
PROVIDER_TEST_EFFECT_ASKS: ProviderTestEffect
PROVIDER_TEST_EFFECT_NO_ACCOUNT: ProviderTestEffect
PROVIDER_TEST_EFFECT_REFUSED: ProviderTestEffect

class StartProviderTestRequest(_message.Message):
    __slots__ = ("idp_id", "ldap")
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    LDAP_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    ldap: _idp_intents_pb2.LDAPCredentials
    def __init__(self, idp_id: _Optional[str] = ..., ldap: _Optional[_Union[_idp_intents_pb2.LDAPCredentials, _Mapping]] = ...) -> None: ...

class StartProviderTestResponse(_message.Message):
    __slots__ = ("test_id", "auth_url", "token")
    TEST_ID_FIELD_NUMBER: _ClassVar[int]
    AUTH_URL_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    test_id: str
    auth_url: str
    token: str
    def __init__(self, test_id: _Optional[str] = ..., auth_url: _Optional[str] = ..., token: _Optional[str] = ...) -> None: ...

class GetProviderTestRequest(_message.Message):
    __slots__ = ("idp_id", "test_id", "token")
    IDP_ID_FIELD_NUMBER: _ClassVar[int]
    TEST_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    idp_id: str
    test_id: str
    token: str
    def __init__(self, idp_id: _Optional[str] = ..., test_id: _Optional[str] = ..., token: _Optional[str] = ...) -> None: ...

class ProviderTestClaims(_message.Message):
    __slots__ = ("source", "claims")
    class Claim(_message.Message):
        __slots__ = ("name", "value")
        NAME_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        name: str
        value: str
        def __init__(self, name: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    CLAIMS_FIELD_NUMBER: _ClassVar[int]
    source: str
    claims: _containers.RepeatedCompositeFieldContainer[ProviderTestClaims.Claim]
    def __init__(self, source: _Optional[str] = ..., claims: _Optional[_Iterable[_Union[ProviderTestClaims.Claim, _Mapping]]] = ...) -> None: ...

class ProviderTestUser(_message.Message):
    __slots__ = ("external_id", "user_name", "first_name", "last_name", "display_name", "email", "email_verified", "email_trusted", "language")
    EXTERNAL_ID_FIELD_NUMBER: _ClassVar[int]
    USER_NAME_FIELD_NUMBER: _ClassVar[int]
    FIRST_NAME_FIELD_NUMBER: _ClassVar[int]
    LAST_NAME_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    EMAIL_VERIFIED_FIELD_NUMBER: _ClassVar[int]
    EMAIL_TRUSTED_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    external_id: str
    user_name: str
    first_name: str
    last_name: str
    display_name: str
    email: str
    email_verified: bool
    email_trusted: bool
    language: str
    def __init__(self, external_id: _Optional[str] = ..., user_name: _Optional[str] = ..., first_name: _Optional[str] = ..., last_name: _Optional[str] = ..., display_name: _Optional[str] = ..., email: _Optional[str] = ..., email_verified: _Optional[bool] = ..., email_trusted: _Optional[bool] = ..., language: _Optional[str] = ...) -> None: ...

class GetProviderTestResponse(_message.Message):
    __slots__ = ("claims", "user", "effect", "user_id", "login_name", "missing", "error_id", "error_text", "error_fix", "error_cause", "error_description", "error_url")
    CLAIMS_FIELD_NUMBER: _ClassVar[int]
    USER_FIELD_NUMBER: _ClassVar[int]
    EFFECT_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    LOGIN_NAME_FIELD_NUMBER: _ClassVar[int]
    MISSING_FIELD_NUMBER: _ClassVar[int]
    ERROR_ID_FIELD_NUMBER: _ClassVar[int]
    ERROR_TEXT_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIX_FIELD_NUMBER: _ClassVar[int]
    ERROR_CAUSE_FIELD_NUMBER: _ClassVar[int]
    ERROR_DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    ERROR_URL_FIELD_NUMBER: _ClassVar[int]
    claims: _containers.RepeatedCompositeFieldContainer[ProviderTestClaims]
    user: ProviderTestUser
    effect: ProviderTestEffect
    user_id: str
    login_name: str
    missing: _containers.RepeatedScalarFieldContainer[str]
    error_id: str
    error_text: str
    error_fix: str
    error_cause: str
    error_description: str
    error_url: str
    def __init__(self, claims: _Optional[_Iterable[_Union[ProviderTestClaims, _Mapping]]] = ..., user: _Optional[_Union[ProviderTestUser, _Mapping]] = ..., effect: _Optional[_Union[ProviderTestEffect, str]] = ..., user_id: _Optional[str] = ..., login_name: _Optional[str] = ..., missing: _Optional[_Iterable[str]] = ..., error_id: _Optional[str] = ..., error_text: _Optional[str] = ..., error_fix: _Optional[str] = ..., error_cause: _Optional[str] = ..., error_description: _Optional[str] = ..., error_url: _Optional[str] = ...) -> None: ...
