"""Errors as RFC 7644 section 3.12 has them, with the id of the error in ``detail``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec
from portico_oauth.errors import ServiceError
from portico_web.catalogue import load_catalogue
from portico_web.headers import NO_STORE
from portico_web.languages import pick_language, read_languages
from portico_web.rpc_errors import rpc_error
from portico_web.surfaces import management_status
from starlette.requests import Request
from starlette.responses import Response

from portico_users.catalogue import PACKAGE
from portico_users.groups.inherited import TOO_MANY_GROUPS
from portico_users.journal.expected_version import VERSION_MOVED
from portico_users.scim.protocol.errors import (
    ACCOUNT_OF_OTHERS,
    GROUP_WITHOUT_VERSION,
    INVALID_CURSOR,
    INVALID_FILTER,
    INVALID_PATH,
    INVALID_SYNTAX,
    NO_TARGET,
    READ_ONLY,
    TOO_MANY_MEMBERS,
)
from portico_users.values.json_text import NAME_TWICE, NOT_JSON, TOO_DEEP, TOO_MANY_VALUES
from portico_users.values.problems import CHANGED_MEANWHILE, EXTERNAL_ID_TAKEN, ID_TAKEN, NAME_TAKEN

MEDIA: Final = "application/scim+json"
ERROR: Final = "urn:ietf:params:scim:api:messages:2.0:Error"

_TYPES: Final[Mapping[str, str]] = {
    INVALID_FILTER.id: "invalidFilter",
    INVALID_SYNTAX.id: "invalidSyntax",
    INVALID_PATH.id: "invalidPath",
    NO_TARGET.id: "noTarget",
    READ_ONLY.id: "mutability",
    TOO_MANY_MEMBERS.id: "tooMany",
    INVALID_CURSOR.id: "invalidCursor",
    **{one.id: "uniqueness" for one in (NAME_TAKEN, ID_TAKEN, EXTERNAL_ID_TAKEN, ACCOUNT_OF_OTHERS)},
    TOO_MANY_GROUPS.id: "tooMany",
}
_SYNTAX: Final = frozenset(one.id for one in (NOT_JSON, NAME_TWICE, TOO_DEEP, TOO_MANY_VALUES))
_STATUS: Final[Mapping[str, int]] = {VERSION_MOVED.id: 412, GROUP_WITHOUT_VERSION.id: 412, CHANGED_MEANWHILE.id: 409}


def status_of(error: ServiceError) -> int:
    return _STATUS.get(error.id) or management_status(error.kind)


def scim_type(error: ServiceError) -> str:
    """Empty where RFC 7644 table 9 has none."""
    if error.id in _SYNTAX:
        return "invalidSyntax"
    found = _TYPES.get(error.id, "")
    return found or ("invalidValue" if status_of(error) == 400 else "")


def text_of(error: ServiceError, language: str = "en") -> str:
    return rpc_error(error, load_catalogue(PACKAGE, language).gettext).message


def scim_error(error: ServiceError, request: Request) -> Response:
    status, language = status_of(error), pick_language(read_languages(request)).tag
    body: dict[str, object] = {"schemas": [ERROR], "detail": text_of(error, language), "status": str(status)}
    if found := scim_type(error):
        body["scimType"] = found
    headers = dict(NO_STORE)
    if status == 401:
        headers["WWW-Authenticate"] = 'Bearer realm="scim"'
    if error.retry_after is not None:
        headers["Retry-After"] = str(error.retry_after)
    return Response(msgspec.json.encode(body), status, headers=headers, media_type=MEDIA)
