import datetime

from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from portico_contracts.generated.portico.management.v1 import app_pb2 as _app_pb2
from portico_contracts.generated.portico.management.v1 import keys_pb2 as _keys_pb2
from portico_contracts.generated.portico.management.v1 import trusted_workload_pb2 as _trusted_workload_pb2
from portico_contracts.generated.portico.user.v2 import user_pb2 as _user_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from portico_contracts.generated.portico.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PersonalAccessToken(_message.Message):
    __slots__ = ("id", "details", "expiration_date")
    ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    EXPIRATION_DATE_FIELD_NUMBER: _ClassVar[int]
    id: str
    details: _object_pb2.ObjectDetails
    expiration_date: _timestamp_pb2.Timestamp
    def __init__(self, id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., expiration_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class AddMachineUserRequest(_message.Message):
    __slots__ = ("user_name", "name", "description", "access_token_type", "access_token_alg", "generate_secret", "dpop")
    USER_NAME_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    ACCESS_TOKEN_TYPE_FIELD_NUMBER: _ClassVar[int]
    ACCESS_TOKEN_ALG_FIELD_NUMBER: _ClassVar[int]
    GENERATE_SECRET_FIELD_NUMBER: _ClassVar[int]
    DPOP_FIELD_NUMBER: _ClassVar[int]
    user_name: str
    name: str
    description: str
    access_token_type: _user_pb2.AccessTokenType
    access_token_alg: str
    generate_secret: bool
    dpop: _app_pb2.Dpop
    def __init__(self, user_name: _Optional[str] = ..., name: _Optional[str] = ..., description: _Optional[str] = ..., access_token_type: _Optional[_Union[_user_pb2.AccessTokenType, str]] = ..., access_token_alg: _Optional[str] = ..., generate_secret: _Optional[bool] = ..., dpop: _Optional[_Union[_app_pb2.Dpop, str]] = ...) -> None: ...

class AddMachineUserResponse(_message.Message):
    __slots__ = ("user_id", "details", "client_secret")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SECRET_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    details: _object_pb2.ObjectDetails
    client_secret: str
    def __init__(self, user_id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., client_secret: _Optional[str] = ...) -> None: ...

class UpdateMachineRequest(_message.Message):
    __slots__ = ("user_id", "name", "description", "access_token_type", "access_token_alg", "dpop")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    ACCESS_TOKEN_TYPE_FIELD_NUMBER: _ClassVar[int]
    ACCESS_TOKEN_ALG_FIELD_NUMBER: _ClassVar[int]
    DPOP_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    name: str
    description: str
    access_token_type: _user_pb2.AccessTokenType
    access_token_alg: str
    dpop: _app_pb2.Dpop
    def __init__(self, user_id: _Optional[str] = ..., name: _Optional[str] = ..., description: _Optional[str] = ..., access_token_type: _Optional[_Union[_user_pb2.AccessTokenType, str]] = ..., access_token_alg: _Optional[str] = ..., dpop: _Optional[_Union[_app_pb2.Dpop, str]] = ...) -> None: ...

class UpdateMachineResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class GenerateMachineSecretRequest(_message.Message):
    __slots__ = ("user_id", "keep_seconds", "expires_after_days")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    KEEP_SECONDS_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AFTER_DAYS_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    keep_seconds: int
    expires_after_days: int
    def __init__(self, user_id: _Optional[str] = ..., keep_seconds: _Optional[int] = ..., expires_after_days: _Optional[int] = ...) -> None: ...

class GenerateMachineSecretResponse(_message.Message):
    __slots__ = ("client_id", "client_secret", "details", "previous_secret_until")
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SECRET_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    PREVIOUS_SECRET_UNTIL_FIELD_NUMBER: _ClassVar[int]
    client_id: str
    client_secret: str
    details: _object_pb2.ObjectDetails
    previous_secret_until: _timestamp_pb2.Timestamp
    def __init__(self, client_id: _Optional[str] = ..., client_secret: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., previous_secret_until: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class RemoveMachineSecretRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class RemoveMachineSecretResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class RemovePreviousMachineSecretRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class RemovePreviousMachineSecretResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class AddMachineKeyRequest(_message.Message):
    __slots__ = ("user_id", "type", "expiration_date", "public_key")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    EXPIRATION_DATE_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_KEY_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    type: _keys_pb2.KeyType
    expiration_date: _timestamp_pb2.Timestamp
    public_key: bytes
    def __init__(self, user_id: _Optional[str] = ..., type: _Optional[_Union[_keys_pb2.KeyType, str]] = ..., expiration_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., public_key: _Optional[bytes] = ...) -> None: ...

class AddMachineKeyResponse(_message.Message):
    __slots__ = ("key_id", "details", "key_details")
    KEY_ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    KEY_DETAILS_FIELD_NUMBER: _ClassVar[int]
    key_id: str
    details: _object_pb2.ObjectDetails
    key_details: bytes
    def __init__(self, key_id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., key_details: _Optional[bytes] = ...) -> None: ...

class GetMachineKeyByIDsRequest(_message.Message):
    __slots__ = ("user_id", "key_id")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    KEY_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    key_id: str
    def __init__(self, user_id: _Optional[str] = ..., key_id: _Optional[str] = ...) -> None: ...

class GetMachineKeyByIDsResponse(_message.Message):
    __slots__ = ("key",)
    KEY_FIELD_NUMBER: _ClassVar[int]
    key: _keys_pb2.Key
    def __init__(self, key: _Optional[_Union[_keys_pb2.Key, _Mapping]] = ...) -> None: ...

class RemoveMachineKeyRequest(_message.Message):
    __slots__ = ("user_id", "key_id")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    KEY_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    key_id: str
    def __init__(self, user_id: _Optional[str] = ..., key_id: _Optional[str] = ...) -> None: ...

class RemoveMachineKeyResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class ListMachineKeysRequest(_message.Message):
    __slots__ = ("user_id", "query")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    query: _object_pb2.ListQuery
    def __init__(self, user_id: _Optional[str] = ..., query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ...) -> None: ...

class ListMachineKeysResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[_keys_pb2.Key]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[_keys_pb2.Key, _Mapping]]] = ...) -> None: ...

class SetMachineTrustedWorkloadsRequest(_message.Message):
    __slots__ = ("user_id", "trusted_workloads")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_WORKLOADS_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    trusted_workloads: _containers.RepeatedCompositeFieldContainer[_trusted_workload_pb2.TrustedWorkload]
    def __init__(self, user_id: _Optional[str] = ..., trusted_workloads: _Optional[_Iterable[_Union[_trusted_workload_pb2.TrustedWorkload, _Mapping]]] = ...) -> None: ...

class SetMachineTrustedWorkloadsResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class GetMachineTrustedWorkloadsRequest(_message.Message):
    __slots__ = ("user_id",)
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    def __init__(self, user_id: _Optional[str] = ...) -> None: ...

class GetMachineTrustedWorkloadsResponse(_message.Message):
    __slots__ = ("details", "trusted_workloads", "last_refused", "last_uses")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    TRUSTED_WORKLOADS_FIELD_NUMBER: _ClassVar[int]
    LAST_REFUSED_FIELD_NUMBER: _ClassVar[int]
    LAST_USES_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    trusted_workloads: _containers.RepeatedCompositeFieldContainer[_trusted_workload_pb2.TrustedWorkload]
    last_refused: _trusted_workload_pb2.RefusedWorkloadToken
    last_uses: _containers.RepeatedCompositeFieldContainer[_trusted_workload_pb2.WorkloadUse]
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., trusted_workloads: _Optional[_Iterable[_Union[_trusted_workload_pb2.TrustedWorkload, _Mapping]]] = ..., last_refused: _Optional[_Union[_trusted_workload_pb2.RefusedWorkloadToken, _Mapping]] = ..., last_uses: _Optional[_Iterable[_Union[_trusted_workload_pb2.WorkloadUse, _Mapping]]] = ...) -> None: ...

class AddPersonalAccessTokenRequest(_message.Message):
    __slots__ = ("user_id", "expiration_date")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    EXPIRATION_DATE_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    expiration_date: _timestamp_pb2.Timestamp
    def __init__(self, user_id: _Optional[str] = ..., expiration_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class AddPersonalAccessTokenResponse(_message.Message):
    __slots__ = ("token_id", "token", "details")
    TOKEN_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    token_id: str
    token: str
    details: _object_pb2.ObjectDetails
    def __init__(self, token_id: _Optional[str] = ..., token: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class GetPersonalAccessTokenByIDsRequest(_message.Message):
    __slots__ = ("user_id", "token_id")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    token_id: str
    def __init__(self, user_id: _Optional[str] = ..., token_id: _Optional[str] = ...) -> None: ...

class GetPersonalAccessTokenByIDsResponse(_message.Message):
    __slots__ = ("token",)
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    token: PersonalAccessToken
    def __init__(self, token: _Optional[_Union[PersonalAccessToken, _Mapping]] = ...) -> None: ...

class RemovePersonalAccessTokenRequest(_message.Message):
    __slots__ = ("user_id", "token_id")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    token_id: str
    def __init__(self, user_id: _Optional[str] = ..., token_id: _Optional[str] = ...) -> None: ...

class RemovePersonalAccessTokenResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class ListPersonalAccessTokensRequest(_message.Message):
    __slots__ = ("user_id", "query")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    query: _object_pb2.ListQuery
    def __init__(self, user_id: _Optional[str] = ..., query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ...) -> None: ...

class ListPersonalAccessTokensResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[PersonalAccessToken]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[PersonalAccessToken, _Mapping]]] = ...) -> None: ...
