"""Connect, gRPC-web and gRPC through the connectrpc library.

The library only frames; messages are decoded here, so that all protocols follow the same rules. Plain gRPC
needs HTTP/2 with trailers and uses the port of the HTTP/2 server; the others use any port.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, Protocol

import structlog
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.server import ConnectASGIApplication, Endpoint
from portico_contracts.http import MANAGEMENT_BODY
from portico_contracts.management import Method
from portico_oauth.errors import METHOD_NOT_ALLOWED, SERVER_ERROR, ErrorCode, Kind, ServiceError
from portico_web.forms import read_body
from portico_web.request_span import ROUTE
from portico_web.surfaces import CHALLENGED_KINDS, challenge_of, nonce_of
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from portico_users.management_api.transport.endpoints.call_errors import call_error
from portico_users.management_api.transport.endpoints.rpc_errors import (
    Context,
    Described,
    connect_error,
    described,
    language_of,
)
from portico_users.management_api.transport.expected import INVALID_VERSION
from portico_users.management_api.transport.metadata import IF_MATCH, ORG_HEADERS, PROOF, Metadata, read_metadata
from portico_users.management_api.transport.targets import INVALID_ORG_HEADER
from portico_users.management_api.transport.wire.encoded import BinaryRequest, Encoded, JsonRequest
from portico_users.management_api.transport.wire.json_answers import write_json
from portico_users.management_api.transport.wire.json_types import Answer, as_message

RPC_MEDIA = ErrorCode(
    "USER-863",
    Kind.UNSUPPORTED_MEDIA_TYPE,
    "Unsupported content type.",
    "Send application/json or application/proto with Connect, or application/grpc-web+proto "
    "with gRPC-web, uncompressed.",
)
GRPC_NOT_HERE = ErrorCode(
    "USER-307",
    Kind.UNSUPPORTED_MEDIA_TYPE,
    "Plain gRPC is not available on this connection.",
    "Use HTTP/2 through the gateway, gRPC-web, or Connect.",
)

METHOD_UNKNOWN = ErrorCode(
    "USER-866", Kind.UNIMPLEMENTED, "Unknown method.", "Check the service and method names against the .proto files."
)

log = structlog.get_logger("portico.rpc")

_MEDIA: Final = re.compile(
    rb"application/(?:json|proto|grpc(?:-web)?(?:\+proto|\+json)?)\s*(?:;.*)?\Z", re.IGNORECASE | re.DOTALL
)
_PLAIN_GRPC: Final = re.compile(rb"application/grpc(\+|;|\Z)", re.IGNORECASE)
_HEADERS: Final = frozenset(
    name.encode()
    for name in (
        "accept-encoding", "accept-language", "authorization", "connect-protocol-version", "connect-timeout-ms",
        "content-encoding", "content-type", "grpc-accept-encoding", "grpc-encoding", "grpc-timeout", "host", "te",
        IF_MATCH, PROOF, *ORG_HEADERS,
    )
)  # fmt: skip
"""Headers that the library or a call reads; others are dropped."""
_DECIDING: Final = {**dict.fromkeys(ORG_HEADERS, INVALID_ORG_HEADER), IF_MATCH: INVALID_VERSION}
"""Headers that decide what a call changes: a value that the library cannot pass on, beyond ASCII, is refused."""


class _Binary:
    def name(self) -> str:
        return "proto"

    def encode(self, answer: Answer) -> bytes:
        return as_message(answer).SerializeToString()

    def decode(self, data: bytes | bytearray, _message_class: type[object]) -> BinaryRequest:
        return BinaryRequest(bytes(data))


class _Json:
    def name(self) -> str:
        return "json"

    def encode(self, answer: Answer) -> bytes:
        return write_json(answer)

    def decode(self, data: bytes | bytearray, _message_class: type[object]) -> JsonRequest:
        return JsonRequest(bytes(data))


class Performs(Protocol):
    async def perform(self, name: str, encoded: Encoded, metadata: Metadata) -> Answer:
        """Performs a method by its name, like `Dispatch.perform`."""
        ...


class RpcEndpoint:
    def __init__(self, dispatch: Performs, methods: Iterable[Method]) -> None:
        by_path = {method.path: method for method in methods}
        self._paths = frozenset(by_path)
        self._connect = _Connect(dispatch, by_path)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        read = [(name, value) for name, value in scope["headers"] if name in _HEADERS]
        headers = [(name, value) for name, value in read if value.isascii()]
        error_code = METHOD_UNKNOWN if scope["path"] not in self._paths else _problem_with(scope, read)
        if error_code:
            response = await _refuse(error_code, Request({**scope, "headers": headers}, receive))
            await response(scope, receive, send)
            return
        scope[ROUTE] = scope["path"]
        await self._connect({**scope, "headers": headers}, receive, send)


async def _refuse(error_code: ErrorCode, request: Request) -> Response:
    """Reads the request body first where possible; otherwise the connection would have to be closed (IN-01)."""
    error = error_code.error(path=request.scope["path"][:200])
    if error_code in (METHOD_UNKNOWN, METHOD_NOT_ALLOWED):
        try:
            await read_body(request, MANAGEMENT_BODY)
        except ServiceError as of_body:
            error = of_body
    log.info("refused", error_code=error.id, private=error.private)
    response = call_error(error, request)
    if response.status_code == 405:
        response.headers["Allow"] = "POST"
    return response


class _Connect(ConnectASGIApplication[Performs]):
    def __init__(self, dispatch: Performs, methods: Mapping[str, Method]) -> None:
        super().__init__(
            service=dispatch,
            endpoints=lambda service: {path: _endpoint(service, method) for path, method in methods.items()},
            read_max_bytes=MANAGEMENT_BODY,
            compressions=(),  # RX-10
            codecs=(_Binary(), _Json()),
            interceptors=(Described(),),
        )

    @property
    def path(self) -> str:
        return ""

    async def _handle_error(self, exc: Exception, ctx: Any, protocol: Any, send: Any) -> bool:
        """Adds an error id to errors raised before the call has a context, such as errors in headers."""
        described_error = described(exc, language_of(ctx)) or exc
        return await super()._handle_error(described_error, ctx, protocol, send)


def _problem_with(scope: Scope, headers: list[tuple[bytes, bytes]]) -> ErrorCode | None:
    """Detects requests that the library would refuse without an error message."""
    if scope["method"] != "POST":
        return METHOD_NOT_ALLOWED
    media = [value for name, value in headers if name == b"content-type"]
    compressed = any(name == b"content-encoding" and value != b"identity" for name, value in headers)
    if len(media) != 1 or not _MEDIA.match(media[0]) or compressed:  # RX-10
        return RPC_MEDIA
    for name, value in headers:
        if not value.isascii() and name.decode() in _DECIDING:
            return _DECIDING[name.decode()]
    if _PLAIN_GRPC.match(media[0]) and "http.response.trailers" not in scope.get("extensions", {}):
        return GRPC_NOT_HERE
    return None


def _endpoint(dispatch: Performs, method: Method) -> Any:
    service, _, name = method.name.rpartition(".")
    info = MethodInfo(
        name=name,
        service_name=service,
        input=method.request,
        output=method.response,
        idempotency_level=IdempotencyLevel.UNKNOWN,
        stream_type=StreamType.UNARY,
    )

    async def perform(encoded: Encoded, context: Context) -> Answer:
        metadata = read_metadata(context.request_headers.allitems(), method.path)
        try:
            return await dispatch.perform(method.name, encoded, metadata)
        except ServiceError as error:
            log.info("refused", operation=method.name, error_code=error.id, private=error.private)
            if error.retry_after is not None:
                context.response_headers["retry-after"] = str(error.retry_after)
            if error.kind in CHALLENGED_KINDS:
                authorization = "".join(metadata.authorization[:1])
                context.response_headers["www-authenticate"] = challenge_of(error, authorization)
                for name, value in nonce_of(error).items():
                    context.response_headers[name.lower()] = value
            raise connect_error(error, metadata.language) from None
        except Exception:  # the border: nothing of an unknown error leaves
            log.exception("fault", operation=method.name)
            raise connect_error(SERVER_ERROR.error(), metadata.language) from None

    return Endpoint.unary(info, perform)
