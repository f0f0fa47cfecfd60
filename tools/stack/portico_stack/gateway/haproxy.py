from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from portico_contracts import gateway as rules
from portico_contracts.context import REQUEST_START_HEADER
from portico_contracts.gateway import SECONDS
from portico_contracts.http import (
    ACCOUNTS_API,
    CALL_PREFIXES,
    DEVICE_API,
    DISCOVERY,
    EXTERNAL_API,
    GATEWAY,
    GRPC_MEDIA,
    JWT_AUTHORIZE,
    LINK_API,
    LOGIN_API,
    LOGOUT_API,
    Route,
    Surface,
)

from portico_stack.gateway.haproxy_answers import (
    LANGUAGE,
    REQUEST_ID,
    WORDS_FILE,
    answer,
    error_responses,
    errors,
    quoted,
    words_map,
)
from portico_stack.gateway.haproxy_cache import cache, cached
from portico_stack.gateway.haproxy_certificates import CERTIFICATE_VARIABLE, ClientCertificates
from portico_stack.gateway.haproxy_servers import CHECK_SECONDS, SENT_AGAIN, is_named, resolved_by, servers

CONFIGURATION: Final = "haproxy.cfg"
_BUFFER: Final = rules.READ_HEAD + 4 * 1024
"""Buffer size, slightly more than the maximum head. Above 64 KiB buffers cost twice the processor time: HAProxy
keeps half a mebibyte of them allocated.
"""

_MAX_HEADERS: Final = 256
_MAX_CONNECTIONS: Final = 8192
_NOTHING: Final = "nothing"
_WITH_STATIC_FILES: Final = ("login-ui", "console")
_COMPRESSED: Final = ("text/css", "text/javascript", "image/svg+xml")
"""Static files; pages are not compressed, because their length would reveal secrets."""


@dataclass(frozen=True, slots=True)
class HaproxySite:
    """Listeners and services of the gateway; addresses have ports, and `listen` may have a port alone.

    Args:
        grpc: by service, the addresses for plain gRPC (HTTP/2 without TLS).
        login_api: an internal address that balances authz's login API, empty for none.
        certificate: the certificate file, with its key in a file next to it with the suffix ``.key``; None for
            http.
        https_listen: used only where the environment names a certificate (`CERTIFICATE_VARIABLE`).
        mtls_listen: for client certificates; used only where the environment has the key of `rules.MTLS_KEY_VARIABLE`.
        ready_port: the internal port of every replica, where all have the same.
        ready_ports: by address, the internal port of that replica, where they differ.
    """

    listen: tuple[str, ...]
    upstreams: Mapping[str, tuple[str, ...]]
    grpc: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    login_api: str = ""
    certificate: str = ""
    https_listen: tuple[str, ...] = ()
    mtls_listen: tuple[str, ...] = ()
    strict_transport: bool = False
    ready_port: int | None = None
    resolvers: tuple[str, ...] = ()
    threads: int | None = None
    ready_ports: Mapping[str, int] = field(default_factory=dict)


class _Backend(NamedTuple):
    """Routes that differ only in their path: one service, one error format, one limit."""

    name: str
    service: str
    surface: Surface
    max_body: int
    paths: tuple[str, ...] = ()
    calls: bool = False
    grpc: bool = False


def haproxy_files(site: HaproxySite) -> dict[str, str]:
    return {CONFIGURATION: haproxy_cfg(site), WORDS_FILE: words_map()}


def haproxy_cfg(site: HaproxySite) -> str:
    backends = [*_backends(), *_grpc_backends(site)]
    sections = [_global(site), _defaults(), *_resolvers(site), _frontend(site, backends)]
    sections += [_backend(site, backend, _checked_by(backend, backends)) for backend in backends]
    sections += [_nothing(), _section(*cache())]
    if site.login_api:
        sections += [_inner(site, next(one.name for one in backends if one.service == "authz"))]
    return "\n".join("\n".join(lines) + "\n" for lines in sections)


def _section(head: str, lines: Iterable[str]) -> list[str]:
    return [head, *(f"    {line}" for line in lines)]


def _global(site: HaproxySite) -> list[str]:
    lines = [
        "# Everything beside this file is found there.",
        "default-path config",
        "# Failures only; what they name of a request is its path without the query.",
        "log stderr format raw daemon notice",
        f"maxconn {_MAX_CONNECTIONS}",
        "no strict-limits",
        f"hard-stop-after {SECONDS.client}s",
        f"tune.bufsize {_BUFFER}",
        f"tune.http.maxhdr {_MAX_HEADERS}",
        "# All heads of requests differ, so a cache of matched patterns costs more than it saves.",
        "tune.pattern.cache-size 0",
        "tune.h2.max-concurrent-streams 100",
        "ssl-default-bind-options ssl-min-ver TLSv1.2 no-tls-tickets",
        "ssl-default-bind-ciphers ECDHE+AESGCM:ECDHE+CHACHA20",
    ]
    return _section("global", [*lines, *([f"nbthread {site.threads}"] if site.threads else [])])


def _defaults() -> list[str]:
    return _section(
        "defaults",
        [
            "mode http",
            "log global",
            "option dontlog-normal",
            "option log-separate-errors",
            "option http-ignore-probes",
            "option idle-close-on-response",
            'log-format "%ci %[unique-id] %HM %HPO %ST %tsc %b/%s %Tt ms"',
            f"timeout http-request {SECONDS.head}s",
            f"timeout client {SECONDS.client}s",
            f"timeout http-keep-alive {SECONDS.client}s",
            f"timeout connect {SECONDS.connect}s",
            f"timeout server {SECONDS.answer}s",
            f"timeout check {int(CHECK_SECONDS * 1000)}ms",
            "# When a replica cannot be reached another one gets the request. What was already sent is sent again for",
            "# GET only, so a claim never happens twice, and only while there is another replica.",
            f"retries {SECONDS.retry // SECONDS.connect}",
            "option redispatch 1",
            "retry-on conn-failure empty-response",
            "balance roundrobin",
            "http-reuse always",
            f"default-server pool-purge-delay {int(SECONDS.idle_replica * 500)}ms",
        ],
    )


def _resolvers(site: HaproxySite) -> Iterator[list[str]]:
    addresses = [address for replicas in (*site.upstreams.values(), *site.grpc.values()) for address in replicas]
    if any(is_named(address) for address in addresses):
        yield _section("resolvers names", resolved_by(site.resolvers))


def _frontend(site: HaproxySite, backends: list[_Backend]) -> list[str]:
    defaults = (f"{name} {value}" for name, value in rules.ANSWER_HEADERS)
    lines = [
        *_binds(site),
        *errors(Surface.OAUTH_JSON),
        "unique-id-format %[uuid()]",
        *_kept_forwarding(),
        *(
            f"http-request del-header {_removed(name)}{_unless_passed(name)}"
            for name in (*rules.REMOVED_FROM_REQUESTS, "Connection")
        ),
        f"http-request set-header X-Request-Id {REQUEST_ID}",
        f"http-request set-header {REQUEST_START_HEADER} t=%[date(0,us)]",
        "http-request set-header X-Forwarded-For %[src] unless { var(txn.forwarded) -m found }",
        'http-request set-header X-Forwarded-For "%[var(txn.forwarded)], %[src]" if { var(txn.forwarded) -m found }',
        "http-request set-header X-Forwarded-Proto %[ssl_fc,iif(https,http)]",
        "http-request set-header X-Forwarded-Host %[req.hdr(host)]",
        *_certificates(site).headers(),
        *(f"http-after-response del-header {name}" for name in rules.REMOVED_FROM_ANSWERS),
        *(_default_header(header) for header in (f"X-Request-Id {REQUEST_ID}", *defaults)),
        "# No service answers so: it is the gateway's own, when none can be reached or answers in time.",
        "http-after-response set-status 503 if { status 502 504 }",
    ]
    if site.strict_transport:
        lines += [
            f'http-after-response set-header Strict-Transport-Security "{rules.STRICT_TRANSPORT}" if {{ ssl_fc }}'
        ]
    return _section("frontend gateway", [*lines, *_use_backends(site, backends)])


def _binds(site: HaproxySite) -> Iterator[str]:
    tls = "ssl crt {} alpn h2,http/1.1"
    certificate = " " + tls.format(quoted(site.certificate)) if site.certificate else ""
    for address in site.listen:
        yield f"bind {_chosen(address)}{certificate}"
    if site.https_listen:
        named = f'"${{{CERTIFICATE_VARIABLE}}}"'
        yield f".if defined({CERTIFICATE_VARIABLE})"
        for address in site.https_listen:
            yield f"bind {_chosen(address)} {tls.format(named)}"
        yield ".endif"
    yield from _certificates(site).binds()


def _certificates(site: HaproxySite) -> ClientCertificates:
    addresses = [_chosen(address) for address in site.mtls_listen]
    return ClientCertificates(addresses, quoted(site.certificate) if site.certificate else "")


def _chosen(address: str) -> str:
    return f'"${{{rules.HOST_VARIABLE}}}{address}"' if address.startswith(":") else address


def _kept_forwarding() -> Iterator[str]:
    yield f'.if !streq("${{{rules.PROXIES_VARIABLE}}}","")'
    yield f'acl proxied src "${{{rules.PROXIES_VARIABLE}[*]}}"'
    yield "http-request set-var(txn.forwarded) req.fhdr(X-Forwarded-For) if proxied"
    yield "# Proxies close idle connections themselves, so that no request meets one that is being closed."
    yield from (f"timeout {kind} {SECONDS.proxy}s" for kind in ("client", "http-keep-alive"))
    yield ".endif"


def _removed(name: str) -> str:
    return f"{name[:-1]} -m beg" if name.endswith("*") else name


def _unless_passed(name: str) -> str:
    return f" unless {{ path {JWT_AUTHORIZE} }}" if name in rules.PASSED_TO_JWT_AUTHORIZE else ""


def _default_header(header: str) -> str:
    name = header.partition(" ")[0]
    return f"http-after-response set-header {header} unless {{ res.hdr({name}) -m found }}"


def _use_backends(site: HaproxySite, backends: list[_Backend]) -> Iterator[str]:
    """In the order of the map; unknown RPC methods go to a service that knows their protocol's error format."""
    yield "# Segments that lead upwards are nowhere: dots alone, however they are written. %2F ends no segment."
    yield f"use_backend {_NOTHING} if {{ path -m reg -i /(\\.|%2e)(\\.|%2e)?(/|$) }}"
    yield from _certificates(site).only_aliases(_NOTHING)
    plain = (
        f"{{ req.hdr(content-type) -m beg {GRPC_MEDIA} }} !{{ req.hdr(content-type) -m beg {rules.GRPC_WEB_MEDIA} }}"
    )
    for backend in backends:
        if backend.grpc:
            yield f"use_backend {backend.name} if {{ path_beg {' '.join(CALL_PREFIXES)} }} {plain}"
    for backend in backends:
        exact = [path for path in backend.paths if not path.endswith("*")]
        below = [path[:-1] for path in backend.paths if path.endswith("*")]
        if exact:
            yield f"use_backend {backend.name} if {{ path {' '.join(exact)} }}"
        if below:
            yield f"use_backend {backend.name} if {{ path_beg {' '.join(below)} }}"
    for backend in backends:
        if backend.grpc:
            yield f"use_backend {backend.name} if {plain}"
        if backend.calls:
            for media in rules.CALL_MEDIA:
                method = "beg" if media.endswith("*") else "str"
                yield f"use_backend {backend.name} if {{ req.hdr(content-type) -m {method} {media.rstrip('*')} }}"
            yield f"use_backend {backend.name} if {{ req.hdr({rules.CALL_HEADER}) -m found }}"
    yield f"default_backend {_NOTHING}"


def _backends() -> list[_Backend]:
    groups: dict[tuple[str, Surface, int, bool], list[str]] = {}
    for route in GATEWAY:
        key = (route.service, route.surface, route.max_body, route.path.startswith(CALL_PREFIXES))
        groups.setdefault(key, []).append(route.path)
    return [
        _Backend(f"{service}_{'calls' if calls else surface}", service, surface, limit, tuple(paths), calls)
        for (service, surface, limit, calls), paths in groups.items()
    ]


def _grpc_backends(site: HaproxySite) -> Iterator[_Backend]:
    """Routes plain gRPC to its own port, with HTTP/2 all the way; gRPC-web is ordinary HTTP."""
    for service in site.grpc:
        # The prefixes of calls have one limit.
        for route in [one for one in GATEWAY if one.service == service and one.path.startswith(CALL_PREFIXES)][:1]:
            yield _Backend(f"{service}_grpc", service, route.surface, route.max_body + 1024, grpc=True)


def _checked_by(backend: _Backend, backends: list[_Backend]) -> str:
    """Returns the first backend with the same replicas, so that each replica is checked once; empty for itself."""
    first = next(one.name for one in backends if one.service == backend.service)
    return "" if first == backend.name else first


def _backend(site: HaproxySite, backend: _Backend, checked_by: str) -> list[str]:
    addresses = (site.grpc if backend.grpc else site.upstreams)[backend.service]
    closing = rules.CLOSING_OF_CALLS if backend.calls or backend.grpc else rules.CLOSING
    lines = [
        *error_responses(backend.surface, backend.max_body),
        *(cached() if set(backend.paths) & set(rules.CACHED) else []),
        f"http-after-response set-header Connection close if {{ status {' '.join(map(str, closing))} }}",
        f"http-request disable-l7-retry unless {SENT_AGAIN}",
    ]
    if backend.service in _WITH_STATIC_FILES:
        lines += ["compression algo gzip", f"compression type {' '.join(_COMPRESSED)}"]
    return _section(
        f"backend {backend.name}",
        [
            *lines,
            *servers(
                backend.service, addresses, _ready_ports(site, addresses), grpc=backend.grpc, checked_by=checked_by
            ),
        ],
    )


def _ready_ports(site: HaproxySite, addresses: Iterable[str]) -> dict[str, int | None]:
    return {address: site.ready_ports.get(address, site.ready_port) for address in addresses}


def _nothing() -> list[str]:
    route = Route("", "", Surface.OAUTH_JSON)
    browser = f"{{ req.hdr(accept) -m beg -i {rules.BROWSER_MEDIA} }} !{{ path_beg {rules.NO_PAGES[:-1]} }}"
    return _section(
        f"backend {_NOTHING}",
        [
            *error_responses(route.surface, route.max_body),
            LANGUAGE,
            f"http-request return {answer(Surface.PAGE, 404)} if {browser}",
            f"http-request return {answer(route.surface, 404, rules.NO_PATH)}",
        ],
    )


def _inner(site: HaproxySite, checked_by: str) -> list[str]:
    authz = site.upstreams["authz"]
    exact, below = (ACCOUNTS_API, DEVICE_API, DISCOVERY), (LOGIN_API, LOGOUT_API, LINK_API, EXTERNAL_API)
    return _section(
        "listen login_api",
        [
            f"bind {site.login_api}",
            f"http-request reject unless {{ path {' '.join(exact)} }} or {{ path_beg {' '.join(f'{path}/' for path in below)} }}",
            f"http-request disable-l7-retry unless {SENT_AGAIN}",
            *errors(Surface.OAUTH_JSON),
            "http-after-response set-status 503 if { status 502 504 }",
            *servers("authz", authz, _ready_ports(site, authz), checked_by=checked_by),
        ],
    )
