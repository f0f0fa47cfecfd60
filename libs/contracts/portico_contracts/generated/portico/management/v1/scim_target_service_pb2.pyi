import datetime

from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from portico_contracts.generated.portico.v1 import object_pb2 as _object_pb2
from portico_contracts.generated.portico.v1 import options_pb2 as _options_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ScimTargetPeople(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SCIM_TARGET_PEOPLE_ROLES: _ClassVar[ScimTargetPeople]
    SCIM_TARGET_PEOPLE_ORGANIZATION: _ClassVar[ScimTargetPeople]

class ScimTargetUserName(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SCIM_TARGET_USER_NAME_LOGIN_NAME: _ClassVar[ScimTargetUserName]
    SCIM_TARGET_USER_NAME_ADDRESS: _ClassVar[ScimTargetUserName]

class ScimTargetState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SCIM_TARGET_STATE_UNSPECIFIED: _ClassVar[ScimTargetState]
    SCIM_TARGET_STATE_ACTIVE: _ClassVar[ScimTargetState]
    SCIM_TARGET_STATE_INACTIVE: _ClassVar[ScimTargetState]

class ScimTargetRunState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SCIM_TARGET_RUN_STATE_UNSPECIFIED: _ClassVar[ScimTargetRunState]
    SCIM_TARGET_RUN_STATE_WAITING: _ClassVar[ScimTargetRunState]
    SCIM_TARGET_RUN_STATE_RUNNING: _ClassVar[ScimTargetRunState]
    SCIM_TARGET_RUN_STATE_ENDED: _ClassVar[ScimTargetRunState]
SCIM_TARGET_PEOPLE_ROLES: ScimTargetPeople
SCIM_TARGET_PEOPLE_ORGANIZATION: ScimTargetPeople
SCIM_TARGET_USER_NAME_LOGIN_NAME: ScimTargetUserName
SCIM_TARGET_USER_NAME_ADDRESS: ScimTargetUserName
SCIM_TARGET_STATE_UNSPECIFIED: ScimTargetState
SCIM_TARGET_STATE_ACTIVE: ScimTargetState
SCIM_TARGET_STATE_INACTIVE: ScimTargetState
SCIM_TARGET_RUN_STATE_UNSPECIFIED: ScimTargetRunState
SCIM_TARGET_RUN_STATE_WAITING: ScimTargetRunState
SCIM_TARGET_RUN_STATE_RUNNING: ScimTargetRunState
SCIM_TARGET_RUN_STATE_ENDED: ScimTargetRunState

class ScimTargetFailure(_message.Message):
    __slots__ = ("user_id", "name", "date", "http_status", "cause", "next_attempt")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    DATE_FIELD_NUMBER: _ClassVar[int]
    HTTP_STATUS_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    NEXT_ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    name: str
    date: _timestamp_pb2.Timestamp
    http_status: int
    cause: str
    next_attempt: _timestamp_pb2.Timestamp
    def __init__(self, user_id: _Optional[str] = ..., name: _Optional[str] = ..., date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., http_status: _Optional[int] = ..., cause: _Optional[str] = ..., next_attempt: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ScimTargetRun(_message.Message):
    __slots__ = ("state", "start_date", "end_date", "cause", "unchanged_count", "create_count", "adopt_count", "change_count", "deactivate_count", "delete_count", "refuse_count", "created", "adopted", "changed", "deactivated", "deleted", "refused")
    STATE_FIELD_NUMBER: _ClassVar[int]
    START_DATE_FIELD_NUMBER: _ClassVar[int]
    END_DATE_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    UNCHANGED_COUNT_FIELD_NUMBER: _ClassVar[int]
    CREATE_COUNT_FIELD_NUMBER: _ClassVar[int]
    ADOPT_COUNT_FIELD_NUMBER: _ClassVar[int]
    CHANGE_COUNT_FIELD_NUMBER: _ClassVar[int]
    DEACTIVATE_COUNT_FIELD_NUMBER: _ClassVar[int]
    DELETE_COUNT_FIELD_NUMBER: _ClassVar[int]
    REFUSE_COUNT_FIELD_NUMBER: _ClassVar[int]
    CREATED_FIELD_NUMBER: _ClassVar[int]
    ADOPTED_FIELD_NUMBER: _ClassVar[int]
    CHANGED_FIELD_NUMBER: _ClassVar[int]
    DEACTIVATED_FIELD_NUMBER: _ClassVar[int]
    DELETED_FIELD_NUMBER: _ClassVar[int]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    state: ScimTargetRunState
    start_date: _timestamp_pb2.Timestamp
    end_date: _timestamp_pb2.Timestamp
    cause: str
    unchanged_count: int
    create_count: int
    adopt_count: int
    change_count: int
    deactivate_count: int
    delete_count: int
    refuse_count: int
    created: _containers.RepeatedScalarFieldContainer[str]
    adopted: _containers.RepeatedScalarFieldContainer[str]
    changed: _containers.RepeatedScalarFieldContainer[str]
    deactivated: _containers.RepeatedScalarFieldContainer[str]
    deleted: _containers.RepeatedScalarFieldContainer[str]
    refused: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, state: _Optional[_Union[ScimTargetRunState, str]] = ..., start_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., end_date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., cause: _Optional[str] = ..., unchanged_count: _Optional[int] = ..., create_count: _Optional[int] = ..., adopt_count: _Optional[int] = ..., change_count: _Optional[int] = ..., deactivate_count: _Optional[int] = ..., delete_count: _Optional[int] = ..., refuse_count: _Optional[int] = ..., created: _Optional[_Iterable[str]] = ..., adopted: _Optional[_Iterable[str]] = ..., changed: _Optional[_Iterable[str]] = ..., deactivated: _Optional[_Iterable[str]] = ..., deleted: _Optional[_Iterable[str]] = ..., refused: _Optional[_Iterable[str]] = ...) -> None: ...

class ScimTarget(_message.Message):
    __slots__ = ("id", "details", "name", "state", "url", "people", "user_name", "deletes_leavers", "adopts", "rate", "failure", "failing_since", "waiting_count", "failures", "dry_run", "comparison", "app_id", "last_test")
    ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    PEOPLE_FIELD_NUMBER: _ClassVar[int]
    USER_NAME_FIELD_NUMBER: _ClassVar[int]
    DELETES_LEAVERS_FIELD_NUMBER: _ClassVar[int]
    ADOPTS_FIELD_NUMBER: _ClassVar[int]
    RATE_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    FAILING_SINCE_FIELD_NUMBER: _ClassVar[int]
    WAITING_COUNT_FIELD_NUMBER: _ClassVar[int]
    FAILURES_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    COMPARISON_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    LAST_TEST_FIELD_NUMBER: _ClassVar[int]
    id: str
    details: _object_pb2.ObjectDetails
    name: str
    state: ScimTargetState
    url: str
    people: ScimTargetPeople
    user_name: ScimTargetUserName
    deletes_leavers: bool
    adopts: bool
    rate: int
    failure: str
    failing_since: _timestamp_pb2.Timestamp
    waiting_count: int
    failures: _containers.RepeatedCompositeFieldContainer[ScimTargetFailure]
    dry_run: ScimTargetRun
    comparison: ScimTargetRun
    app_id: str
    last_test: ScimTargetTest
    def __init__(self, id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ..., name: _Optional[str] = ..., state: _Optional[_Union[ScimTargetState, str]] = ..., url: _Optional[str] = ..., people: _Optional[_Union[ScimTargetPeople, str]] = ..., user_name: _Optional[_Union[ScimTargetUserName, str]] = ..., deletes_leavers: _Optional[bool] = ..., adopts: _Optional[bool] = ..., rate: _Optional[int] = ..., failure: _Optional[str] = ..., failing_since: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., waiting_count: _Optional[int] = ..., failures: _Optional[_Iterable[_Union[ScimTargetFailure, _Mapping]]] = ..., dry_run: _Optional[_Union[ScimTargetRun, _Mapping]] = ..., comparison: _Optional[_Union[ScimTargetRun, _Mapping]] = ..., app_id: _Optional[str] = ..., last_test: _Optional[_Union[ScimTargetTest, _Mapping]] = ...) -> None: ...

class ScimTargetTest(_message.Message):
    __slots__ = ("date", "succeeded", "http_status", "cause")
    DATE_FIELD_NUMBER: _ClassVar[int]
    SUCCEEDED_FIELD_NUMBER: _ClassVar[int]
    HTTP_STATUS_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    date: _timestamp_pb2.Timestamp
    succeeded: bool
    http_status: int
    cause: str
    def __init__(self, date: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., succeeded: _Optional[bool] = ..., http_status: _Optional[int] = ..., cause: _Optional[str] = ...) -> None: ...

class AddScimTargetRequest(_message.Message):
    __slots__ = ("project_id", "app_id", "name", "url", "token_secret", "people", "user_name", "deletes_leavers", "adopts", "rate")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    TOKEN_SECRET_FIELD_NUMBER: _ClassVar[int]
    PEOPLE_FIELD_NUMBER: _ClassVar[int]
    USER_NAME_FIELD_NUMBER: _ClassVar[int]
    DELETES_LEAVERS_FIELD_NUMBER: _ClassVar[int]
    ADOPTS_FIELD_NUMBER: _ClassVar[int]
    RATE_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    name: str
    url: str
    token_secret: str
    people: ScimTargetPeople
    user_name: ScimTargetUserName
    deletes_leavers: bool
    adopts: bool
    rate: int
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ..., name: _Optional[str] = ..., url: _Optional[str] = ..., token_secret: _Optional[str] = ..., people: _Optional[_Union[ScimTargetPeople, str]] = ..., user_name: _Optional[_Union[ScimTargetUserName, str]] = ..., deletes_leavers: _Optional[bool] = ..., adopts: _Optional[bool] = ..., rate: _Optional[int] = ...) -> None: ...

class AddScimTargetResponse(_message.Message):
    __slots__ = ("id", "details")
    ID_FIELD_NUMBER: _ClassVar[int]
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    id: str
    details: _object_pb2.ObjectDetails
    def __init__(self, id: _Optional[str] = ..., details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class GetScimTargetRequest(_message.Message):
    __slots__ = ("project_id", "app_id", "target_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    TARGET_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    target_id: str
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ..., target_id: _Optional[str] = ...) -> None: ...

class GetScimTargetResponse(_message.Message):
    __slots__ = ("target",)
    TARGET_FIELD_NUMBER: _ClassVar[int]
    target: ScimTarget
    def __init__(self, target: _Optional[_Union[ScimTarget, _Mapping]] = ...) -> None: ...

class ListScimTargetsRequest(_message.Message):
    __slots__ = ("project_id", "app_id", "query")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    query: _object_pb2.ListQuery
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ..., query: _Optional[_Union[_object_pb2.ListQuery, _Mapping]] = ...) -> None: ...

class ListScimTargetsResponse(_message.Message):
    __slots__ = ("details", "result")
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ListDetails
    result: _containers.RepeatedCompositeFieldContainer[ScimTarget]
    def __init__(self, details: _Optional[_Union[_object_pb2.ListDetails, _Mapping]] = ..., result: _Optional[_Iterable[_Union[ScimTarget, _Mapping]]] = ...) -> None: ...

class UpdateScimTargetRequest(_message.Message):
    __slots__ = ("project_id", "app_id", "target_id", "name", "url", "token_secret", "people", "user_name", "deletes_leavers", "adopts", "rate")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    TARGET_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    URL_FIELD_NUMBER: _ClassVar[int]
    TOKEN_SECRET_FIELD_NUMBER: _ClassVar[int]
    PEOPLE_FIELD_NUMBER: _ClassVar[int]
    USER_NAME_FIELD_NUMBER: _ClassVar[int]
    DELETES_LEAVERS_FIELD_NUMBER: _ClassVar[int]
    ADOPTS_FIELD_NUMBER: _ClassVar[int]
    RATE_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    target_id: str
    name: str
    url: str
    token_secret: str
    people: ScimTargetPeople
    user_name: ScimTargetUserName
    deletes_leavers: bool
    adopts: bool
    rate: int
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ..., target_id: _Optional[str] = ..., name: _Optional[str] = ..., url: _Optional[str] = ..., token_secret: _Optional[str] = ..., people: _Optional[_Union[ScimTargetPeople, str]] = ..., user_name: _Optional[_Union[ScimTargetUserName, str]] = ..., deletes_leavers: _Optional[bool] = ..., adopts: _Optional[bool] = ..., rate: _Optional[int] = ...) -> None: ...

class ChangeScimTargetResponse(_message.Message):
    __slots__ = ("details",)
    DETAILS_FIELD_NUMBER: _ClassVar[int]
    details: _object_pb2.ObjectDetails
    def __init__(self, details: _Optional[_Union[_object_pb2.ObjectDetails, _Mapping]] = ...) -> None: ...

class ActivateScimTargetRequest(_message.Message):
    __slots__ = ("project_id", "app_id", "target_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    TARGET_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    target_id: str
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ..., target_id: _Optional[str] = ...) -> None: ...

class DeactivateScimTargetRequest(_message.Message):
    __slots__ = ("project_id", "app_id", "target_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    TARGET_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    target_id: str
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ..., target_id: _Optional[str] = ...) -> None: ...

class RemoveScimTargetRequest(_message.Message):
    __slots__ = ("project_id", "app_id", "target_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    TARGET_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    target_id: str
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ..., target_id: _Optional[str] = ...) -> None: ...

class TestScimTargetRequest(_message.Message):
    __slots__ = ("project_id", "app_id", "target_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    TARGET_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    target_id: str
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ..., target_id: _Optional[str] = ...) -> None: ...

class DryRunScimTargetRequest(_message.Message):
    __slots__ = ("project_id", "app_id", "target_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    TARGET_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    target_id: str
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ..., target_id: _Optional[str] = ...) -> None: ...

class CompareScimTargetRequest(_message.Message):
    __slots__ = ("project_id", "app_id", "target_id")
    PROJECT_ID_FIELD_NUMBER: _ClassVar[int]
    APP_ID_FIELD_NUMBER: _ClassVar[int]
    TARGET_ID_FIELD_NUMBER: _ClassVar[int]
    project_id: str
    app_id: str
    target_id: str
    def __init__(self, project_id: _Optional[str] = ..., app_id: _Optional[str] = ..., target_id: _Optional[str] = ...) -> None: ...

class TestScimTargetResponse(_message.Message):
    __slots__ = ("test",)
    TEST_FIELD_NUMBER: _ClassVar[int]
    test: ScimTargetTest
    def __init__(self, test: _Optional[_Union[ScimTargetTest, _Mapping]] = ...) -> None: ...

class RunScimTargetResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
