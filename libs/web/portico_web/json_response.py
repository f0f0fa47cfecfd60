"""The answer of the hot endpoints: JSON that is ready, under headers that were prepared once."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from portico_web.headers import NO_STORE

_HEADERS: Final = tuple(
    (name.lower().encode(), value.encode()) for name, value in {**NO_STORE, "Content-Type": "application/json"}.items()
)


class JsonResponse(Response):
    """200 with encoded JSON, not to be stored."""

    def __init__(self, body: bytes) -> None:
        # Not Response's own: it goes through all headers to find out what these two lines know.
        self.status_code = 200
        self.background = None
        self.body = body
        self.raw_headers = [*_HEADERS, (b"content-length", b"%d" % len(body))]
