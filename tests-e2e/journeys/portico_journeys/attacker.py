"""Sends many requests through the gateway, a few at a time, and checks that every answer is harmless."""

from __future__ import annotations

import asyncio
import base64
import re
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import httpx
from portico_contracts.catalogue import SERVICES

from portico_journeys.relying_party import begin
from portico_journeys.response_checks import ResponseChecks
from portico_journeys.world import World

FORM: Final = "application/x-www-form-urlencoded"
_AT_ONCE: Final = 16


class Attacker:
    """An attacker who knows the addresses and one registered client."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.redirect_uri = world.clients["basic"].redirect_uri
        self._harmless = ResponseChecks(self.redirect_uri)
        self._gate = asyncio.Semaphore(_AT_ONCE)

    async def ask(self, method: str, url: str, **how: Any) -> httpx.Response:
        """One request, as httpx takes it; a path is one at the issuer."""
        async with self._gate:
            request = self.world.http.build_request(method, self.at(url), **how)
            return self._harmless.check(await self.world.http.send(request), f"{method} {url} {how}")

    async def post(self, url: str, body: str | bytes, **headers: str) -> httpx.Response:
        """A form as it is."""
        return await self.ask("POST", url, content=body, headers={"Content-Type": FORM, **headers})

    def at(self, path: str) -> str:
        """The address of a path; an address stays as it is."""
        return f"{self.world.issuer}{path}" if path.startswith("/") else path

    def endpoint(self, name: str) -> str:
        """An address of the discovery document."""
        address: str = self.world.metadata[name]
        return address

    def authorize(self, **changes: str | None) -> str:
        """The address of an authorization request that would be good without the changes."""
        return begin(self.world.metadata, self.world.clients["basic"], **changes).url

    def basic(self) -> str:
        """The good client's Authorization header."""
        client = self.world.clients["basic"]
        return "Basic " + base64.b64encode(f"{client.client_id}:{client.secret}".encode()).decode()

    async def measured(self, service: str, name: str) -> float:
        """One figure of a service, from its own metrics."""
        port = self.world.stack.replicas_of(service)[0].internal_port
        answer = await self.world.http.get(f"http://127.0.0.1:{port}/metrics")
        found = re.search(rf"(?m)^{name} (\S+)$", answer.text)
        assert found, f"{service} has no {name}"
        return float(found.group(1))

    async def vital_signs(self) -> dict[str, float]:
        """The start times of all processes, and the number of faults in the logs: an attack must not change them."""
        logs = [path.read_text(errors="replace") for path in self.world.stack.logs.glob("*.log")]
        signs = {"faults": float(sum(log.count('"event": "fault') + log.count("Traceback") for log in logs))}
        for service in SERVICES:
            signs[service] = await self.measured(service, "process_start_time_seconds")
        return signs


def error_in(answer: httpx.Response) -> str:
    """The error an answer carries to the relying party, empty without one."""
    parts = urlsplit(answer.headers.get("location", ""))
    return next(iter(parse_qs(parts.query or parts.fragment).get("error", [])), "")
