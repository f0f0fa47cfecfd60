from portico_contracts.generated.buf.validate import validate_pb2 as _validate_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ImportOutcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    IMPORT_OUTCOME_UNSPECIFIED: _ClassVar[ImportOutcome]
    IMPORT_OUTCOME_CREATED: _ClassVar[ImportOutcome]
    IMPORT_OUTCOME_EXISTS: _ClassVar[ImportOutcome]
    IMPORT_OUTCOME_REFUSED: _ClassVar[ImportOutcome]
IMPORT_OUTCOME_UNSPECIFIED: ImportOutcome
IMPORT_OUTCOME_CREATED: ImportOutcome
IMPORT_OUTCOME_EXISTS: ImportOutcome
IMPORT_OUTCOME_REFUSED: ImportOutcome

class ImportHumanUsersRequest(_message.Message):
    __slots__ = ("rows", "dry_run", "import_id")
    ROWS_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    IMPORT_ID_FIELD_NUMBER: _ClassVar[int]
    rows: _containers.RepeatedScalarFieldContainer[str]
    dry_run: bool
    import_id: str
    def __init__(self, rows: _Optional[_Iterable[str]] = ..., dry_run: _Optional[bool] = ..., import_id: _Optional[str] = ...) -> None: ...

class ImportHumanUsersResponse(_message.Message):
    __slots__ = ("result",)
    RESULT_FIELD_NUMBER: _ClassVar[int]
    result: _containers.RepeatedCompositeFieldContainer[ImportedHumanUser]
    def __init__(self, result: _Optional[_Iterable[_Union[ImportedHumanUser, _Mapping]]] = ...) -> None: ...

class ImportedHumanUser(_message.Message):
    __slots__ = ("outcome", "user_id", "problems", "retry")
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    RETRY_FIELD_NUMBER: _ClassVar[int]
    outcome: ImportOutcome
    user_id: str
    problems: _containers.RepeatedCompositeFieldContainer[ImportProblem]
    retry: bool
    def __init__(self, outcome: _Optional[_Union[ImportOutcome, str]] = ..., user_id: _Optional[str] = ..., problems: _Optional[_Iterable[_Union[ImportProblem, _Mapping]]] = ..., retry: _Optional[bool] = ...) -> None: ...

class ImportProblem(_message.Message):
    __slots__ = ("field", "id", "text")
    FIELD_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    field: str
    id: str
    text: str
    def __init__(self, field: _Optional[str] = ..., id: _Optional[str] = ..., text: _Optional[str] = ...) -> None: ...
