from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from google.protobuf.message import Message
from openapi_text import openapi_text
from portico_contracts.http import MANAGEMENT_OPENAPI
from portico_contracts.management import METHODS, Method
from portico_contracts.proto_options import is_required, rules_of
from portico_oauth.errors import TABLE, Kind
from portico_web.surfaces import management_status

from generated_code.comments import comments
from generated_code.examples import Example, examples
from generated_code.json_schemas import REFERENCE, field_schema, schemas_of

PATH: Final = "libs/contracts/portico_contracts/generated/management-api.json"
_FIELD: Final = re.compile(r"\{(\w+)\}")
_KINDS: Final = (
    Kind.INVALID_REQUEST,
    Kind.UNAUTHENTICATED,
    Kind.PERMISSION_DENIED,
    Kind.NOT_FOUND,
    Kind.ALREADY_EXISTS,
    Kind.CONTENT_TOO_LARGE,
    Kind.UNSUPPORTED_MEDIA_TYPE,
    Kind.TOO_MANY_REQUESTS,
    Kind.SERVER_ERROR,
    Kind.UNAVAILABLE,
)
_DESCRIPTION: Final = "All operations are also available by gRPC, gRPC-web and Connect. Paths below /v2 are also served below /v2beta and /v2alpha. Authorization: an access token with the scope urn:portico:project:id:portico:aud."
_STATUS: Final[dict[str, Any]] = {
    "type": "object",
    "description": "google.rpc.Status. details[0].id is the error id.",
    "required": ["code", "message", "details"],
    "additionalProperties": False,
    "properties": {
        "code": {"type": "integer", "format": "int32"},
        "message": {"type": "string"},
        "details": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["@type"],
                "properties": {
                    "@type": {"type": "string"},
                    "id": {"type": "string"},
                    "message": {"type": "string"},
                    "fieldViolations": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["field", "description"],
                            "properties": {"field": {"type": "string"}, "description": {"type": "string"}},
                        },
                    },
                },
            },
        },
    },
}


@cache
def openapi() -> dict[str, str]:
    methods = [method for method in METHODS.values() if method.template]
    kinds: list[Any] = [kind.DESCRIPTOR for method in methods for kind in (method.request, method.response)]
    paths: dict[str, dict[str, Any]] = {}
    for method in methods:
        for number, template in enumerate((method.template, *method.more_templates)):
            operation = _operation(method, template)
            operation["operationId"] += f"_{number + 1}" if number else ""
            paths.setdefault(_path(method, template), {})[method.verb.lower()] = operation
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Portico management API", "version": "2", "description": _DESCRIPTION},
        # The endpoint that serves the document inserts the issuer here.
        "servers": [{"url": "/"}],
        "tags": _tags(methods),
        "security": [{"bearer": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
            "schemas": {**schemas_of(kinds), "Status": _STATUS},
            "responses": {_name(kind): _error(kind) for kind in _KINDS},
        },
        "externalDocs": {"url": MANAGEMENT_OPENAPI},
    }
    return {PATH: openapi_text(document)}


def _tag(method: Method) -> str:
    """Returns the tag of the service; an organization's service and the instance's share one."""
    return method.name.split(".")[-2]


def _tags(methods: Sequence[Method]) -> list[dict[str, str]]:
    texts: dict[str, dict[str, None]] = {}
    for method in methods:
        text = comments().get(method.name.rpartition(".")[0], "")
        texts.setdefault(_tag(method), {})[text] = None
    return [{"name": name, "description": " ".join(texts[name]).strip()} for name in sorted(texts)]


def _path(method: Method, template: str) -> str:
    """Returns the template with the JSON names of the fields."""
    return _FIELD.sub(lambda found: f"{{{_field(method, found[1]).json_name}}}", template)


def _operation(method: Method, template: str) -> dict[str, Any]:
    in_path = _FIELD.findall(template)
    operation: dict[str, Any] = {
        "operationId": method.name.removeprefix("portico.").replace(".", "_"),
        "summary": comments().get(method.name, ""),
        "tags": [_tag(method)],
        "parameters": [*(_in_path(method, name) for name in in_path), *_in_query(method, in_path), *_headers(method)],
    }
    if right := _right(method):
        operation["x-portico-permission"] = right
    if method.deprecated:
        operation["deprecated"] = True
    if method.has_body:
        operation["requestBody"] = {"required": _needs_body(method), "content": _content(method.request)}
    operation["responses"] = {
        "200": {
            "description": "Done.",
            "content": _content(method.response),
        },
        **{str(management_status(kind)): {"$ref": f"#/components/responses/{_name(kind)}"} for kind in _KINDS},
        # Answered by the gateway.
        "431": {"description": "The address or the headers are too long."},
    }
    if example := examples().get(method.name):
        _illustrate(operation, example)
    return operation


def _right(method: Method) -> dict[str, Any]:
    """Returns the permission from the method's option, without empty members."""
    needed = method.permission
    members = ("name", "own", "own_needs", "rights_of_user", "recent_sign_in")
    return {_camel(member): value for member in members if (value := getattr(needed, member))}


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(one.capitalize() for one in others)


def _content(kind: type[Message]) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": REFERENCE.format(kind.DESCRIPTOR.full_name)}}}


def _illustrate(operation: dict[str, Any], example: Example) -> None:
    """Adds the members of an example to path, query or body, and the response."""
    left = dict(example.request)
    for parameter in operation["parameters"]:
        if parameter["name"] in left:
            parameter["example"] = left.pop(parameter["name"])
    if "requestBody" in operation:
        operation["requestBody"]["content"]["application/json"]["example"] = left
    operation["responses"]["200"]["content"]["application/json"]["example"] = example.response


def _needs_body(method: Method) -> bool:
    """An absent body means an empty object if no field is required."""
    kind: Any = method.request.DESCRIPTOR
    in_path = _FIELD.findall(method.template)
    required = any(rules_of(field).required for field in kind.fields if field.name not in in_path)
    return required or any(is_required(oneof) for oneof in kind.oneofs)


def _headers(method: Method) -> tuple[dict[str, Any], ...]:
    return (_ORG_HEADER, _IF_MATCH_HEADER) if method.answers_version else (_ORG_HEADER,)


_IF_MATCH_HEADER: Final[dict[str, Any]] = {
    "name": "If-Match",
    "in": "header",
    "required": False,
    "description": "Sequence of the object as it was read, in quotes. The change fails if the object has another sequence.",
    "schema": {"type": "string", "pattern": '^"[0-9]{1,20}"$'},
    "example": '"7"',
}

_ORG_HEADER: Final[dict[str, Any]] = {
    "name": "x-service-orgid",
    "in": "header",
    "required": False,
    "description": "Id of the organization. Default: the caller's.",
    "schema": {"type": "string"},
}


def _in_path(method: Method, name: str) -> dict[str, Any]:
    field = _field(method, name)
    return {
        "name": field.json_name,
        "in": "path",
        "required": True,
        "description": comments().get(field.full_name, ""),
        "schema": _of_one_type(field_schema(field)),
    }


def _in_query(method: Method, in_path: list[str]) -> list[dict[str, Any]]:
    """Returns the fields in neither path nor body; all are scalars or lists of scalars."""
    fields: Any = method.request.DESCRIPTOR.fields
    left = [field for field in fields if not method.has_body and field.name not in in_path]
    return [
        {
            "name": field.json_name,
            "in": "query",
            "required": bool(rules_of(field).repeated.min_items or rules_of(field).required),
            "description": comments().get(field.full_name, ""),
            "schema": _of_one_type(field_schema(field)),
        }
        for field in left
    ]


def _of_one_type(schema: dict[str, Any]) -> dict[str, Any]:
    """Reduces a schema to one type for a parameter, because generators skip parameters with several types."""
    chosen = schema["anyOf"][0] if "anyOf" in schema else schema
    kind = chosen["type"][0] if isinstance(chosen["type"], list) else chosen["type"]
    return {**{key: value for key, value in chosen.items() if key != "description"}, "type": kind}


def _field(method: Method, name: str) -> Any:
    fields: Any = method.request.DESCRIPTOR.fields_by_name
    return fields[name]


def _name(kind: Kind) -> str:
    return "".join(part.title() for part in kind.value.split("_"))


def _error(kind: Kind) -> dict[str, Any]:
    schema = {"$ref": REFERENCE.format("Status")}
    return {
        "description": f"{TABLE[kind].page} Code {TABLE[kind].rpc}.",
        "content": {"application/json": {"schema": schema}},
    }
