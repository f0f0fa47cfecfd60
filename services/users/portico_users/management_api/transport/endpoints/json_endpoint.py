from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, partial
from typing import Any, Final
from urllib.parse import parse_qsl

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from portico_contracts.http import MANAGEMENT_BODY, MANAGEMENT_OPENAPI
from portico_contracts.management import METHODS, Method
from portico_contracts.proto_options import descriptor_of
from portico_oauth.errors import INVALID_INPUT, METHOD_NOT_ALLOWED, ErrorCode, Kind, Violation
from portico_web.forms import read_body
from portico_web.headers import NO_STORE
from portico_web.request_span import ROUTE
from portico_web.surfaces import render_errors, rpc_status
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from portico_users.catalogue import PACKAGE
from portico_users.management_api.transport.dispatch import Dispatch
from portico_users.management_api.transport.endpoints.http_paths import Found, PathTable
from portico_users.management_api.transport.expected import entity_tag
from portico_users.management_api.transport.metadata import read_metadata
from portico_users.management_api.transport.wire.encoded import JsonRequest
from portico_users.management_api.transport.wire.json_answers import write_json
from portico_users.management_api.transport.wire.json_types import Answer
from portico_users.values.json_text import GIVEN_TWICE, INVALID_FIELDS, UNKNOWN_NAME

_MOST: Final = 100
_BOOLEANS: Final = {"true": True, "false": False}


def read_query(query: bytes, kind: Descriptor) -> dict[str, object]:
    try:
        pairs = parse_qsl(query.decode("ascii"), keep_blank_values=True, max_num_fields=_MOST, errors="strict")
    except ValueError:
        raise INVALID_INPUT.error() from None
    fields: dict[str, Any] = {}
    for name, text in pairs:
        _set(fields, kind, name, text)
    return fields


def _set(fields: dict[str, Any], kind: Descriptor, name: str, text: str) -> None:
    *outer, last = name.split(".")
    for part in outer:
        field = _field(kind, part, name)
        if field.message_type is None or field.is_repeated:
            raise _refused(name, UNKNOWN_NAME)
        kind = field.message_type
        fields = fields.setdefault(field.json_name, {})
    field = _field(kind, last, name)
    if field.type == FieldDescriptor.TYPE_MESSAGE:
        raise _refused(name, UNKNOWN_NAME)
    value = _BOOLEANS.get(text, text) if field.type == FieldDescriptor.TYPE_BOOL else text
    if field.is_repeated:
        fields.setdefault(field.json_name, []).append(value)
    elif field.json_name in fields:
        raise _refused(name, GIVEN_TWICE)
    else:
        fields[field.json_name] = value


def _field(kind: Descriptor, part: str, name: str) -> FieldDescriptor:
    for field in kind.fields:
        if part in (field.json_name, field.name):
            return field
    raise _refused(name, UNKNOWN_NAME)


def _refused(name: str, text: str) -> Exception:
    return INVALID_FIELDS.error(violations=(Violation(name[:100], text),))


NO_SAML = ErrorCode(
    "USER-640",
    Kind.UNIMPLEMENTED,
    "SAML identity providers are not supported.",
    "Add the provider by OpenID Connect, or use a bridge from SAML to OpenID Connect.",
)

_SAML: Final = re.compile(rb"/(?:management|admin)/v1/idps/saml(?:/[^/]+(?:/_generate_certificate)?)?\Z")


def refuse_unsupported(verb: str, raw_path: bytes) -> None:
    if verb in ("POST", "PUT") and _SAML.match(raw_path):
        raise NO_SAML.error()


NOT_JSON_MEDIA = ErrorCode(
    "USER-306",
    Kind.UNSUPPORTED_MEDIA_TYPE,
    "The body must be application/json.",
    "Send JSON, in UTF-8 and not compressed.",
)


_JSON: Final = "application/json"
_WITH_BODY: Final = frozenset({"POST", "PUT", "PATCH"})


class JsonEndpoint:
    def __init__(self, dispatch: Dispatch, methods: Iterable[Method]) -> None:
        self._dispatch = dispatch
        self._paths = _paths(tuple(method.name for method in methods))
        self._respond = render_errors(self._answer, partial(rpc_status, package=PACKAGE))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
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
        metadata = read_metadata(request.headers.items(), request.scope["raw_path"].decode("ascii"), request.method)
        answer = await self._dispatch.perform(found.method.name, encoded, metadata)
        tag = entity_tag(answer) if request.method == "GET" else ""
        return _json(answer, deprecated=found.method.deprecated, tag=tag)


# Cached: building it takes 3 ms, and tests create hundreds of endpoints.
@cache
def _paths(names: tuple[str, ...]) -> PathTable:
    return PathTable(METHODS[name] for name in names if METHODS[name].template)


async def _read(request: Request, found: Found) -> JsonRequest:
    """Merges the fields of path, query and body; refuses bodies that are not JSON (RX-01, RX-02, RX-10)."""
    method, more = found.method, dict[str, object](found.fields)
    if request.method in _WITH_BODY or method.has_body:
        if request.headers.get("content-encoding", "identity") != "identity":
            raise NOT_JSON_MEDIA.error()
        text = await read_body(request, MANAGEMENT_BODY)
        if text and request.headers.get("content-type", "").split(";")[0].strip().lower() != _JSON:
            raise NOT_JSON_MEDIA.error()
    else:
        text = b""
    more |= read_query(request.scope["query_string"], descriptor_of(method.request))
    return JsonRequest(text, more | found.fields)


def _json(answer: Answer, *, deprecated: bool, tag: str) -> Response:
    headers = dict(NO_STORE)
    if tag:
        headers["ETag"] = tag
    if deprecated:
        # RFC 9745. No Sunset header, because no date is set.
        headers |= {"Deprecation": "@1735689600", "Link": f'<{MANAGEMENT_OPENAPI}>; rel="deprecation"'}
    return Response(write_json(answer), headers=headers, media_type=_JSON)
