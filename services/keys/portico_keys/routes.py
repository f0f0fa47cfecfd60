from __future__ import annotations

from typing import Final

from portico_contracts.http import KEYS
from portico_oauth.errors import ServiceError
from portico_web.client_address import outside_address
from portico_web.cross_origin import ANY_ORIGIN, IsRegistered, public_document
from portico_web.headers import find_header
from portico_web.surfaces import oauth_json, render_errors
from portico_web.trusted_proxies import TrustedProxies
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from portico_keys.jwks import KeySet, is_current
from portico_keys.key_ring import KeyRing
from portico_keys.rate_limit import RateLimit

CACHING: Final = {"Cache-Control": "public, max-age=300, must-revalidate"}
_READABLE: Final = {**ANY_ORIGIN, "Access-Control-Expose-Headers": "ETag, Retry-After"}


def _public_json(error: ServiceError, request: Request) -> Response:
    """Allows any origin to read the error, so that pages see Retry-After."""
    response = oauth_json(error, request)
    response.headers.update(_READABLE)
    return response


class KeySetEndpoint:
    def __init__(self, ring: KeyRing, limit: RateLimit, proxies: TrustedProxies) -> None:
        self._proxies = proxies
        self._ring = ring
        self._limit = limit
        self._prepared: tuple[KeySet, Response, Response] | None = None

    async def __call__(self, request: Request) -> Response:
        if address := outside_address(request, self._proxies):
            self._limit.count(address)
        key_set, full, not_modified = self._responses()
        known = find_header(request, b"if-none-match")
        if known is not None and is_current(known, key_set.etag):
            return not_modified
        return full

    def _responses(self) -> tuple[KeySet, Response, Response]:
        key_set = self._ring.key_set()
        if self._prepared is None or self._prepared[0] is not key_set:
            headers = {**CACHING, **_READABLE, "ETag": key_set.etag}
            full = Response(key_set.body, headers=headers, media_type="application/json")
            self._prepared = (key_set, full, Response(status_code=304, headers=headers))
        return self._prepared


def routes(key_set: KeySetEndpoint, is_registered: IsRegistered) -> list[Route]:
    endpoint = public_document(render_errors(key_set, _public_json), is_registered)
    return [Route(KEYS, endpoint, methods=["GET", "HEAD", "OPTIONS"])]
