"""Changes that are made from the version their caller has read, and from no later one: `If-Match` in every wire form."""

from __future__ import annotations

import re
from typing import Any, Final

from google.protobuf.message import Message
from portico_contracts.generated.portico.object.v2.object_pb2 import Details
from portico_contracts.generated.portico.v1.object_pb2 import ObjectDetails
from portico_contracts.management import Method
from portico_oauth.errors import ErrorCode, Kind

from portico_users.api.transport.call import Call
from portico_users.api.transport.metadata import Metadata
from portico_users.api.transport.operation import Operation
from portico_users.kernel.expected_version import ExpectedVersion, expecting
from portico_users.kernel.records import Record

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
"""A strong entity tag (RFC 9110 §8.8.3); in gRPC, which has no such form, the number alone."""


def read_expected(method: Method, metadata: Metadata) -> int | None:
    """The sequence a caller expects; None where they name none.

    Raises:
        ServiceError: USER-729 for anything but one sequence, USER-730 where nothing would compare it.
    """
    if not metadata.if_match:
        return None
    if not method.answers_version:
        raise NO_VERSION_HERE.error(operation=method.name)
    tag = _TAG.fullmatch(metadata.if_match[0].strip())
    if len(metadata.if_match) > 1 or tag is None:
        raise INVALID_VERSION.error()
    return int(tag[1] or tag[2])


async def perform_expected(operation: Operation, call: Call[object], request: Message, sequence: int | None) -> Message:
    """The answer of an operation, which changes the object only in the expected version.

    Raises:
        ServiceError: USER-728 for another version; of the operation.
    """
    with expecting(sequence) as expected:
        if expected and (found := _record_of(call.target.subject)):
            # At once: what a command does before its commit (attempts, codes, links) is not done for another version.
            expected.require(found.sequence)
        answer: Message = await operation.handle(call, request)
        if expected:
            _require_answered(expected, answer)
        return answer


def entity_tag(answer: Message) -> str:
    """The entity tag of an object that is read, as If-Match takes it; empty for every other answer."""
    parts = (answer, *(value for field, value in answer.ListFields() if field.message_type and not field.is_repeated))
    for part in parts:
        details = getattr(part, "details", None)
        # A policy of the instance that an organization sees is not what a change of the organization's replaces.
        if isinstance(details, ObjectDetails | Details) and details.sequence and not getattr(part, "is_default", False):
            return f'"{details.sequence}"'
    return ""


def _record_of(subject: object) -> Record | None:
    """The object that was found; where it was found with others, it is the first of them."""
    parts = subject if isinstance(subject, tuple) else (subject,)
    return next((part for part in parts if isinstance(part, Record)), None)


def _require_answered(expected: ExpectedVersion, answer: Any) -> None:
    """Where nothing had to be written, the answer is about the version that was expected."""
    expected.require(answer.details.sequence)
