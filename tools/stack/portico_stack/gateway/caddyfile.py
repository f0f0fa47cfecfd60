from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Final

from portico_contracts import gateway as rules
from portico_contracts.context import REQUEST_START_HEADER
from portico_contracts.gateway import SECONDS
from portico_contracts.http import (
    ACCOUNTS_API,
    CALL_PREFIXES,
    CONSOLE_STATIC,
    DEVICE_API,
    DISCOVERY,
    EXTERNAL_API,
    GATEWAY,
    GRPC_MEDIA,
    LINK_API,
    LOGIN_API,
    LOGIN_STATIC,
    LOGOUT_API,
    MTLS_ALIASES,
    Route,
    Surface,
)

from portico_stack.gateway.caddy_answers import (
    ANSWER_HEADERS,
    DEFAULT_HEADERS,
    HTTP_1,
    REQUEST_ID,
    answer,
    by_surface,
    errors,
    late,
    page_answer,
    refused,
    words_map,
)
from portico_stack.gateway.caddy_certificates import certificate_headers, client_certificates
from portico_stack.gateway.caddy_forwarding import PROXIES, removed_headers
from portico_stack.gateway.caddy_syntax import UPWARDS, at, block, nested

_PLAIN_GRPC: Final = (f"header Content-Type {GRPC_MEDIA}*", f"not header Content-Type {rules.GRPC_WEB_MEDIA}*")

_HELD: Final = max(route.max_body for route in GATEWAY if route.surface is not Surface.RPC_STATUS)
"""Bytes of a body that is awaited before a service is called: every form; of larger calls the rest goes on as it comes.

When a service answers while a body is still being read, Go's server may end its own time limit for reading, and a client that
sends nothing more keeps the connection for ever.
"""

_LONG: Final = ("{http.request.orig_uri}", "{http.request.header.Authorization}", "{http.request.header.Cookie}")
"""Headers that can make a head long: Caddy cannot measure all of it."""

_GO_SLACK: Final = 4 * 1024
"""Bytes that Go's server reads of a head beyond its limit."""

_CALLS_OF_OTHERS: Final = {
    "media": [f"header Content-Type {kind}" for kind in rules.CALL_MEDIA],
    "version": [f"header {rules.CALL_HEADER} *"],
}


@dataclass(frozen=True, slots=True)
class Site:
    """Listeners and services of the gateway.

    Args:
        address: a Caddy site address, for example ``http://:8080``.
        login_api: an internal address that balances authz's login API, empty for none.
        grpc: by service, the addresses for plain gRPC (HTTP/2 without TLS).
        health_port: the internal port of every replica, where all have the same.
        resolvers: DNS servers for the replicas' names; empty for those of the machine.
        mtls_address: the site address for client certificates, empty for none.
        imported: a glob of further files, for `mtls_site` where the operator turns it on.
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
    mtls_address: str = ""
    imported: str = ""


def caddyfile(site: Site) -> str:
    blocks = [_options(site), block("(balanced)", _balanced(site)), block("(answer)", ANSWER_HEADERS)]
    blocks += [block("(unread)", _unread(rules.CLOSING)), block("(unread_call)", _unread(rules.CLOSING_OF_CALLS))]
    blocks += [_outer(site)]
    if site.login_api:
        blocks.append(_inner(site))
    if site.mtls_address:
        blocks.append(mtls_site(site))
    if site.imported:
        blocks.append(f"import {site.imported}\n")
    return "\n".join(blocks)


def _options(site: Site) -> str:
    return block(
        "",
        [
            "admin off",
            "persist_config off",
            f"grace_period {SECONDS.stop}s",
            *site.options,
            *nested("log", ["level WARN"]),
            *nested(
                "servers",
                [
                    "protocols h1 h2 h2c",
                    f"max_header_size {(rules.READ_HEAD - _GO_SLACK) // 1024}KiB",
                    f"trusted_proxies static {PROXIES}",
                    *nested("timeouts", _timeouts()),
                ],
            ),
        ],
    )


def _outer(site: Site) -> str:
    return block(site.address, [*site.tls, *_listener(site)])


def mtls_site(site: Site) -> str:
    """The endpoints that accept client certificates, at an address of their own."""
    return block(site.mtls_address, [*client_certificates(site.tls), *_listener(site, with_certificates=True)])


def _listener(site: Site, *, with_certificates: bool = False) -> list[str]:
    lines: list[str] = []
    if site.bind:
        lines.append("bind " + " ".join(site.bind))
    lines += [
        f"request_header X-Request-Id {REQUEST_ID}",
        f"request_header {REQUEST_START_HEADER} t={{time.now.unix_ms}}",
    ]
    lines += removed_headers()
    lines += certificate_headers() if with_certificates else []
    lines += [f"{HTTP_1} not protocol http/2+"]
    lines += words_map()
    lines += late()
    lines += [*(f"header -{name}" for name in rules.REMOVED_FROM_ANSWERS), *DEFAULT_HEADERS]
    bodiless = "method " + " ".join(rules.NO_BODY_METHODS)
    lines += nested("@unasked", [bodiless, "header Content-Length *", "not header Content-Length 0"])
    lines += nested("@unasked_chunks", [bodiless, "header Transfer-Encoding *"])
    lines += [f"@long_head expression `size({' + '.join(_LONG)}) > {rules.MAX_HEAD}`"]
    lines += _refused_if("unasked", "400", rules.NO_BODY)
    lines += _refused_if("unasked_chunks", "400", rules.NO_BODY)
    lines += _refused_if("long_head", "431", rules.LONG_HEAD)
    lines += nested("@public", ["protocol https", "not host localhost"])
    lines += [f'header @public Strict-Transport-Security "{rules.STRICT_TRANSPORT}"']
    lines += [f"@static path {LOGIN_STATIC}/* {CONSOLE_STATIC}/*", "encode @static gzip"]
    lines += nested("@browser", [f"header_regexp Accept (?i)^{rules.BROWSER_MEDIA}", f"not {at([rules.NO_PAGES])}"])
    absent = answer(404, rules.JSON, rules.error_response(Surface.OAUTH_JSON, rules.NO_PATH))
    page = page_answer(404, "absent", "invalid_request")
    nothing = ["import unread", *nested("handle @browser", page), *nested("handle", absent)]
    lines += [f"@upwards {UPWARDS}", *nested("handle @upwards", nothing)]
    if with_certificates:
        lines += [f"@no_alias not {at(MTLS_ALIASES.values())}", *nested("handle @no_alias", nothing)]
    lines += _grpc(site, at([f"{prefix}*" for prefix in CALL_PREFIXES]))
    for number, (route, paths) in enumerate(_grouped()):
        lines += [f"@route{number} {at(paths)}", *nested(f"handle @route{number}", _proxied(site, route))]
    lines += _calls_of_others(site)
    lines += nested("handle", nothing)
    return [*lines, *errors()]


def _refused_if(matcher: str, status: str, text: str) -> list[str]:
    return nested(f"handle @{matcher}", by_surface(matcher, lambda surface: refused(surface, status, text)))


def _calls_of_others(site: Site) -> list[str]:
    """Unknown RPC methods are routed to a service that knows the error format of their protocol."""
    calls = next(route for route in GATEWAY if route.path.startswith(CALL_PREFIXES))
    lines = _grpc(site)
    for name, matcher in _CALLS_OF_OTHERS.items():
        lines += [*nested(f"@call_{name}", matcher), *nested(f"handle @call_{name}", _proxied(site, calls))]
    return lines


def _unread(statuses: Iterable[int]) -> list[str]:
    """Closes the connection after responses that may precede the end of the body.

    A late body is never read to its end, and Go would parse the rest as the next request (IN-01).
    """
    matched = "status " + " ".join(str(status) for status in statuses)
    return nested(f"header {HTTP_1}", [*nested("match", [matched]), "Connection close", "defer"])


def _inner(site: Site) -> str:
    lines = [
        f"@login path {LOGIN_API}/* {LOGOUT_API}/* {LINK_API}/* {EXTERNAL_API}/* {ACCOUNTS_API} {DEVICE_API} {DISCOVERY}",
        *nested("handle @login", _proxy(site, "authz")),
        *nested("handle", ["abort"]),
    ]
    return block(site.login_api, ["bind 127.0.0.1", *lines])


def _grouped() -> list[tuple[Route, list[str]]]:
    groups: dict[tuple[str, int, bool], tuple[Route, list[str]]] = {}
    for route in GATEWAY:
        key = (route.service, route.max_body, route.path.startswith(CALL_PREFIXES))
        groups.setdefault(key, (route, []))[1].append(route.path)
    return list(groups.values())


def _grpc(site: Site, below: str = "") -> list[str]:
    """Plain gRPC over HTTP/2 to its own port; gRPC-web is ordinary HTTP. `below` is a matcher of paths."""
    lines: list[str] = []
    for service, addresses in site.grpc.items():
        routes = [route for route in GATEWAY if route.service == service and route.path.startswith(CALL_PREFIXES)]
        if not routes:
            continue
        limit = f"max_size {routes[0].max_body // 1024 + 1}KiB"
        name = f"@grpc_{service}" + ("" if below else "_others")
        proxy = _to(site, addresses, _grpc_balanced(site))
        lines += nested(name, [*([below] if below else []), *_PLAIN_GRPC])
        lines += nested(f"handle {name}", ["import unread_call", *nested("request_body", [limit]), *proxy])
    return lines


def _grpc_balanced(site: Site) -> list[str]:
    return _balancing(site, ["versions h2c 2", *_transport(site)])


def _health(site: Site) -> list[str]:
    # Caddy has no health checks for replicas found by DNS.
    if not site.health_port or all(_is_name(addresses) for addresses in site.upstreams.values()):
        return []
    return [f"health_uri {rules.HEALTH}", f"health_port {site.health_port}", f"health_interval {SECONDS.health}s"]


def _proxied(site: Site, route: Route) -> list[str]:
    unread = "import unread_call" if route.path.startswith(CALL_PREFIXES) else "import unread"
    limit = f"max_size {route.max_body // 1024}KiB"
    # One byte more than allowed, so that a body that is too large is detected before a service is called.
    held = f"request_buffers {min(route.max_body, _HELD) + 1}"
    return [unread, *nested("request_body", [limit]), *_proxy(site, route.service, held)]


def _proxy(site: Site, service: str, *lines: str) -> list[str]:
    return _to(site, site.upstreams[service], ["import balanced", *lines])


def _to(site: Site, addresses: tuple[str, ...], balanced: list[str]) -> list[str]:
    """Caddy has no health checks for a name: a replica is skipped when a request fails to connect."""
    if not _is_name(addresses):
        return nested("reverse_proxy " + " ".join(addresses), balanced)
    name, _, port = addresses[0].rpartition(":")
    lines = [f"name {name}", f"port {port}", f"refresh {SECONDS.names}s", f"dial_timeout {SECONDS.connect}s"]
    lines += [f"resolvers {' '.join(site.resolvers)}"] if site.resolvers else []
    return nested("reverse_proxy", [*nested("dynamic a", lines), *balanced])


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
    # When a replica is unreachable, another one gets the request. Requests that were already sent are repeated for
    # GET only, so a claim never happens twice, and not with a proof, which works once. No fail_duration: Caddy counts a body aborted by the
    # client as a failure of the replica, so any client could disable all replicas (RX-12).
    return [
        "lb_policy round_robin",
        f"lb_try_duration {SECONDS.retry}s",
        "lb_try_interval 50ms",
        *nested("lb_retry_match", ["method GET", f"not header {rules.USED_UP} *"]),
        *_health(site),
        *nested("transport http", transport),
    ]


def _transport(site: Site) -> list[str]:
    resolvers = [f"resolvers {' '.join(site.resolvers)}"] if site.resolvers else []
    return [
        f"dial_timeout {SECONDS.connect}s",
        f"response_header_timeout {SECONDS.answer}s",
        "compression off",
        *resolvers,
    ]


def _timeouts() -> list[str]:
    return [
        f"read_header {SECONDS.head}s",
        f"read_body {SECONDS.body}s",
        # Caddy's own timeout between parts of a body ends read_body when it expires: the connection would stay open
        # forever.
        "read_body_idle -1s",
        f"write_idle {SECONDS.client}s",
        f"idle {SECONDS.client}s",
    ]
