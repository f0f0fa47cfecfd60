"""Sends many requests through the gateway concurrently, and checks that every response is harmless."""

from __future__ import annotations

import asyncio
import base64
import re
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import httpx
from portico_contracts.catalogue import SERVICES

from portico_scenarios.relying_party import begin
from portico_scenarios.response_checks import ResponseChecks
from portico_scenarios.world import World

FORM: Final = "application/x-www-form-urlencoded"
_AT_ONCE: Final = 16


class Attacker:
    def __init__(self, world: World) -> None:
        self.world = world
        self.redirect_uri = world.clients["basic"].redirect_uri
        self._harmless = ResponseChecks(self.redirect_uri)
        self._gate = asyncio.Semaphore(_AT_ONCE)

    async def ask(self, method: str, url: str, **how: Any) -> httpx.Response:
        """Sends one request, with httpx's arguments; a path is relative to the issuer."""
        async with self._gate:
            request = self.world.http.build_request(method, self.at(url), **how)
            return self._harmless.check(await self.world.http.send(request), f"{method} {url} {how}")

    async def post(self, url: str, body: str | bytes, **headers: str) -> httpx.Response:
        return await self.ask("POST", url, content=body, headers={"Content-Type": FORM, **headers})

    def at(self, path: str) -> str:
        return f"{self.world.issuer}{path}" if path.startswith("/") else path

    def endpoint(self, name: str) -> str:
        address: str = self.world.metadata[name]
        return address

    def authorize(self, **changes: str | None) -> str:
        """Returns an authorization request URL that is valid except for the changes."""
        return begin(self.world.metadata, self.world.clients["basic"], **changes).url

    def basic(self) -> str:
        client = self.world.clients["basic"]
        return "Basic " + base64.b64encode(f"{client.client_id}:{client.secret}".encode()).decode()

    async def measured(self, service: str, name: str) -> float:
        """Returns one value of a service's metrics."""
        port = self.world.stack.replicas_of(service)[0].internal_port
        answer = await self.world.http.get(f"http://127.0.0.1:{port}/metrics")
        found = re.search(rf"(?m)^{name} (\S+)$", answer.text)
        assert found, f"{service} has no {name}"
        return float(found.group(1))

    async def vital_signs(self) -> dict[str, float]:
        """Returns the start times of all processes, and the number of internal errors logged; an attack must
        change neither.
        """
        logs = [path.read_text(errors="replace") for path in self.world.stack.logs.glob("*.log")]
        signs = {"faults": float(sum(log.count('"event": "fault') + log.count("Traceback") for log in logs))}
        for service in SERVICES:
            signs[service] = await self.measured(service, "process_start_time_seconds")
        return signs


def error_in(answer: httpx.Response) -> str:
    """Returns the error sent to the relying party; empty without one."""
    parts = urlsplit(answer.headers.get("location", ""))
    return next(iter(parse_qs(parts.query or parts.fragment).get("error", [])), "")
