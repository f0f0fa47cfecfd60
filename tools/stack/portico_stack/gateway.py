"""The gateway's configuration, generated from the path map of the contracts.

It exposes the paths of `portico_contracts.http.GATEWAY` and nothing else, owns the request id and the forwarded
headers, bounds sizes and times, and answers 503 on the right surface when a service cannot be reached.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from portico_contracts.http import (
    ACCOUNTS_API,
    DISCOVERY,
    GATEWAY,
    GATEWAY_SECONDS,
    LINK_API,
    LOGIN_API,
    LOGIN_STATIC,
    LOGOUT_API,
    RPC_PREFIX,
    Route,
    Surface,
)
from portico_oauth.errors import INVALID_INPUT, PATH_NOT_FOUND, UNAVAILABLE

from portico_stack.gateway_pages import PAGE_HEADERS, error_page, words_map

STRIPPED: Final = (
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
"""Request headers a client may not send: proxies set them, a service might believe them, or (the last two) they
offer another protocol, which no service changes to; Caddy then drops what names them in ``Connection``."""

_ANSWER_HEADERS: Final = [
    "header X-Request-Id {http.request.uuid}",
    "header Cache-Control no-store",
    "header X-Content-Type-Options nosniff",
]
_DEFAULT_HEADERS: Final = [header.replace("header ", "header ?") for header in _ANSWER_HEADERS]
"""For answers of a service that were made before a request was understood."""

_PLAIN_GRPC: Final = ("header Content-Type application/grpc*", "not header Content-Type application/grpc-web*")
_UNREACHABLE: Final = (502, 503, 504)
_UNREADABLE: Final = "chunked|chunk length|header line too long|^unexpected EOF$|^read.* (unexpected EOF|i/o timeout)$"
"""Go's error texts for a request body that is malformed, breaks off or does not arrive."""

_BEFORE_THE_BODY: Final = (403, 404, 405, 408, 413, 415)
_BEFORE_THE_BODY_OF_A_CALL: Final = (408, 413, 415)
"""With Connect and gRPC the others are answered once the whole body has arrived."""

_CALLS_OF_OTHERS: Final = {
    "media": [f"header Content-Type application/{kind}" for kind in ("grpc-web*", "connect+*", "proto")],
    "version": ["header Connect-Protocol-Version *"],
}
"""Identifies Connect and gRPC-web below a path that is not on the map: their errors are theirs there too."""

_NO_BODY: Final = "This request has no body."
_BROKEN: Final = "The body of the request cannot be read."
_JSON: Final = "application/json"
_RPC_INVALID: Final = 3
_RPC_UNAVAILABLE: Final = 14
_DETAIL_TYPE: Final = "type.googleapis.com/portico.v1.ErrorDetail"


@dataclass(frozen=True, slots=True)
class Site:
    """Where the gateway listens and which services it calls.

    Args:
        address: a Caddy site address, for example ``http://:8080``.
        upstreams: by service, the addresses of its replicas.
        login_api: an inner address that balances authz's login API, empty for none.
        bind: addresses to listen on; none for all.
        options: further lines of the global options.
        grpc: by service, where its replicas speak plain gRPC (HTTP/2 without TLS).
        tls: further lines of the site, about certificates.
        health_port: the inner port of every replica, where all have the same.
    """

    address: str
    upstreams: Mapping[str, tuple[str, ...]]
    grpc: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    login_api: str = ""
    bind: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    tls: tuple[str, ...] = ()
    health_port: int | None = None


def caddyfile(site: Site) -> str:
    """The whole Caddyfile."""
    blocks = [_options(site), _block("(balanced)", _balanced(site)), _block("(answer)", _ANSWER_HEADERS)]
    blocks += [
        _block("(unread)", _unread(_BEFORE_THE_BODY)),
        _block("(unread_call)", _unread(_BEFORE_THE_BODY_OF_A_CALL)),
    ]
    blocks += [_outer(site)]
    if site.login_api:
        blocks.append(_inner(site))
    return "\n".join(blocks)


def _options(site: Site) -> str:
    return _block(
        "",
        [
            "admin off",
            "persist_config off",
            "grace_period 1s",
            *site.options,
            *_nested("log", ["level WARN"]),
            *_nested(
                "servers",
                [
                    "protocols h1 h2 h2c",
                    "max_header_size 32KiB",
                    *_nested("timeouts", ["read_header 10s", "read_body 20s", "write 60s", "idle 60s"]),
                ],
            ),
        ],
    )


def _outer(site: Site) -> str:
    lines = [*site.tls]
    if site.bind:
        lines.append("bind " + " ".join(site.bind))
    lines += ["request_header X-Request-Id {http.request.uuid}"]
    lines += [f"request_header -{name}" for name in STRIPPED]
    lines += words_map()
    lines += ["header -Server", "header -Via", *_DEFAULT_HEADERS]
    # A body that no one requested could be taken for the next request (IN-01).
    lines += _nested("@unasked", ["method GET HEAD", "header Content-Length *", "not header Content-Length 0"])
    lines += _nested("@unasked_chunks", ["method GET HEAD", "header Transfer-Encoding *"])
    for matcher in ("@unasked", "@unasked_chunks"):
        body = _by_surface(matcher[1:], lambda surface: _refused(surface, "400", _NO_BODY))
        lines += _nested(f"handle {matcher}", body)
    # Browsers apply it to every port of a host, so on localhost it would break all other work in progress.
    lines += _nested("@public", ["protocol https", "not host localhost"])
    lines += ['header @public Strict-Transport-Security "max-age=63072000"']
    lines += [f"@static path {LOGIN_STATIC}/*", "encode @static gzip"]
    lines += _grpc(site, f"path {RPC_PREFIX}*")
    for number, (route, paths) in enumerate(_grouped()):
        lines += [f"@route{number} path {' '.join(paths)}", *_nested(f"handle @route{number}", _proxied(site, route))]
    lines += _calls_of_others(site)
    nothing = _answer(404, _JSON, _oauth_body("invalid_request", PATH_NOT_FOUND.text))
    lines += _nested("handle", ["import unread", *nothing])
    return _block(site.address, [*lines, *_errors()])


def _calls_of_others(site: Site) -> list[str]:
    """Methods of services that are not ours go where the error of their protocol is known."""
    calls = next(route for route in GATEWAY if route.path.startswith(RPC_PREFIX))
    lines = _grpc(site)
    for name, matcher in _CALLS_OF_OTHERS.items():
        lines += [*_nested(f"@call_{name}", matcher), *_nested(f"handle @call_{name}", _proxied(site, calls))]
    return lines


def _unread(statuses: Iterable[int]) -> list[str]:
    """Closes the connection after answers that may be made before the body has arrived.

    A body that comes too slowly is never read to its end, and Go would take the rest of it for the next request (IN-01).
    """
    matched = "status " + " ".join(str(status) for status in statuses)
    return _nested("header", [*_nested("match", [matched]), "Connection close", "defer"])


def _inner(site: Site) -> str:
    lines = [
        f"@login path {LOGIN_API}/* {LOGOUT_API}/* {LINK_API}/* {ACCOUNTS_API} {DISCOVERY}",
        *_nested("handle @login", _proxy(site, "authz")),
        *_nested("handle", ["abort"]),
    ]
    return _block(site.login_api, ["bind 127.0.0.1", *lines])


def _grouped() -> list[tuple[Route, list[str]]]:
    """Routes that differ in their path only, together."""
    groups: dict[tuple[str, int, bool], tuple[Route, list[str]]] = {}
    for route in GATEWAY:
        key = (route.service, route.max_body, route.path.startswith(RPC_PREFIX))
        groups.setdefault(key, (route, []))[1].append(route.path)
    return list(groups.values())


def _grpc(site: Site, below: str = "") -> list[str]:
    """Plain gRPC goes to a port of its own, with HTTP/2 all the way; gRPC-web is HTTP like any other.

    Args:
        below: a matcher of paths; none for all that are left.
    """
    lines: list[str] = []
    for service, addresses in site.grpc.items():
        routes = [route for route in GATEWAY if route.service == service and route.path.startswith(RPC_PREFIX)]
        if not routes:
            continue
        limit = f"max_size {routes[0].max_body // 1024 + 1}KiB"
        name = f"@grpc_{service}" + ("" if below else "_others")
        proxy = _nested("reverse_proxy " + " ".join(addresses), _grpc_balanced(site))
        lines += _nested(name, [*([below] if below else []), *_PLAIN_GRPC])
        lines += _nested(f"handle {name}", ["import unread_call", *_nested("request_body", [limit]), *proxy])
    return lines


def _grpc_balanced(site: Site) -> list[str]:
    transport = ["versions h2c 2", "dial_timeout 1s", f"response_header_timeout {GATEWAY_SECONDS}s", "compression off"]
    return [
        "lb_policy round_robin",
        "lb_try_duration 2s",
        "lb_try_interval 50ms",
        *_health(site),
        *_nested("transport http", transport),
    ]


def _health(site: Site) -> list[str]:
    if not site.health_port:
        return []
    return ["health_uri /healthz", f"health_port {site.health_port}", "health_interval 2s"]


def _proxied(site: Site, route: Route) -> list[str]:
    unread = "import unread_call" if route.path.startswith(RPC_PREFIX) else "import unread"
    return [unread, *_nested("request_body", [f"max_size {route.max_body // 1024}KiB"]), *_proxy(site, route.service)]


def _proxy(site: Site, service: str) -> list[str]:
    return _nested("reverse_proxy " + " ".join(site.upstreams[service]), ["import balanced"])


def _balanced(site: Site) -> list[str]:
    # When a replica cannot be reached another one gets the request. What was already sent is sent again for GET only
    # (Caddy's default), so a claim never happens twice. No fail_duration: Caddy counts a body that its own client
    # breaks off as a failure of the replica, so that any client could put all replicas out of use (RX-12).
    transport = ["dial_timeout 1s", f"response_header_timeout {GATEWAY_SECONDS}s", "keepalive 20s", "compression off"]
    return [
        "lb_policy round_robin",
        "lb_try_duration 2s",
        "lb_try_interval 50ms",
        *_health(site),
        *_nested("transport http", transport),
    ]


def _errors() -> list[str]:
    unavailable = [
        # A body that cannot be read is the client's mistake, although Caddy finds it while it talks to a service.
        f"@unreadable expression `{{err.message}}.matches({json.dumps(_UNREADABLE)})`",
        *_nested("handle @unreadable", _by_surface("unreadable", lambda surface: _refused(surface, "400", _BROKEN))),
        *_nested("handle", _by_surface("unavailable", _unavailable)),
    ]
    codes = " ".join(str(code) for code in _UNREACHABLE)
    other = _by_surface("refused", lambda surface: _refused(surface, "{err.status_code}", "{err.status_text}."))
    return [*_nested(f"handle_errors {codes}", unavailable), *_nested("handle_errors", other)]


def _by_surface(name: str, answer: Callable[[Surface], list[str]]) -> list[str]:
    """The answer in the shape errors have below each path."""
    lines = []
    for surface in (Surface.PAGE, Surface.RPC_STATUS):
        paths = [route.path for route in GATEWAY if route.surface is surface]
        matcher = f"@{name}_{surface.value}"
        lines += [f"{matcher} path {' '.join(paths)}", *_nested(f"handle {matcher}", answer(surface))]
    return [*lines, *_nested("handle", answer(Surface.OAUTH_JSON))]


def _unavailable(surface: Surface) -> list[str]:
    if surface is Surface.PAGE:
        lines = _page_answer(503, "unavailable", "server_error")
    elif surface is Surface.RPC_STATUS:
        lines = _answer(503, _JSON, _rpc_body(_RPC_UNAVAILABLE, UNAVAILABLE.id, UNAVAILABLE.text))
    else:
        lines = _answer(503, _JSON, _oauth_body("server_error", UNAVAILABLE.text))
    return ["header Retry-After 1", *lines]


def _refused(surface: Surface, status: str, text: str) -> list[str]:
    if surface is Surface.PAGE:
        lines = _page_answer(status, "refused", "invalid_request")
    elif surface is Surface.RPC_STATUS:
        lines = _answer(status, _JSON, _rpc_body(_RPC_INVALID, INVALID_INPUT.id, text))
    else:
        lines = _answer(status, _JSON, _oauth_body("invalid_request", text))
    # The end of a body that could not be read is unknown: what follows it must not be taken for a request (IN-01).
    return ["header Connection close", *lines]


def _page_answer(status: int | str, sentence: str, code: str) -> list[str]:
    return [*PAGE_HEADERS, *_answer(status, "text/html; charset=utf-8", error_page(sentence, code))]


def _answer(status: int | str, media: str, body: str) -> list[str]:
    return [
        "import answer",
        f'header Content-Type "{media}"',
        f"respond `{body}` {status}",
    ]


def _oauth_body(code: str, text: str) -> str:
    return json.dumps({"error": code, "error_description": text}, separators=(",", ":"))


def _rpc_body(code: int, id: str, text: str) -> str:
    detail = {"@type": _DETAIL_TYPE, "id": id, "message": text}
    return json.dumps({"code": code, "message": f"{text} ({id})", "details": [detail]}, separators=(",", ":"))


def _block(head: str, lines: list[str]) -> str:
    return "\n".join(_nested(head, lines)) + "\n"


def _nested(head: str, lines: list[str]) -> list[str]:
    return [f"{head} {{".lstrip(), *(f"\t{line}" for line in lines), "}"]
