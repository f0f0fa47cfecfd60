"""The stylesheet over HTTP: kept for ever under its version, revalidated under any other address."""

from __future__ import annotations

from typing import Final

from portico_web.stylesheet import stylesheet
from starlette.requests import Request
from starlette.responses import Response

_FOR_EVER: Final = "public, max-age=31536000, immutable"
_BRIEFLY: Final = "public, max-age=300, must-revalidate"


def serve_stylesheet(request: Request) -> Response:
    """The CSS, or 304 (RFC 9110 §13.1.2).

    Only the version this replica has may be kept for ever: while a new release rolls out, a page of one replica
    may ask another one for a version it does not have.
    """
    sheet = stylesheet()
    etag = f'"{sheet.version}"'
    kept = request.query_params.get("v") == sheet.version
    headers = {
        "ETag": etag,
        "Cache-Control": _FOR_EVER if kept else _BRIEFLY,
        "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Resource-Policy": "same-origin",
    }
    if _matches(request.headers.get("if-none-match", ""), etag):
        return Response(status_code=304, headers=headers)
    return Response(sheet.content, media_type="text/css", headers=headers)


def _matches(condition: str, etag: str) -> bool:
    # A proxy that compresses makes the tag weak; If-None-Match compares weakly.
    tags = {tag.strip().removeprefix("W/") for tag in condition.split(",")}
    return etag in tags or "*" in tags
