"""docs/generated/login-api.json: the login API as OpenAPI 3.1, from the table of its calls."""

from __future__ import annotations

from inspect import cleandoc
from typing import Any, Final

import msgspec
from fastapi import APIRouter, Depends
from fastapi.openapi.utils import get_openapi
from fastapi.security import HTTPBearer
from openapi_text import openapi_text
from portico_contracts.login_calls import LOGIN_CALLS, LOGIN_ERRORS, LoginCall
from portico_oauth.errors import TABLE
from portico_web.surfaces import management_status

_REFERENCE: Final = "#/components/schemas/{name}"

_STATUS_SCHEMA: Final = "Status"

_KEY: Final = HTTPBearer(scheme_name="loginApiKey", description="PORTICO_LOGIN_API_KEY of authz.", auto_error=False)

_ID: Final = {"parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}]}

_DESCRIPTION: Final = "Sign-in and sign-out for login pages. Internal: the gateway does not expose it."

_VARIANTS: Final = "A reply has the members of all of them; those of other steps are empty."

_STATUS: Final[dict[str, Any]] = {
    "type": "object",
    "description": "google.rpc.Status. details[0].id is the error id.",
    "required": ["code", "message", "details"],
    "properties": {
        "code": {"type": "integer"},
        "message": {"type": "string"},
        "details": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "@type": {"type": "string"},
                    "id": {"type": "string"},
                    "message": {"type": "string"},
                },
            },
        },
    },
}


def describe_login_api() -> str:
    """FastAPI describes paths and security, msgspec the schemas of the messages."""
    router = APIRouter(dependencies=[Depends(_KEY)])  # nothing is answered, only described
    for call in LOGIN_CALLS:
        _describe(router, call)
    document = get_openapi(title="Portico login API", version="1", description=_DESCRIPTION, routes=router.routes)
    kinds = dict.fromkeys(kind for one in LOGIN_CALLS for kind in _messages(one).values())
    found, schemas = msgspec.json.schema_components(kinds, ref_template=_REFERENCE)
    of_kind = dict(zip(kinds, found, strict=True))
    for kind, messages in (pair for one in LOGIN_CALLS for pair in _messages(one).items()):
        if messages is not kind:
            description = f"{cleandoc(kind.__doc__ or '')}\n\n{_VARIANTS}"
            schemas[kind.__name__] = {"description": description} | of_kind[messages]
    document["components"]["schemas"] = {**dict(sorted(schemas.items())), _STATUS_SCHEMA: _STATUS}
    return openapi_text(document)


def _messages(call: LoginCall[Any, Any]) -> dict[type[msgspec.Struct], Any]:
    """Request and reply, each with the message or messages that it can be."""
    return {call.request: call.requests or call.request, call.reply: call.replies or call.reply}


def _describe(router: APIRouter, call: LoginCall[Any, Any]) -> None:
    async def answer() -> None: ...

    router.add_api_route(
        call.path,
        answer,
        methods=["POST"],
        operation_id=call.id,
        summary=_first_line(call.request),
        response_model=None,
        response_description=_first_line(call.reply),
        responses={
            200: {"content": _content(call.reply.__name__)},
            **{
                management_status(kind): {"description": TABLE[kind].page, "content": _content(_STATUS_SCHEMA)}
                for kind in LOGIN_ERRORS
            },
        },
        openapi_extra={
            **(_ID if "{id}" in call.path else {}),
            "requestBody": {"required": True, "content": _content(call.request.__name__)},
        },
    )


def _first_line(kind: type[msgspec.Struct]) -> str:
    return (kind.__doc__ or "").strip().splitlines()[0]


def _content(name: str) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": _REFERENCE.format(name=name)}}}
