"""Paths of the JSON API compared with the OpenAPI document."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import Any, Final

import pytest
from portico_oauth.errors import ServiceError
from portico_users.management_api.all_operations import OPERATIONS
from portico_users.management_api.transport.endpoints.http_paths import Found, PathTable

DOCUMENT: Final[dict[str, Any]] = json.loads(
    files("portico_contracts").joinpath("generated", "management-api.json").read_bytes()
)
TABLE: Final = PathTable(operation.method for operation in OPERATIONS)
VERBS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
_FIELD: Final = re.compile(r"{\w+}")


def test_paths_accept_the_documented_methods() -> None:
    """Every method of the table is routed to its operation; other methods are answered with exactly these (RFC
    9110 10.2.1).
    """
    asked = [(verb, path) for path in DOCUMENT["paths"] for verb in VERBS]

    assert [(verb, path) for verb, path in asked if not _is_as_declared(verb, path)] == []


def _is_as_declared(verb: str, path: str) -> bool:
    served = {verb.upper(): one["operationId"] for verb, one in DOCUMENT["paths"][path].items()}
    found = TABLE.find(verb, _FIELD.sub("something", path).encode())
    if not isinstance(found, Found):
        return verb not in served and found == set(served)
    name = found.method.name.removeprefix("portico.").replace(".", "_")
    # Another template has a verb that is not served here: the last part of the path is a field's value for it.
    return bool(served.get(verb, name).startswith(name))


def test_operation_ids_are_unique() -> None:
    """Generated clients name their methods by them (OpenAPI 3.1, section 4.8.10)."""
    ids = [one["operationId"] for verbs in DOCUMENT["paths"].values() for one in verbs.values()]

    assert len(ids) == len(set(ids))


def test_paths_differ_in_more_than_field_names() -> None:
    """Paths that differ only in the names of their fields would be identical (OpenAPI 3.1, section 4.8.8.2)."""
    shapes = [_FIELD.sub("{}", path) for path in DOCUMENT["paths"]]

    assert len(shapes) == len(set(shapes))


def test_unknown_path_is_port_002() -> None:
    """An unknown path is PORT-002 with any method."""
    with pytest.raises(ServiceError, match="PORT-002"):
        TABLE.find("GET", b"/v2/nothing")
