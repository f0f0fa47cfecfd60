"""The gateway's rules for headers, limits, timeouts and errors, for both HAProxy and Caddy."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final, NamedTuple

from portico_oauth.errors import INVALID_INPUT, PATH_NOT_FOUND, UNAVAILABLE

from portico_contracts.http import DISCOVERY, GATEWAY_SECONDS, Surface

REMOVED_FROM_REQUESTS: Final = (
    "Forwarded",
    "X-Forwarded-*",
    "X-Original-*",
    "X-Rewrite-*",
    "X-Real-Ip",
    "X-Auth-*",
    "X-User-*",
    "X-Org-*",
    "Traceparent",
    "Tracestate",
    "Baggage",
    "X-Portico-*",
    "Portico-*",
    "Portico_*",
    "Client-Cert*",
    "Client_Cert*",
    "Nats-*",
    "Upgrade",
    "Http2-Settings",
)
"""Request headers removed from clients, prefixes with a trailing ``*``: proxies set them and a service might
trust them, or (the last two) they request a protocol upgrade, which no service supports.
"""

HOST_VARIABLE: Final = "PORTICO_HOST"
"""Address to listen on, also for the services. Empty: the gateway listens on every address of IPv4."""

MTLS_KEY_VARIABLE: Final = "PORTICO_MTLS_GATEWAY_KEY"
"""Environment variable of the gateway: its key, with which it also accepts client certificates (decision 0151)."""

PROXIES_VARIABLE: Final = "PORTICO_GATEWAY_PROXIES"
"""Environment variable of the gateway: trusted proxy networks, separated by spaces. X-Forwarded-For of a trusted
peer is retained and the peer appended; otherwise it is replaced.
"""

NO_PROXY: Final = "255.255.255.255/32"
"""Placeholder for no network: no peer connects from this address."""

PASSED_TO_JWT_AUTHORIZE: Final = ("X-Auth-*", "X-User-*", "X-Org-*")
"""The exceptions, as header names that a JWT provider may choose: the page behind `http.JWT_AUTHORIZE` reads a
signed JWT from them. On all other paths they are removed.
"""

REMOVED_FROM_ANSWERS: Final = ("Server", "Via")

ANSWER_HEADERS: Final = (("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"))
"""Headers added where missing, besides X-Request-Id: to responses of the gateway itself, or of a service that
could not parse the request.
"""

STRICT_TRANSPORT: Final = "max-age=63072000"
"""Strict-Transport-Security over https, except for localhost: browsers apply it to every port of a host."""

MAX_HEAD: Final = 32 * 1024
"""Maximum bytes of request line and headers; services accept twice as much."""

READ_HEAD: Final = 60 * 1024
"""Bytes of the head that the gateway reads, so that it can return an error in the format of the path for a head
over `MAX_HEAD`. The error for longer ones cannot be configured in either program.
"""


class Seconds(NamedTuple):
    head: int = 10
    """Receiving the request headers."""
    body: int = 20
    """Receiving the request body."""
    client: int = 95
    """A client that stops reading the response, and an idle connection. Most HTTP clients close theirs earlier (Go after
    90 s, .NET after 60), so that no request meets a connection that is being closed (decision 0164). HAProxy applies
    the shorter one to idle connections of HTTP/1, so they are one.
    """
    proxy: int = 920
    """The same of a proxy, at the gateway and at the services: Cloudflare closes idle connections after 900 s."""
    connect: int = 1
    answer: int = GATEWAY_SECONDS
    """Waiting for response headers: longer than any operation in a service."""
    retry: int = 2
    """Retrying another replica while none is reachable."""
    idle_replica: float = 20
    """Idle connections to a replica. HAProxy closes half of them at a time, and the last later: of 16 after 60 s."""
    health: int = 2
    """Interval of health checks."""
    names: int = 1
    """Interval of DNS lookups of replicas."""
    stop: int = 1
    """Finishing requests when the gateway stops."""


SECONDS: Final = Seconds()

HEALTH: Final = "/healthz"
"""Health check path on the internal port. It does not depend on a store: an outage of a store must not empty the
pool.
"""

GATHERED: Final[Mapping[str, int]] = {"token": 24}
"""By service: a replica receives every request until this many are in progress; then the next replica is used. A
process woken up for each single request costs up to three times as much as one that serves several at a time
(docs/performance.md). Only for services with short requests. There is no queue; when all replicas are at the
limit, requests are distributed round robin.
"""

CACHED: Final = (DISCOVERY,)
"""Paths whose cacheable responses HAProxy repeats for `CACHED_SECONDS`, to any client. Not the key set: a revoked key
leaves it at once, and the key that replaces it may sign at once.
"""

CACHED_SECONDS: Final = 1

NO_BODY_METHODS: Final = ("GET", "HEAD")
"""Methods whose body is rejected, because it could be parsed as the next request (IN-01)."""

USED_UP: Final = "DPoP"
"""The header of a proof that works once, so that no request with it may be sent to a second replica (RFC 9449)."""

CLOSING: Final = (403, 404, 405, 408, 413, 415)
"""Statuses that a service may send before the body has arrived, so the connection is closed: the rest of the
body must not be parsed as a request (IN-01).
"""

CLOSING_OF_CALLS: Final = (408, 413, 415)
"""The same for Connect and gRPC, which send all other statuses after the whole body has arrived."""

GRPC_WEB_MEDIA: Final = "application/grpc-web"

CALL_MEDIA: Final = (f"{GRPC_WEB_MEDIA}*", "application/connect+*", "application/proto")
CALL_HEADER: Final = "Connect-Protocol-Version"
"""Identifies Connect below paths not on the map, as the media type identifies gRPC-web; both receive errors in
their own format there.
"""

NO_BODY: Final = "This request has no body."
VERSION: Final = "HTTP/1.0, HTTP/1.1 and HTTP/2 are understood."
NUL: Final = "The headers have a character that HTTP forbids."
BROKEN_BODY: Final = "The body of the request cannot be read."
TOO_LARGE: Final = "Request Entity Too Large."
TOO_SLOW: Final = "The request did not arrive in time."
LONG_HEAD: Final = "The address or the headers are too long."

JSON: Final = "application/json"
HTML: Final = "text/html; charset=utf-8"
_RPC_INVALID: Final = 3
_RPC_UNAVAILABLE: Final = 14
_DETAIL_TYPE: Final = "type.googleapis.com/portico.v1.ErrorDetail"

NO_PATH: Final = PATH_NOT_FOUND.text

BROWSER_MEDIA: Final = "text/html"
"""How the Accept header of a browser begins that opens an address: unknown paths are a page for it, and JSON for
everybody else.
"""

NO_PAGES: Final = "/.well-known/*"
"""Unknown paths here are JSON for every client: metadata that a client probes for."""


def error_response(surface: Surface, text: str) -> str:
    if surface is Surface.RPC_STATUS:
        return _rpc_body(_RPC_INVALID, INVALID_INPUT.id, text)
    return _oauth_body("invalid_request", text)


def unavailable(surface: Surface) -> str:
    if surface is Surface.RPC_STATUS:
        return _rpc_body(_RPC_UNAVAILABLE, UNAVAILABLE.id, UNAVAILABLE.text)
    return _oauth_body("server_error", UNAVAILABLE.text)


def _oauth_body(code: str, text: str) -> str:
    return json.dumps({"error": code, "error_description": text}, separators=(",", ":"))


def _rpc_body(code: int, id: str, text: str) -> str:
    detail = {"@type": _DETAIL_TYPE, "id": id, "message": text}
    return json.dumps({"code": code, "message": f"{text} ({id})", "details": [detail]}, separators=(",", ":"))
