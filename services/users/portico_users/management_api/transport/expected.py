from __future__ import annotations

import re
from typing import Final

import msgspec
from google.protobuf.message import Message
from portico_contracts.generated.portico.object.v2.object_pb2 import Details
from portico_contracts.generated.portico.v1.object_pb2 import ObjectDetails
from portico_contracts.management import Method
from portico_oauth.errors import ErrorCode, Kind

from portico_users.journal.expected_version import ExpectedVersion, expecting
from portico_users.management_api.transport.call import Call
from portico_users.management_api.transport.metadata import Metadata
from portico_users.management_api.transport.operation import Operation
from portico_users.management_api.transport.wire.json_types import Answer, JsonMessage, json_type
from portico_users.values.records import Record

INVALID_VERSION = ErrorCode(
    "USER-729",
    Kind.INVALID_REQUEST,
    "If-Match must contain one sequence in quotes.",
    'Send the sequence from the details you read, such as If-Match: "7".',
)
NO_VERSION_HERE = ErrorCode(
    "USER-730",
    Kind.INVALID_REQUEST,
    "This operation does not support If-Match.",
    "Omit the header. It is for changes that return the details of the object.",
)

_TAG: Final = re.compile(r'"([0-9]{1,20})"|([0-9]{1,20})')
"""A strong entity tag (RFC 9110 §8.8.3), or the bare number in gRPC metadata."""


DETAILS: Final = (Details, ObjectDetails, json_type(Details), json_type(ObjectDetails))
"""The types of the details of an object."""


def read_expected(method: Method, metadata: Metadata) -> int | None:
    if not metadata.if_match:
        return None
    if not method.answers_version:
        raise NO_VERSION_HERE.error(operation=method.name)
    tag = _TAG.fullmatch(metadata.if_match[0].strip())
    if len(metadata.if_match) > 1 or tag is None:
        raise INVALID_VERSION.error()
    return int(tag[1] or tag[2])


async def perform_expected(operation: Operation, call: Call[object], request: Message, sequence: int | None) -> Answer:
    """Performs the operation only if the object has the expected sequence; otherwise raises USER-728."""
    with expecting(sequence) as expected:
        if expected and not operation.changes_other and (found := _record_of(call.target.subject)):
            # Check before the command runs: its effects before the commit (attempts, codes, links) must not happen
            # either.
            expected.require(found.sequence)
        answer = await operation.handle(call, request)
        if expected:
            _require_answered(expected, answer)
        return answer


def entity_tag(answer: Answer) -> str:
    """Returns the entity tag of an object in a response; empty for other responses."""
    for part in (answer, *_objects_in(answer)):
        details = getattr(part, "details", None)
        # An organization's change does not replace an inherited instance policy, so it gets no entity tag.
        if isinstance(details, DETAILS) and details.sequence and not getattr(part, "is_default", False):
            return f'"{details.sequence}"'
    return ""


def _objects_in(answer: Answer) -> list[object]:
    if isinstance(answer, JsonMessage):
        return [value for value in msgspec.structs.astuple(answer) if isinstance(value, JsonMessage)]
    return [value for field, value in answer.ListFields() if field.message_type and not field.is_repeated]


def _record_of(subject: object) -> Record | None:
    parts = subject if isinstance(subject, tuple) else (subject,)
    return next((part for part in parts if isinstance(part, Record)), None)


def _require_answered(expected: ExpectedVersion, answer: Answer) -> None:
    """Checks the sequence in the response when nothing was written."""
    details = getattr(answer, "details", None)
    expected.require(int(details.sequence) if isinstance(details, DETAILS) else 0)
