"""Malformed requests to the management API by an administrator with every permission: refused without any change.

``PORTICO_TEST_MALFORMED=20000`` sets their number; run with ``-s`` to see the responses.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from collections.abc import AsyncIterator

import h2.exceptions
import httpx
import pytest
from portico_harness.eventually import HANGS
from portico_scenarios.administrator import Administrator, administrator_of
from portico_scenarios.attacker import Attacker
from portico_scenarios.malformed import FRAMED, Malformed, malformed
from portico_scenarios.response_checks import ResponseChecks
from portico_scenarios.world import World

pytestmark = [pytest.mark.e2e, pytest.mark.long, pytest.mark.usefixtures("unharmed")]

COUNT = int(os.environ.get("PORTICO_TEST_MALFORMED", "600"))
SEED = int(os.environ.get("PORTICO_TEST_SEED", "1"))
IN_FLIGHT = 16
TRIES = 50
WARM = 240
"""Number of requests after which caches are full."""

GROWTH_MIB = 40.0
HEADERS_TOO_LARGE = 431
UNREADABLE = 400
FAULTS = frozenset({"2", "13"})
"""UNKNOWN and INTERNAL, of google.rpc.Code."""


@pytest.fixture
async def http2(world: World) -> AsyncIterator[httpx.AsyncClient]:
    """HTTP/2 without TLS, as gRPC uses it."""
    async with httpx.AsyncClient(http1=False, http2=True, trust_env=False, timeout=HANGS) as client:
        yield client


class Barrage:
    def __init__(self, admin: Administrator, http2: httpx.AsyncClient) -> None:
        self.heard: Counter[tuple[str, int]] = Counter()
        self.ended = 0
        self._admin = admin
        self._http2 = http2
        self._harmless = ResponseChecks("")
        self._gate = asyncio.Semaphore(IN_FLIGHT)
        # The client discards its whole connection when one of several calls fails.
        self._one_by_one = asyncio.Lock()

    async def send(self, wrong: Malformed) -> None:
        """Sends one request and checks that the response is harmless and in the error format."""
        world = self._admin.world
        client = self._http2 if wrong.over_h2 else world.http
        headers = {**self._admin.headers, **wrong.headers}
        encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
        async with self._one_by_one if wrong.over_h2 else self._gate:
            request = client.build_request(
                wrong.verb, world.issuer + wrong.path, headers=encoded, content=wrong.content
            )
            answer = await self._answer(client, request)
        if not _is_of_the_server(answer, wrong):
            self._harmless.check(answer, repr(wrong))
        self.heard[wrong.kind, answer.status_code] += 1
        if answer.status_code >= 400:
            self._check_error(answer, wrong)
        else:
            assert answer.headers["content-type"].startswith(("application/grpc", *FRAMED)), f"taken: {wrong}"
        assert answer.headers.get("grpc-status", "") not in FAULTS, f"{answer.headers} to {wrong}"

    async def _answer(self, client: httpx.AsyncClient, request: httpx.Request) -> httpx.Response:
        """The gateway closes a connection with too many errors (RX-11); pending requests are repeated."""
        for _ in range(TRIES):
            try:
                return await client.send(request)
            except (httpx.NetworkError, httpx.ProtocolError, h2.exceptions.ProtocolError):
                self.ended += 1
        raise AssertionError(f"no answer to {request.url}")

    def _check_error(self, answer: httpx.Response, wrong: Malformed) -> None:
        """The uniform body: code, message, details (MG-19); for Connect the name of the code."""
        if answer.headers.get("content-type", "").startswith("application/json"):
            body = answer.json()
            assert {"code", "message"} <= set(body) or {"error"} <= set(body), f"{body} to {wrong}"


def _is_of_the_server(answer: httpx.Response, wrong: Malformed) -> bool:
    """Reports whether the gateway's HTTP server answered before any rule: headers that exceed its buffer."""
    unshaped = answer.status_code == UNREADABLE and "x-request-id" not in answer.headers
    return answer.status_code == HEADERS_TOO_LARGE or (wrong.kind == "headers" and unshaped)


async def test_malformed_requests_are_refused(world: World, http2: httpx.AsyncClient) -> None:
    """Malformed requests are refused without any effect (RX-01, RX-02, RX-05, RX-06, RX-10, RX-12, MG-10, MG-19)."""
    admin, attacker = await administrator_of(world), Attacker(world)
    barrage, requests = Barrage(admin, http2), malformed(COUNT, SEED)
    began = time.perf_counter()
    await asyncio.gather(*(barrage.send(next(requests)) for _ in range(WARM)))
    before = await attacker.measured("users", "process_resident_memory_bytes")
    while batch := [one for _, one in zip(range(500), requests, strict=False)]:
        await asyncio.gather(*(barrage.send(one) for one in batch))
    took = time.perf_counter() - began
    grown = (await attacker.measured("users", "process_resident_memory_bytes") - before) / 2**20
    changes = await admin.json("portico.management.v1.EventService.ListEvents", {"editorUserId": f"admin-{admin.tag}"})
    print(f"{COUNT} malformed requests in {took:.1f} s, users grew by {grown:.1f} MiB: {sorted(barrage.heard.items())}")  # noqa: T201 - figures to read

    assert barrage.heard.total() == COUNT
    assert changes.body["details"].get("totalResult", "0") == "0"
    assert grown < GROWTH_MIB
