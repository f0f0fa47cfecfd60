"""Files over HTTP: cached forever under their version, revalidated under any other URL."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

_FOR_EVER: Final = "public, max-age=31536000, immutable"
_BRIEFLY: Final = "public, max-age=300, must-revalidate"


@dataclass(frozen=True)
class StaticFile:
    path: str
    media_type: str
    content: bytes

    @cached_property
    def version(self) -> str:
        """Twelve hex digits of the SHA-256."""
        return hashlib.sha256(self.content).hexdigest()[:12]

    @property
    def address(self) -> str:
        return f"{self.path}?v={self.version}"


def serve_file(request: Request, file: StaticFile) -> Response:
    """Returns the file, or 304 (RFC 9110 section 13.1.2).

    Only this replica's version is cacheable forever: during a rollout, a page of one replica may request a
    version from another one that does not have it.
    """
    etag = f'"{file.version}"'
    kept = request.query_params.get("v") == file.version
    headers = {
        "ETag": etag,
        "Cache-Control": _FOR_EVER if kept else _BRIEFLY,
        "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Resource-Policy": "same-origin",
    }
    if _matches(request.headers.get("if-none-match", ""), etag):
        return Response(status_code=304, headers=headers)
    return Response(file.content, media_type=file.media_type, headers=headers)


def _matches(condition: str, etag: str) -> bool:
    # Compressing proxies weaken the tag; If-None-Match compares weakly.
    tags = {tag.strip().removeprefix("W/") for tag in condition.split(",")}
    return etag in tags or "*" in tags
