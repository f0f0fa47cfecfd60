"""ZITADEL: the answer of ``POST /admin/v1/events/_search`` (ListEvents), or its events as lines of JSON."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from portico_oauth.grant_types import AUTHORIZATION_CODE

from portico_conversion.event_logs.old_request import OldRequest
from portico_conversion.findings import Findings, Place
from portico_conversion.reading.json_rows import rows_of
from portico_conversion.reading.records import Record, read_record

_RESPONSE_TYPES: Final = {0: "code", 1: "id_token", 2: "id_token token"}
"""OIDCResponseType of the domain package, by number."""


class _Type(Record, frozen=True):
    type: str = ""


class _Event(Record, frozen=True):
    type: _Type | str
    payload: dict[str, Any] = {}


def read_requests(path: Path, findings: Findings) -> Iterator[OldRequest]:
    for place, value in rows_of(path, "events"):
        event = read_record(value, _Event, place, findings)
        if event is None:
            continue
        name = event.type if isinstance(event.type, str) else event.type.type
        if name == "auth_request.added":
            yield _authorization(place, event.payload)
        elif name == "oidc_session.added":
            yield from _session(place, event.payload)


def _authorization(place: Place, payload: dict[str, Any]) -> OldRequest:
    number = payload.get("response_type")
    return OldRequest(
        place,
        0,
        _text(payload, "client_id"),
        redirect_uri=_text(payload, "redirect_uri"),
        response_type=_RESPONSE_TYPES.get(number if isinstance(number, int) else 0, "code"),
    )


def _session(place: Place, payload: dict[str, Any]) -> Iterator[OldRequest]:
    scope = payload.get("scope")
    yield OldRequest(
        place,
        0,
        _text(payload, "clientID"),
        scope=" ".join(map(str, scope)) if isinstance(scope, list) else "",
        grant_type=AUTHORIZATION_CODE,
        user_id=_text(payload, "userID"),
    )


def _text(payload: dict[str, Any], name: str) -> str:
    value = payload.get(name)
    return value if isinstance(value, str) else ""
