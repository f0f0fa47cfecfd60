"""Errors before the protocol library sees a call, in the caller's protocol.

gRPC and gRPC-web: a Trailers-Only response, HTTP 200 with the status in the headers. Connect: JSON with a
string code.
"""

from __future__ import annotations

import json
from base64 import b64encode
from urllib.parse import quote

from connectrpc.errors import ConnectError
from google.protobuf.any_pb2 import Any as AnyMessage
from google.rpc.status_pb2 import Status
from portico_contracts.http import GRPC_MEDIA
from portico_oauth.errors import ServiceError
from portico_web.headers import NO_STORE
from portico_web.languages import pick_language, read_languages
from portico_web.surfaces import management_status
from starlette.requests import Request
from starlette.responses import Response

from portico_users.management_api.transport.endpoints.rpc_errors import connect_error


def call_error(error: ServiceError, request: Request) -> Response:
    answer = connect_error(error, pick_language(read_languages(request)))
    media = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if media.startswith(GRPC_MEDIA):
        return Response(headers={**NO_STORE, **_trailers(answer, error.rendering.rpc)}, media_type=media)
    body = json.dumps(_connect_body(answer), ensure_ascii=False, separators=(",", ":")).encode()
    status = management_status(error.kind)
    return Response(body, status, headers=dict(NO_STORE), media_type="application/json")


def _trailers(error: ConnectError, code: int) -> dict[str, str]:
    packed = [
        AnyMessage(type_url=f"type.googleapis.com/{one.type_name}", value=one.message_bytes) for one in error.details
    ]
    status = Status(code=code, message=error.message, details=packed).SerializeToString()
    return {
        "grpc-status": str(code),
        "grpc-message": quote(error.message, safe=" !#$&'()*+,/:;=?@[]{}|"),
        "grpc-status-details-bin": _unpadded(status),
    }


def _connect_body(error: ConnectError) -> dict[str, object]:
    details = [{"type": one.type_name, "value": _unpadded(one.message_bytes)} for one in error.details]
    return {"code": error.code.value, "message": error.message, "details": details}


def _unpadded(data: bytes) -> str:
    return b64encode(data).decode().rstrip("=")
