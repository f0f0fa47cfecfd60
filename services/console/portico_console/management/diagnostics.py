from __future__ import annotations

import base64
import binascii
from typing import Final

import msgspec
from google.protobuf.message import DecodeError
from google.rpc.error_details_pb2 import BadRequest
from portico_contracts.generated.portico.v1.error_pb2 import ErrorDetail
from portico_oauth.errors import UNAVAILABLE, ErrorCode, Kind, ServiceError, Violation
from portico_runtime.http_client.service_client import ServiceResponse

NOT_UNDERSTOOD = ErrorCode(
    "CONS-106",
    Kind.SERVER_ERROR,
    "Something went wrong.",
    "Check that PORTICO_USERS_URL is the address of users, and that both services are of compatible releases.",
)

_KINDS: Final = {
    "invalid_argument": Kind.INVALID_REQUEST,
    "not_found": Kind.NOT_FOUND,
    "already_exists": Kind.ALREADY_EXISTS,
    "permission_denied": Kind.PERMISSION_DENIED,
    "resource_exhausted": Kind.TOO_MANY_REQUESTS,
    "failed_precondition": Kind.FAILED_PRECONDITION,
    "unimplemented": Kind.UNIMPLEMENTED,
    "unavailable": Kind.UNAVAILABLE,
    "deadline_exceeded": Kind.UNAVAILABLE,
}


class NotSignedIn(Exception):
    pass


class NotRecent(Exception):
    """The user must sign in again, and returns to `address`; by default to the page of the request.

    `kept` is the name of the form that was kept, which the sign-in is for.
    """

    def __init__(self, address: str = "", kept: str = "") -> None:
        super().__init__(address)
        self.address = address
        self.kept = kept


class _Detail(msgspec.Struct):
    type: str
    value: str


class _Error(msgspec.Struct):
    code: str
    message: str = ""
    details: list[_Detail] = []


def error_in(response: ServiceResponse) -> ServiceError:
    """A response that is not a Connect error becomes `unavailable` for 5xx (from an intermediary), else CONS-106."""
    try:
        error = msgspec.json.decode(response.body, type=_Error)
        kind = _KINDS[error.code]
        detail = _read_detail(error)
    except (msgspec.DecodeError, KeyError, DecodeError, binascii.Error):
        error_code = UNAVAILABLE if response.status >= 500 else NOT_UNDERSTOOD
        return error_code.error(asked="users", status=response.status)
    violations = _read_violations(error)
    return ServiceError(
        kind,
        detail.id,
        violations[0].text if violations else detail.message,  # which begins with the path of the field
        retry_after=_seconds(response),
        private={"asked": "users"},
        violations=violations,
    )


def _read_detail(error: _Error) -> ErrorDetail:
    for one in error.details:
        if one.type == ErrorDetail.DESCRIPTOR.full_name:
            return ErrorDetail.FromString(_bytes(one.value))
    raise KeyError(ErrorDetail.DESCRIPTOR.full_name)


def _read_violations(error: _Error) -> tuple[Violation, ...]:
    found = [BadRequest.FromString(_bytes(one.value)) for one in error.details if one.type == "google.rpc.BadRequest"]
    return tuple(Violation(one.field, one.description) for bad in found for one in bad.field_violations)


def _bytes(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4))


def _seconds(response: ServiceResponse) -> int | None:
    text = response.headers.get("retry-after", "")
    return int(text) if text.isdecimal() and len(text) < 7 else None
