"""JSON over HTTP, transcoded by the google.api.http options of the .proto files."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, Final

from google.protobuf.message import Message
from portico_contracts.http import MANAGEMENT_BODY, MANAGEMENT_OPENAPI
from portico_contracts.management import Method
from portico_oauth.errors import METHOD_NOT_ALLOWED, ErrorCode, Kind
from portico_web.forms import read_body
from portico_web.headers import NO_STORE
from portico_web.request_span import ROUTE
from portico_web.surfaces import render_errors, rpc_status
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from portico_users.api.transport.dispatch import Dispatch
from portico_users.api.transport.endpoints.http_paths import Found, PathTable
from portico_users.api.transport.endpoints.not_supported import refuse_unsupported
from portico_users.api.transport.endpoints.query import read_query
from portico_users.api.transport.expected import entity_tag
from portico_users.api.transport.metadata import read_metadata
from portico_users.api.transport.wire.encoded import JsonRequest
from portico_users.api.transport.wire.json_answers import write_json
from portico_users.kernel.catalogue import PACKAGE

NOT_JSON_MEDIA = ErrorCode(
    "USER-306",
    Kind.UNSUPPORTED_MEDIA_TYPE,
    "The body must be application/json.",
    "Send JSON, in UTF-8 and not compressed.",
)


_JSON: Final = "application/json"
_WITH_BODY: Final = frozenset({"POST", "PUT", "PATCH"})


class JsonEndpoint:
    """ASGI: answers every address of the JSON form."""

    def __init__(self, dispatch: Dispatch, methods: Iterable[Method]) -> None:
        self._dispatch = dispatch
        self._paths = PathTable(method for method in methods if method.template)
        self._respond = render_errors(self._answer, partial(rpc_status, package=PACKAGE))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        response = await self._respond(Request(scope, receive))
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        refuse_unsupported(request.method, request.scope["raw_path"])
        found = self._paths.find(request.method, request.scope["raw_path"])
        if not isinstance(found, Found):
            response = rpc_status(METHOD_NOT_ALLOWED.error(), request, package=PACKAGE)
            response.headers["Allow"] = ", ".join(sorted(found))
            return response
        request.scope[ROUTE] = found.method.template
        encoded = await _read(request, found)
        answer = await self._dispatch.perform(found.method.name, encoded, read_metadata(request.headers.items()))
        tag = entity_tag(answer) if request.method == "GET" else ""
        return _json(answer, deprecated=found.method.deprecated, tag=tag)


async def _read(request: Request, found: Found) -> JsonRequest:
    """The fields of path, query and body; refuses every body but JSON (RX-01, RX-02, RX-10)."""
    method, more = found.method, dict[str, Any](found.fields)
    if request.method in _WITH_BODY or method.has_body:
        if request.headers.get("content-encoding", "identity") != "identity":
            raise NOT_JSON_MEDIA.error()
        text = await read_body(request, MANAGEMENT_BODY)
        if text and request.headers.get("content-type", "").split(";")[0].strip().lower() != _JSON:
            raise NOT_JSON_MEDIA.error()
    else:
        text = b""
    kind: Any = method.request.DESCRIPTOR
    more |= read_query(request.scope["query_string"], kind)
    return JsonRequest(text, more | found.fields)


def _json(answer: Message, *, deprecated: bool, tag: str) -> Response:
    headers = dict(NO_STORE)
    if tag:
        headers["ETag"] = tag
    if deprecated:
        # RFC 9745; there is no Sunset, because no day is set.
        headers |= {"Deprecation": "@1735689600", "Link": f'<{MANAGEMENT_OPENAPI}>; rel="deprecation"'}
    return Response(write_json(answer), headers=headers, media_type=_JSON)
