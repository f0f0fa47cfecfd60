"""Errors in Connect and gRPC. Each has an error id, including those of the connectrpc library (MG-19)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import structlog
from connectrpc.code import Code
from connectrpc.errors import ConnectError, ErrorDetail
from connectrpc.request import RequestContext
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest
from portico_contracts.generated.portico.v1.error_pb2 import ErrorDetail as PorticoDetail
from portico_oauth.errors import SERVER_ERROR, ErrorCode, Kind, ServiceError
from portico_web.catalogue import load_catalogue
from portico_web.forms import TOO_LARGE
from portico_web.languages import Language
from portico_web.rpc_errors import BAD_REQUEST, ERROR_DETAIL, rpc_error
from protobuf.wkt import Any as AnyMessage

from portico_users.catalogue import PACKAGE
from portico_users.management_api.transport.metadata import read_metadata

INVALID_FRAME = ErrorCode(
    "USER-860",
    Kind.INVALID_REQUEST,
    "The body is not one message in the format of its content type.",
    "Send one whole, uncompressed message with the headers of the protocol.",
)
TOO_SLOW = ErrorCode("USER-861", Kind.UNAVAILABLE, "Deadline exceeded.", "Allow more time, and call again.")
BROKEN_OFF = ErrorCode("USER-862", Kind.FAILED_PRECONDITION, "Cancelled by the client.", "Call again.")


log = structlog.get_logger("portico.rpc")

_CODES: Final[Mapping[int, Code]] = {
    3: Code.INVALID_ARGUMENT,
    5: Code.NOT_FOUND,
    6: Code.ALREADY_EXISTS,
    7: Code.PERMISSION_DENIED,
    8: Code.RESOURCE_EXHAUSTED,
    9: Code.FAILED_PRECONDITION,
    10: Code.ABORTED,
    12: Code.UNIMPLEMENTED,
    13: Code.INTERNAL,
    14: Code.UNAVAILABLE,
    16: Code.UNAUTHENTICATED,
}

_KEPT: Final = {Code.DEADLINE_EXCEEDED: TOO_SLOW, Code.CANCELED: BROKEN_OFF}
"""Errors for which these protocols have a dedicated code."""


def connect_error(error: ServiceError, language: Language) -> ConnectError:
    return _error(error, language, _CODES[error.rendering.rpc])


def described(error: Exception | None, language: Language) -> Exception | None:
    """Adds id and text to errors of the library: framing errors are the client's, unexpected ones internal."""
    if error is None or (isinstance(error, ConnectError) and error.details):
        return error
    if not isinstance(error, ConnectError):
        log.error("fault", exc_info=error)  # nothing of an unknown error leaves
        return connect_error(SERVER_ERROR.error(), language)
    log.info("refused", code=error.code.value, cause=error.message[:200])
    if error_code := _KEPT.get(error.code):
        return _error(error_code.error(), language, error.code)
    too_large = error.code is Code.RESOURCE_EXHAUSTED
    return connect_error((TOO_LARGE if too_large else INVALID_FRAME).error(), language)


Context = RequestContext[Any, Any]


class Described:
    async def on_start(self, _context: Context) -> None:
        pass

    async def on_end(self, _token: None, context: Context, error: Exception | None, /) -> None:
        described_error = described(error, language_of(context))
        if described_error is not None and described_error is not error:
            raise described_error


def language_of(context: Context | None) -> Language:
    return read_metadata(context.request_headers.allitems() if context else (), "").language


def _error(error: ServiceError, language: Language, code: Code) -> ConnectError:
    described_error = rpc_error(error, load_catalogue(PACKAGE, language.tag).gettext)
    details = [_detail(ERROR_DETAIL, PorticoDetail(id=described_error.id, message=described_error.text))]
    if described_error.violations:
        fields = [
            BadRequest.FieldViolation(field=field, description=text) for field, text in described_error.violations
        ]
        details.append(_detail(BAD_REQUEST, BadRequest(field_violations=fields)))
    return ConnectError(code, described_error.message, details)


def _detail(type_url: str, message: Message) -> ErrorDetail:
    return ErrorDetail(AnyMessage(type_url=type_url, value=message.SerializeToString()))
