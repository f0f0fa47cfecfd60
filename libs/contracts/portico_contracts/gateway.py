"""What the gateway does to requests and answers, whichever program it is: headers, limits, times, refusals.

The path map is `portico_contracts.http.GATEWAY`; the configurations are generated from both (`portico_stack.gateway`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final, NamedTuple

from portico_oauth.errors import INVALID_INPUT, PATH_NOT_FOUND, UNAVAILABLE

from portico_contracts.http import GATEWAY_SECONDS, Surface

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
    "Nats-*",
    "Upgrade",
    "Http2-Settings",
)
"""Request headers a client may not send, with a trailing ``*`` all that begin so: proxies set them, a service might
believe them, or (the last two) they offer another protocol, which no service changes to."""

PROXIES_VARIABLE: Final = "PORTICO_GATEWAY_PROXIES"
"""In the environment of the gateway: networks of proxies in front of it, separated by spaces. Of a peer in one of them the gateway
keeps X-Forwarded-For, and appends the peer; of every other it is replaced."""

NO_PROXY: Final = "255.255.255.255/32"
"""Means no network there: nothing connects from it."""

PASSED_TO_JWT_AUTHORIZE: Final = ("X-Auth-*", "X-User-*", "X-Org-*")
"""Of these the names that a JWT provider may choose for its header: the page behind `http.JWT_AUTHORIZE` reads the JWT
from it, and believes nothing that is not signed. Elsewhere they are removed."""

REMOVED_FROM_ANSWERS: Final = ("Server", "Via")

ANSWER_HEADERS: Final = (("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"))
"""What an answer without them gets, beside its X-Request-Id: one of the gateway itself, or of a service that did not
understand the request."""

STRICT_TRANSPORT: Final = "max-age=63072000"
"""The value of Strict-Transport-Security over https, except for localhost: browsers apply it to every port of a host."""

MAX_HEAD: Final = 32 * 1024
"""Bytes of request line and headers; services accept twice as much."""

READ_HEAD: Final = 60 * 1024
"""Bytes of them that the gateway reads, so that it can refuse what is over `MAX_HEAD` in the shape of its path. Longer ones get an
answer that neither program lets a configuration shape."""


class Seconds(NamedTuple):
    """How long the gateway waits, in seconds."""

    head: int = 10
    """For the headers of a request."""
    body: int = 20
    """For a body to arrive."""
    client: int = 60
    """For a client to take the next part of an answer."""
    idle: int = 60
    """For the next request of a connection."""
    connect: int = 1
    answer: int = GATEWAY_SECONDS
    """For the headers of an answer: longer than anything in a service may take."""
    retry: int = 2
    """For another replica while none can be reached."""
    idle_replica: int = 20
    """Before an unused connection to a replica is closed: services close theirs after 30."""
    health: int = 2
    """Between two health checks."""
    names: int = 1
    """Before it is looked up again which replicas a name leads to."""
    stop: int = 1
    """For requests under way when the gateway is stopped."""


SECONDS: Final = Seconds()

HEALTH: Final = "/healthz"
"""What replicas are asked on their internal port; it does not depend on a store, whose outage must not empty the pool."""

GATHERED: Final[Mapping[str, int]] = {"token": 24}
"""By service: a replica gets every request until so many are under way on it; only then the next one gets any. A process that
is woken up for each of its requests costs up to three times as much as one that serves several at a time
(docs/performance.md). For services whose requests are short; there is no queue, and when all have as many it is each in turn."""

NO_BODY_METHODS: Final = ("GET", "HEAD")
"""A body that no one requested could be taken for the next request (IN-01)."""

CLOSING: Final = (403, 404, 405, 408, 413, 415)
"""A service may answer these before the body has arrived, so the connection is closed: what arrives late must not be taken
for a request (IN-01)."""

CLOSING_OF_CALLS: Final = (408, 413, 415)
"""With Connect and gRPC the others are answered once the whole body has arrived."""

GRPC_MEDIA: Final = "application/grpc"
"""What the Content-Type of plain gRPC begins with."""

GRPC_WEB_MEDIA: Final = "application/grpc-web"
"""The same for gRPC-web, which is HTTP like any other."""

CALL_MEDIA: Final = (f"{GRPC_WEB_MEDIA}*", "application/connect+*", "application/proto")
CALL_HEADER: Final = "Connect-Protocol-Version"
"""Both identify Connect and gRPC-web below a path that is not on the map: their errors are theirs there too."""

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
"""Of every path that is not on the map."""


def refusal(surface: Surface, text: str) -> str:
    """The JSON body of a refused request; a page has none."""
    if surface is Surface.RPC_STATUS:
        return _rpc_body(_RPC_INVALID, INVALID_INPUT.id, text)
    return _oauth_body("invalid_request", text)


def unavailable(surface: Surface) -> str:
    """The JSON body of 503, for a service that cannot be reached; a page has none."""
    if surface is Surface.RPC_STATUS:
        return _rpc_body(_RPC_UNAVAILABLE, UNAVAILABLE.id, UNAVAILABLE.text)
    return _oauth_body("server_error", UNAVAILABLE.text)


def _oauth_body(code: str, text: str) -> str:
    return json.dumps({"error": code, "error_description": text}, separators=(",", ":"))


def _rpc_body(code: int, id: str, text: str) -> str:
    detail = {"@type": _DETAIL_TYPE, "id": id, "message": text}
    return json.dumps({"code": code, "message": f"{text} ({id})", "details": [detail]}, separators=(",", ":"))
