from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from portico_contracts.http import DISCOVERY

from portico_stack.machine import http_probe
from portico_stack.machine.public_name import LOCALHOST
from portico_stack.running.record import Running

_SECONDS: Final = 3.0


class State(NamedTuple):
    name: str
    ready: bool
    text: str


async def ask_all(running: Running) -> list[State]:
    """Checks all parts concurrently."""
    return await asyncio.gather(
        *(_ask_replica(name, port) for name, port in running.internal_ports.items()), _ask_gateway(running)
    )


async def _ask_replica(name: str, port: int) -> State:
    try:
        async with asyncio.timeout(_SECONDS):
            answer = await http_probe.get(port, "/readyz")
    except (OSError, TimeoutError):
        return State(name, ready=False, text="does not respond")
    return state_of(name, answer)


def state_of(name: str, answer: http_probe.Answer) -> State:
    failing = http_probe.not_ok(answer.body)
    told = f" ({', '.join(failing)})" if failing else ""
    if answer.status == 200:
        return State(name, ready=True, text=f"ready{told}")
    return State(name, ready=False, text=f"not ready{told}")


async def _ask_gateway(running: Running) -> State:
    ca_file = Path(running.ca_file) if running.ca_file else None
    host = urlsplit(running.issuer).hostname or LOCALHOST
    try:
        async with asyncio.timeout(_SECONDS):
            answer = await http_probe.get(running.gateway_port, DISCOVERY, ca_file=ca_file, host=host)
    except (OSError, TimeoutError):
        return State("gateway", ready=False, text="does not respond")
    ready = answer.status == 200
    text = f"ready, {running.issuer}" if ready else f"discovery responds with status {answer.status}"
    return State("gateway", ready=ready, text=text)
