"""docs/generated/login-api.json: the login API as OpenAPI 3.1, from the router that serves it."""

from __future__ import annotations

from typing import Any, Final, cast

import msgspec
from fastapi.openapi.utils import get_openapi
from openapi_text import openapi_text
from portico_authz.dependencies import Dependencies
from portico_authz.login_api import OPERATIONS, REFERENCE, STATUS_SCHEMA, login_api

_DESCRIPTION: Final = "How login pages drive a sign-in and a sign-out. Internal: the gateway does not expose it."

_STATUS: Final[dict[str, Any]] = {
    "type": "object",
    "description": "google.rpc.Status; the id of the error is details[0].id.",
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
    """The document: paths and security as FastAPI writes them, the schemas of the messages as msgspec does."""
    router = login_api(cast("Dependencies", None), key="")  # nothing is answered, only described
    document = get_openapi(title="Portico login API", version="1", description=_DESCRIPTION, routes=router.routes)
    kinds = [kind for one in OPERATIONS for kind in (one.request, one.reply)]
    _, schemas = msgspec.json.schema_components(dict.fromkeys(kinds), ref_template=REFERENCE)
    document["components"]["schemas"] = {**dict(sorted(schemas.items())), STATUS_SCHEMA: _STATUS}
    return openapi_text(document)
