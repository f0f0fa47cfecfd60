"""Framing on raw sockets, at the gateway and at the services' ports: no request smuggling.

Each case is followed by a canary, a request for the discovery document or an unknown path: when a case is
refused by closing, the canary has no response; otherwise it has exactly its own (IN-01).
"""

from __future__ import annotations

import asyncio
import re
import struct
from collections.abc import Callable, Iterator
from ipaddress import ip_address
from pathlib import Path

import pytest
from portico_harness.framing_cases import AMBIGUOUS, CHUNKED, END, GET, HOST, POST, REFUSED, REFUSED_BY_SERVICES
from portico_harness.raw_http import Heard, exchange
from portico_scenarios.attacker import Attacker
from portico_scenarios.world import World
from portico_stack.assembly.stack import Stack

pytestmark = [pytest.mark.e2e, pytest.mark.usefixtures("unharmed")]


PortOf = Callable[[World], int]


def _gateway(world: World) -> int:
    return world.stack.layout.gateway.port


def _service(world: World) -> int:
    return world.stack.replicas_of("token")[0].port


PORTS = pytest.mark.parametrize("port", [_gateway, _service], ids=["gateway", "service"])
CANARY = b"GET /oauth/v2/nothing HTTP/1.1\r\n" + HOST + b"X-Canary: 1\r\nConnection: close\r\n\r\n"


async def _with_canary(port: int, case: bytes) -> Heard:
    return await exchange(port, case + CANARY, wait=1.0)


@PORTS
async def test_invalid_framing_is_refused_and_closes_the_connection(world: World, port: PortOf) -> None:
    """Invalid framing gets 4xx, 501 or 505 and a closed connection, without a second request (IN-01, RX-06)."""
    number = port(world)
    cases = REFUSED if port is _gateway else REFUSED | REFUSED_BY_SERVICES
    heard = await asyncio.gather(*(_with_canary(number, case) for case in cases.values()))

    for name, one in zip(cases, heard, strict=True):
        assert one.closed, name
        assert len(one.statuses) <= 1, f"{name}: {one.data!r}"
        assert all(status in (400, 413, 414, 431, 501, 505) for status in one.statuses), f"{name}: {one.data[:200]!r}"


@PORTS
async def test_ambiguous_framing_is_interpreted_in_one_way(world: World, port: PortOf) -> None:
    """The case and its canary get at most one response each, in order, without a success or internal error (IN-01)."""
    number = port(world)
    cases = AMBIGUOUS | REFUSED_BY_SERVICES
    heard = await asyncio.gather(*(_with_canary(number, case) for case in cases.values()))

    for name, one in zip(cases, heard, strict=True):
        assert 1 <= len(one.statuses) <= 2, f"{name}: {one.data!r}"
        assert one.statuses[0] in (400, 404, 405, 415, 422, 501), f"{name}: {one.data[:200]!r}"
        assert one.statuses[1:] in ([], [404], [400]), f"{name}: {one.data!r}"
        assert b"keys" not in one.data, name


@PORTS
async def test_errors_below_the_application_have_shared_headers(world: World, port: PortOf) -> None:
    """Errors of the HTTP server itself have the shared security headers (RX-12)."""
    heard = await exchange(port(world), AMBIGUOUS["unknown method"], wait=1.0)
    head = heard.data.partition(END)[0].lower()

    assert heard.statuses in ([400], [405])
    for header in (b"x-request-id: ", b"x-content-type-options: nosniff", b"cache-control: no-store"):
        assert header in head


BREAKING = {
    "broken chunk": REFUSED["negative chunk"],
    "too large": CHUNKED + b"20000\r\n" + b"a" * 0x20000 + b"\r\n0" + END,
    "body cut off": POST + b"Content-Length: 100\r\n\r\nabc",
}


async def test_one_client_cannot_disable_a_service(attacker: Attacker) -> None:
    """While clients send broken bodies continuously, all others are served at once (RX-12, RX-03)."""
    port = _gateway(attacker.world)
    stop = asyncio.Event()

    async def break_in(request: bytes) -> None:
        while not stop.is_set():
            await exchange(port, request, wait=0.02)

    breaking = [asyncio.create_task(break_in(request)) for request in BREAKING.values()]
    try:
        for _ in range(20):
            answer = await attacker.post("/oauth/v2/token", "grant_type=x")
            assert answer.status_code == 400
    finally:
        stop.set()
        await asyncio.gather(*breaking)


async def test_slow_clients_do_not_delay_others(attacker: Attacker) -> None:
    """Hundreds of connections with no request or a partial one do not delay others (RX-03)."""
    ports = (_gateway(attacker.world), _service(attacker.world))
    halves = (b"", GET, POST + b"Content-Length: 100\r\n\r\nab", CHUNKED + b"5\r\nab")
    opened = [await asyncio.open_connection("127.0.0.1", port) for port in ports for _ in halves for _ in range(40)]
    try:
        for number, (_, writer) in enumerate(opened):
            writer.write(halves[number // 40 % len(halves)])
        for _ in range(10):
            answer = await attacker.post("/oauth/v2/token", "grant_type=x")
            assert answer.status_code == 400
    finally:
        for _, writer in opened:
            writer.close()


PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
HEADER_BLOCK = b"\x82\x86\x04\x0e/oauth/v2/keys\x01\x09localhost"
"""GET, http, :path and :authority in HPACK."""


def _frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """RFC 9113 §4.1."""
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def _streams(count: int, *, after: bytes = b"", flags: int = 5) -> bytes:
    """Returns requests for the key set, each followed by its reset with the error ``after``."""
    ids = range(1, 2 * count, 2)
    return b"".join(_frame(1, flags, id, HEADER_BLOCK) + (_frame(3, 0, id, after) if after else b"") for id in ids)


FLOODS = {
    "resets": _frame(4, 0, 0) + _streams(5_000, after=struct.pack(">I", 8)),
    "continuations": _frame(4, 0, 0) + _frame(1, 1, 1, HEADER_BLOCK) + _frame(9, 0, 1, b"\x00\x01x\x01y") * 20_000,
    "empty continuations": _frame(4, 0, 0) + _frame(1, 1, 1, HEADER_BLOCK) + _frame(9, 0, 1) * 50_000,
    "settings": _frame(4, 0, 0) * 50_000,
    "pings": _frame(4, 0, 0) + _frame(6, 0, 0, b"12345678") * 50_000,
    "no window": _frame(4, 0, 0, struct.pack(">HI", 4, 0)) + _streams(2_000),
    "streams without an end": _frame(4, 0, 0) + _streams(5_000, flags=4),
}


async def test_http2_floods_do_not_delay_others(attacker: Attacker) -> None:
    """The gateway limits resets, continuations, settings and closed windows, and serves other clients (RX-11)."""
    for what, flood in FLOODS.items():
        flooding = asyncio.create_task(exchange(_gateway(attacker.world), PREFACE, flood, wait=0.2))
        for _ in range(10):
            answer = await attacker.ask("GET", attacker.endpoint("jwks_uri"))
            assert answer.status_code == 200, what
        heard = await flooding

        assert heard.data or heard.closed, what


def _sockets_of(data: Path) -> set[str]:
    """Returns the socket inodes of all processes of the data directory."""
    found = set()
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if str(data).encode() in (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes():
                links = [str(link.readlink()) for link in (entry / "fd").iterdir()]
                found |= {link[8:-1] for link in links if link.startswith("socket:[")}
        except OSError:  # it ended meanwhile, or belongs to another user
            continue
    return found


def _listeners() -> Iterator[tuple[str, int, str]]:
    """Yields address, port and inode of every listening TCP socket (proc_net_tcp)."""
    for table in ("tcp", "tcp6"):
        for line in Path("/proc/net", table).read_text().splitlines()[1:]:
            fields = line.split()
            packed, port = fields[1].split(":")
            if fields[3] == "0A":
                words = [int(word, 16) for word in re.findall(".{8}", packed)]
                yield str(ip_address(struct.pack(f"={len(words)}I", *words))), int(port, 16), fields[9]


def _expected(stack: Stack) -> set[int]:
    layout = stack.layout
    ports = {port for replica in layout.replicas for port in (replica.port, replica.internal_port)}
    return ports | set(stack.installation.ports.values()) | {layout.gateway.port, layout.gateway.login_api_port}


async def test_only_loopback_ports_of_the_layout_listen(world: World) -> None:
    """Only ports of the layout are open, all on loopback, without admin or monitoring interfaces (IN-06, FD-18)."""
    ours = await asyncio.to_thread(_sockets_of, world.stack.options.data)
    listening = [(host, port) for host, port, inode in _listeners() if inode in ours]

    assert len(listening) >= len(world.stack.layout.replicas) * 2 + 4
    assert {host for host, _ in listening} <= {"127.0.0.1", "::1"}
    assert {port for _, port in listening} <= _expected(world.stack)


async def test_internal_ports_reveal_nothing_to_other_origins(attacker: Attacker) -> None:
    """Browser pages cannot read metrics, readiness or the login API, and POST is refused (IN-06, HH-04)."""
    stack = attacker.world.stack
    headers = {"Origin": "https://evil.example.test", "Access-Control-Request-Method": "POST"}
    paths = {"/metrics", "/readyz", "/healthz"}
    urls = [f"http://127.0.0.1:{replica.internal_port}{path}" for replica in stack.layout.replicas for path in paths]
    step = f"{stack.layout.shared.authz_url}/login/v1/requests/00{'a' * 43}/step"
    for url in (*urls, step):
        answers = [await attacker.world.http.request(method, url, headers=headers) for method in ("OPTIONS", "POST")]
        assert all(answer.status_code in (400, 401, 404, 405) for answer in answers), url
        assert not any("access-control-allow-origin" in answer.headers for answer in answers), url
