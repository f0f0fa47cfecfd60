"""Caddy's configuration: the Caddyfile."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Final

from portico_contracts import gateway as rules
from portico_contracts.context import REQUEST_START_HEADER
from portico_contracts.gateway import SECONDS
from portico_contracts.http import (
    ACCOUNTS_API,
    DISCOVERY,
    EXTERNAL_API,
    GATEWAY,
    LINK_API,
    LOGIN_API,
    LOGIN_STATIC,
    LOGOUT_API,
    RPC_PREFIX,
    Route,
    Surface,
)

from portico_stack.gateway.caddy_forwarding import PROXIES, removed_headers
from portico_stack.gateway.pages import PAGE_HEADERS, WORDS, Words, error_page

_REQUEST_ID: Final = "{http.request.uuid}"
_ANSWER_HEADERS: Final = [
    f"header X-Request-Id {_REQUEST_ID}",
    *(f"header {name} {value}" for name, value in rules.ANSWER_HEADERS),
]
_DEFAULT_HEADERS: Final = [header.replace("header ", "header ?") for header in _ANSWER_HEADERS]

_PLAIN_GRPC: Final = (
    f"header Content-Type {rules.GRPC_MEDIA}*",
    f"not header Content-Type {rules.GRPC_WEB_MEDIA}*",
)
_UNREACHABLE: Final = (502, 503, 504)
_UNREADABLE: Final = "chunked|chunk length|header line too long|^unexpected EOF$|^read.* (unexpected EOF|i/o timeout)$"
"""Go's error texts for a request body that is malformed, breaks off or does not arrive."""

_CALLS_OF_OTHERS: Final = {
    "media": [f"header Content-Type {kind}" for kind in rules.CALL_MEDIA],
    "version": [f"header {rules.CALL_HEADER} *"],
}


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
        resolvers: DNS servers that know the replicas' names; none for those of the machine.
    """

    address: str
    upstreams: Mapping[str, tuple[str, ...]]
    grpc: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    login_api: str = ""
    bind: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    tls: tuple[str, ...] = ()
    health_port: int | None = None
    resolvers: tuple[str, ...] = ()


def caddyfile(site: Site) -> str:
    """The whole Caddyfile."""
    blocks = [_options(site), _block("(balanced)", _balanced(site)), _block("(answer)", _ANSWER_HEADERS)]
    blocks += [
        _block("(unread)", _unread(rules.CLOSING)),
        _block("(unread_call)", _unread(rules.CLOSING_OF_CALLS)),
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
            f"grace_period {SECONDS.stop}s",
            *site.options,
            *_nested("log", ["level WARN"]),
            *_nested(
                "servers",
                [
                    "protocols h1 h2 h2c",
                    f"max_header_size {rules.MAX_HEAD // 1024}KiB",
                    f"trusted_proxies static {PROXIES}",
                    *_nested("timeouts", _timeouts()),
                ],
            ),
        ],
    )


def _outer(site: Site) -> str:
    lines = [*site.tls]
    if site.bind:
        lines.append("bind " + " ".join(site.bind))
    lines += [
        f"request_header X-Request-Id {_REQUEST_ID}",
        f"request_header {REQUEST_START_HEADER} t={{time.now.unix_ms}}",
    ]
    lines += removed_headers()
    lines += _words_map()
    lines += [*(f"header -{name}" for name in rules.REMOVED_FROM_ANSWERS), *_DEFAULT_HEADERS]
    bodiless = "method " + " ".join(rules.NO_BODY_METHODS)
    lines += _nested("@unasked", [bodiless, "header Content-Length *", "not header Content-Length 0"])
    lines += _nested("@unasked_chunks", [bodiless, "header Transfer-Encoding *"])
    for matcher in ("@unasked", "@unasked_chunks"):
        body = _by_surface(matcher[1:], lambda surface: _refused(surface, "400", rules.NO_BODY))
        lines += _nested(f"handle {matcher}", body)
    lines += _nested("@public", ["protocol https", "not host localhost"])
    lines += [f'header @public Strict-Transport-Security "{rules.STRICT_TRANSPORT}"']
    lines += [f"@static path {LOGIN_STATIC}/*", "encode @static gzip"]
    lines += _grpc(site, f"path {RPC_PREFIX}*")
    for number, (route, paths) in enumerate(_grouped()):
        lines += [f"@route{number} path {' '.join(paths)}", *_nested(f"handle @route{number}", _proxied(site, route))]
    lines += _calls_of_others(site)
    nothing = _answer(404, rules.JSON, rules.refusal(Surface.OAUTH_JSON, rules.NO_PATH))
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
        f"@login path {LOGIN_API}/* {LOGOUT_API}/* {LINK_API}/* {EXTERNAL_API}/* {ACCOUNTS_API} {DISCOVERY}",
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
        proxy = _to(site, addresses, _grpc_balanced(site))
        lines += _nested(name, [*([below] if below else []), *_PLAIN_GRPC])
        lines += _nested(f"handle {name}", ["import unread_call", *_nested("request_body", [limit]), *proxy])
    return lines


def _grpc_balanced(site: Site) -> list[str]:
    return _balancing(site, ["versions h2c 2", *_transport(site)])


def _health(site: Site) -> list[str]:
    # Of replicas that it looks up by a name Caddy checks none.
    if not site.health_port or all(_is_name(addresses) for addresses in site.upstreams.values()):
        return []
    return [f"health_uri {rules.HEALTH}", f"health_port {site.health_port}", f"health_interval {SECONDS.health}s"]


def _proxied(site: Site, route: Route) -> list[str]:
    unread = "import unread_call" if route.path.startswith(RPC_PREFIX) else "import unread"
    return [unread, *_nested("request_body", [f"max_size {route.max_body // 1024}KiB"]), *_proxy(site, route.service)]


def _proxy(site: Site, service: str) -> list[str]:
    return _to(site, site.upstreams[service], ["import balanced"])


def _to(site: Site, addresses: tuple[str, ...], balanced: list[str]) -> list[str]:
    """The directive that calls replicas: by their addresses, or all that a name leads to.

    Of a name Caddy checks no replica beforehand: one that cannot be reached is passed over when a request finds it.
    """
    if not _is_name(addresses):
        return _nested("reverse_proxy " + " ".join(addresses), balanced)
    name, _, port = addresses[0].rpartition(":")
    lines = [f"name {name}", f"port {port}", f"refresh {SECONDS.names}s", f"dial_timeout {SECONDS.connect}s"]
    lines += [f"resolvers {' '.join(site.resolvers)}"] if site.resolvers else []
    return _nested("reverse_proxy", [*_nested("dynamic a", lines), *balanced])


def _is_name(addresses: tuple[str, ...]) -> bool:
    host = addresses[0].rpartition(":")[0].strip("[]")
    try:
        ip_address(host)
    except ValueError:
        return len(addresses) == 1
    return False


def _balanced(site: Site) -> list[str]:
    return _balancing(site, [f"keepalive {SECONDS.idle_replica}s", *_transport(site)])


def _balancing(site: Site, transport: list[str]) -> list[str]:
    # When a replica cannot be reached another one gets the request. What was already sent is sent again for GET only
    # (Caddy's default), so a claim never happens twice. No fail_duration: Caddy counts a body that its own client
    # breaks off as a failure of the replica, so that any client could put all replicas out of use (RX-12).
    return [
        "lb_policy round_robin",
        f"lb_try_duration {SECONDS.retry}s",
        "lb_try_interval 50ms",
        *_health(site),
        *_nested("transport http", transport),
    ]


def _transport(site: Site) -> list[str]:
    resolvers = [f"resolvers {' '.join(site.resolvers)}"] if site.resolvers else []
    return [
        f"dial_timeout {SECONDS.connect}s",
        f"response_header_timeout {SECONDS.answer}s",
        "compression off",
        *resolvers,
    ]


def _errors() -> list[str]:
    unavailable = [
        # A body that cannot be read is the client's mistake, although Caddy finds it while it talks to a service.
        f"@unreadable expression `{{err.message}}.matches({json.dumps(_UNREADABLE)})`",
        *_nested(
            "handle @unreadable", _by_surface("unreadable", lambda surface: _refused(surface, "400", rules.BROKEN_BODY))
        ),
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
    else:
        lines = _answer(503, rules.JSON, rules.unavailable(surface))
    return ["header Retry-After 1", *lines]


def _refused(surface: Surface, status: str, text: str) -> list[str]:
    if surface is Surface.PAGE:
        lines = _page_answer(status, "refused", "invalid_request")
    else:
        lines = _answer(status, rules.JSON, rules.refusal(surface, text))
    # The end of a body that could not be read is unknown: what follows it must not be taken for a request (IN-01).
    return ["header Connection close", *lines]


def _page_answer(status: int | str, sentence: str, code: str) -> list[str]:
    headers = (f'header {name} "{value}"' if " " in value else f"header {name} {value}" for name, value in PAGE_HEADERS)
    page = error_page(sentence, code, lambda word: f"{{page_{word}}}", _REQUEST_ID)
    return [*headers, *_answer(status, rules.HTML, page)]


def _answer(status: int | str, media: str, body: str) -> list[str]:
    return [
        "import answer",
        f'header Content-Type "{media}"',
        f"respond `{body}` {status}",
    ]


def _words_map() -> list[str]:
    """The directive that finds the words of a request."""
    names = " ".join(f"{{page_{name}}}" for name in Words._fields)
    rows = [f"`~(?i){words.pattern}` {_quoted(words)}" for words in WORDS[1:]]
    return _nested(f"map {{http.request.header.Accept-Language}} {names}", [*rows, f"default {_quoted(WORDS[0])}"])


def _quoted(words: Words) -> str:
    return " ".join(f'"{text}"' for text in words)


def _timeouts() -> list[str]:
    return [
        f"read_header {SECONDS.head}s",
        f"read_body {SECONDS.body}s",
        f"write {SECONDS.client}s",
        f"idle {SECONDS.idle}s",
    ]


def _block(head: str, lines: list[str]) -> str:
    return "\n".join(_nested(head, lines)) + "\n"


def _nested(head: str, lines: list[str]) -> list[str]:
    return [f"{head} {{".lstrip(), *(f"\t{line}" for line in lines), "}"]
