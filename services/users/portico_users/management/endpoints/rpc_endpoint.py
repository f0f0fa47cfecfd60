"""Connect, gRPC-web and gRPC, by the connectrpc library; it frames, we decode, so that all forms obey one set of rules.

Plain gRPC needs HTTP/2 with trailers and comes in at the port of the HTTP/2 server; the others come in anywhere.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

import structlog
from connectrpc.code import Code
from connectrpc.errors import ConnectError, ErrorDetail
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.request import RequestContext
from connectrpc.server import ConnectASGIApplication, Endpoint
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest
from portico_contracts.generated.portico.v1.error_pb2 import ErrorDetail as PorticoDetail
from portico_contracts.http import MANAGEMENT_BODY
from portico_contracts.management import Method
from portico_oauth.errors import FAULT, Fact, Kind, Refusal
from portico_web.catalogue import load_catalogue
from portico_web.languages import Language
from portico_web.rpc_errors import BAD_REQUEST, ERROR_DETAIL, rpc_error
from portico_web.surfaces import rpc_status
from protobuf.wkt import Any as AnyMessage
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from portico_users.management.dispatch import Dispatch
from portico_users.management.metadata import ORG_HEADERS, read_metadata
from portico_users.management.wire.encoded import BinaryRequest, Encoded, JsonRequest
from portico_users.management.wire.json_messages import write_message

GRPC_NOT_HERE = Fact(
    "USER-307",
    Kind.WRONG_MEDIA,
    "Plain gRPC does not work over this connection.",
    "Use HTTP/2 through the gateway, or gRPC-web, or Connect.",
)

PACKAGE: Final = "portico_users.management"

log = structlog.get_logger("portico.rpc")

_CODES: Final[Mapping[int, Code]] = {
    3: Code.INVALID_ARGUMENT,
    5: Code.NOT_FOUND,
    6: Code.ALREADY_EXISTS,
    7: Code.PERMISSION_DENIED,
    8: Code.RESOURCE_EXHAUSTED,
    9: Code.FAILED_PRECONDITION,
    12: Code.UNIMPLEMENTED,
    13: Code.INTERNAL,
    14: Code.UNAVAILABLE,
    16: Code.UNAUTHENTICATED,
}

_PLAIN_GRPC: Final = re.compile(rb"application/grpc(\+|;|\Z)", re.IGNORECASE)
_HEADERS: Final = frozenset(
    name.encode()
    for name in (
        "accept-encoding", "accept-language", "authorization", "connect-protocol-version", "connect-timeout-ms",
        "content-encoding", "content-type", "grpc-accept-encoding", "grpc-encoding", "grpc-timeout", "host", "te",
        *ORG_HEADERS,
    )
)  # fmt: skip
"""What the library or a call reads; other headers never reach it."""


class _Binary:
    """Hands on what came, to be decoded later; encodes answers."""

    def name(self) -> str:
        return "proto"

    def encode(self, message: Message) -> bytes:
        return message.SerializeToString()

    def decode(self, data: bytes | bytearray, _message_class: type[Any]) -> BinaryRequest:
        return BinaryRequest(bytes(data))


class _Json:
    """The same for Connect's JSON."""

    def name(self) -> str:
        return "json"

    def encode(self, message: Message) -> bytes:
        return json.dumps(write_message(message), ensure_ascii=False, separators=(",", ":")).encode()

    def decode(self, data: bytes | bytearray, _message_class: type[Any]) -> JsonRequest:
        return JsonRequest(bytes(data))


class RpcEndpoint:
    """ASGI: answers ``/<service>/<method>`` of every operation."""

    def __init__(self, dispatch: Dispatch, methods: Iterable[Method]) -> None:
        self._connect = _Connect(dispatch, {method.path: method for method in methods})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        headers = [(name, value) for name, value in scope["headers"] if name in _HEADERS and value.isascii()]
        if _needs_trailers(headers) and "http.response.trailers" not in scope.get("extensions", {}):
            response = rpc_status(GRPC_NOT_HERE.refusal(), Request(scope, receive), package=PACKAGE)
            await response(scope, receive, send)
            return
        await self._connect({**scope, "headers": headers}, receive, send)


class _Connect(ConnectASGIApplication[Dispatch]):
    def __init__(self, dispatch: Dispatch, methods: Mapping[str, Method]) -> None:
        super().__init__(
            service=dispatch,
            endpoints=lambda service: {path: _endpoint(service, method) for path, method in methods.items()},
            read_max_bytes=MANAGEMENT_BODY,
            compressions=(),  # RX-10
            codecs=(_Binary(), _Json()),
        )

    @property
    def path(self) -> str:
        """It is not mounted anywhere."""
        return ""


def _needs_trailers(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    return any(name == b"content-type" and _PLAIN_GRPC.match(value) for name, value in headers)


def _endpoint(dispatch: Dispatch, method: Method) -> Any:
    service, _, name = method.name.rpartition(".")
    info: MethodInfo[Any, Any] = MethodInfo(
        name=name,
        service_name=service,
        input=method.request,
        output=method.response,
        idempotency_level=IdempotencyLevel.UNKNOWN,
        stream_type=StreamType.UNARY,
    )

    async def perform(encoded: Encoded, context: RequestContext[Any, Any]) -> Message:
        metadata = read_metadata(context.request_headers.allitems())
        try:
            return await dispatch.perform(method.name, encoded, metadata)
        except Refusal as refusal:
            log.info("refused", operation=method.name, fact=refusal.id, private=refusal.private)
            if refusal.retry_after is not None:
                context.response_headers["retry-after"] = str(refusal.retry_after)
            raise _error(refusal, metadata.language) from None
        except Exception:  # the border: nothing of an unknown error leaves
            log.exception("fault", operation=method.name)
            raise _error(FAULT.refusal(), metadata.language) from None

    return Endpoint.unary(info, perform)


def _error(refusal: Refusal, language: Language) -> ConnectError:
    said = rpc_error(refusal, load_catalogue(PACKAGE, language.tag).gettext)
    details = [_detail(ERROR_DETAIL, PorticoDetail(id=said.id, message=said.text))]
    if said.violations:
        fields = [BadRequest.FieldViolation(field=field, description=text) for field, text in said.violations]
        details.append(_detail(BAD_REQUEST, BadRequest(field_violations=fields)))
    return ConnectError(_CODES[said.code], said.message, details)


def _detail(type_url: str, message: Message) -> ErrorDetail:
    return ErrorDetail(AnyMessage(type_url=type_url, value=message.SerializeToString()))
