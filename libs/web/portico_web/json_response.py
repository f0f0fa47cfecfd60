from __future__ import annotations

from typing import Final

from starlette.responses import Response

from portico_web.headers import NO_STORE

_HEADERS: Final = tuple(
    (name.lower().encode(), value.encode()) for name, value in {**NO_STORE, "Content-Type": "application/json"}.items()
)


class JsonResponse(Response):
    def __init__(self, body: bytes) -> None:
        # Not Response's constructor, which iterates over all headers.
        self.status_code = 200
        self.background = None
        self.body = body
        self.raw_headers = [*_HEADERS, (b"content-length", b"%d" % len(body))]
