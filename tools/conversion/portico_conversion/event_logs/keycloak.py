"""Keycloak: events of users, from ``GET /admin/realms/{realm}/events``, as an array or as lines of JSON."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from portico_conversion.event_logs.old_request import OldRequest
from portico_conversion.findings import Findings, Place
from portico_conversion.reading.json_rows import rows_of
from portico_conversion.reading.records import Record, read_record

FAILED: Final = "failed at the source as well"

_WITHOUT_SECRET: Final = frozenset({"", "none"})


class _Event(Record, frozen=True):
    type: str
    time: int = 0
    client_id: str = ""
    user_id: str = ""
    error: str = ""
    details: dict[str, str] = {}


def read_requests(path: Path, findings: Findings) -> Iterator[OldRequest]:
    for place, value in rows_of(path):
        event = read_record(value, _Event, place, findings)
        if event is None:
            continue
        if event.error or event.type.endswith("_ERROR"):
            findings.counted(FAILED)
        elif request := _request(place, event):
            yield request


def _request(place: Place, event: _Event) -> OldRequest | None:
    details, at = event.details, event.time / 1000
    grant_type = details.get("grant_type", "")
    if event.type == "LOGIN" and not grant_type:
        return OldRequest(
            place,
            at,
            event.client_id,
            redirect_uri=details.get("redirect_uri", ""),
            response_type=details.get("response_type") or "code",
            response_mode=details.get("response_mode", ""),
            user_id=event.user_id,
            provider=details.get("identity_provider", ""),
        )
    if event.type in ("LOGIN", "CODE_TO_TOKEN", "REFRESH_TOKEN", "CLIENT_LOGIN", "TOKEN_EXCHANGE"):
        method = details.get("client_auth_method")
        return OldRequest(
            place,
            at,
            event.client_id,
            scope=details.get("scope", ""),
            grant_type=grant_type,
            with_secret=None if method is None else method not in _WITHOUT_SECRET,
            user_id=event.user_id if event.type == "LOGIN" else "",
        )
    return None
