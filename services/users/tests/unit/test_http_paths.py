"""Addresses of the JSON form against the document: what is served where, by which methods."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import Any, Final

import pytest
from portico_oauth.errors import ServiceError
from portico_users.api.operations.all_operations import OPERATIONS
from portico_users.api.transport.endpoints.http_paths import Found, PathTable

DOCUMENT: Final[dict[str, Any]] = json.loads(
    files("portico_contracts").joinpath("generated", "management-api.json").read_bytes()
)
TABLE: Final = PathTable(operation.method for operation in OPERATIONS)
VERBS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
_FIELD: Final = re.compile(r"{\w+}")


def test_an_address_takes_what_the_document_declares() -> None:
    """Every method of the table leads to its operation; all others get exactly those (RFC 9110 10.2.1)."""
    asked = [(verb, path) for path in DOCUMENT["paths"] for verb in VERBS]

    assert [(verb, path) for verb, path in asked if not _is_as_declared(verb, path)] == []


def _is_as_declared(verb: str, path: str) -> bool:
    served = {verb.upper(): one["operationId"] for verb, one in DOCUMENT["paths"][path].items()}
    found = TABLE.find(verb, _FIELD.sub("something", path).encode())
    if not isinstance(found, Found):
        return verb not in served and found == set(served)
    name = found.method.name.removeprefix("portico.").replace(".", "_")
    # Another template takes a verb that is not served here: for it the last part of the path is a field's value.
    return bool(served.get(verb, name).startswith(name))


def test_every_operation_has_an_id_of_its_own() -> None:
    """A generated client names its methods by them (OpenAPI 3.1, section 4.8.10)."""
    ids = [one["operationId"] for verbs in DOCUMENT["paths"].values() for one in verbs.values()]

    assert len(ids) == len(set(ids))


def test_no_two_paths_differ_in_the_names_of_their_fields_only() -> None:
    """They would be the same path (OpenAPI 3.1, section 4.8.8.2)."""
    shapes = [_FIELD.sub("{}", path) for path in DOCUMENT["paths"]]

    assert len(shapes) == len(set(shapes))


def test_an_unknown_address_is_none() -> None:
    """PORT-002, whatever is asked of it."""
    with pytest.raises(ServiceError, match="PORT-002"):
        TABLE.find("GET", b"/v2/nothing")
