"""The time line as a file, with the filters of the page: streamed page by page."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable
from typing import Any, Final, Protocol

from portico_contracts.csv_files.text import csv_line
from portico_web.headers import NO_STORE
from starlette.responses import Response, StreamingResponse

from portico_console.console_app.audit.filters import Filters, read_filters
from portico_console.console_app.audit.time_line import list_events
from portico_console.management.api import Fields
from portico_console.request_context import RequestContext

_AT_ONCE: Final = 1_000

_COLUMNS: Final = (
    *("time", "activity", "summary", "actorId", "actor", "kind", "objectId", "object", "organizationId"),
    *(
        "organization",
        "changes",
        "methods",
        "device",
        "country",
        "count",
        "failureReason",
        "errorId",
        "requestId",
        "id",
    ),
)

Event = dict[str, Any]


class Write(Protocol):
    """The text of a page of events."""

    def __call__(self, events: list[Event], *, first: bool) -> str: ...


async def export_csv(ctx: RequestContext) -> Response:
    return await _export(ctx, "csv", "text/csv", _csv_of, "")


async def export_json(ctx: RequestContext) -> Response:
    return await _export(ctx, "json", "application/json", _json_of, "\n]\n")


async def _export(ctx: RequestContext, suffix: str, media_type: str, write: Write, end: str) -> Response:
    """Reads the first page before the response begins, so that a refusal is a page."""
    filters = read_filters(ctx.request.query_params)
    first = await list_events(ctx, filters, limit=_AT_ONCE)
    headers = {**NO_STORE, "Content-Disposition": f'attachment; filename="audit.{suffix}"'}
    return StreamingResponse(_texts(ctx, filters, first, write, end), media_type=media_type, headers=headers)


async def _texts(ctx: RequestContext, filters: Filters, page: Fields, write: Write, end: str) -> AsyncIterator[str]:
    yield write(page.get("result", []), first=True)
    while after := page.get("nextPageToken", ""):
        page = await list_events(ctx, filters, after, _AT_ONCE)
        yield write(page.get("result", []), first=False)
    yield end


def _json_of(events: list[Event], first: bool) -> str:
    texts = (json.dumps(one, ensure_ascii=False) for one in events)
    return "".join(f"{'[' if first and not place else ','}\n{text}" for place, text in enumerate(texts)) or (
        "[" if first else ""
    )


def _csv_of(events: list[Event], first: bool) -> str:
    title = csv_line(_COLUMNS) if first else ""
    return title + "".join(csv_line(list(_cells(event))) for event in events)


def _cells(event: Event) -> Iterable[str]:
    payload, editor, object = event.get("payload", {}), event.get("editor", {}), event.get("object", {})
    yield from (event["creationDate"], event.get("activity", ""), event.get("summary", ""))
    yield from (event["editorUserId"], editor.get("name", ""))
    yield from (event["aggregateType"], event["aggregateId"], object.get("name", ""))
    yield from (event["resourceOwner"], event.get("organization", {}).get("name", ""))
    yield "; ".join(map(_change, event.get("changes", ())))
    yield " ".join(payload.get("methods", ()))
    yield from (payload.get("device", ""), payload.get("country", ""))
    yield from (
        str(int(payload["count"])) if "count" in payload else "",
        payload.get("failureReason", ""),
        payload.get("errorId", ""),
        payload.get("requestId", ""),
        event["id"],
    )


def _change(change: dict[str, Any]) -> str:
    before, after = (", ".join(change.get(name, ())) for name in ("before", "after"))
    return f"{change['field']}: {before} → {after}" if before or after else change["field"]
