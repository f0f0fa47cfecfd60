"""One GET to a server of our own on loopback, for readiness and status; and what a service answers at /readyz."""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path
from typing import Final, NamedTuple

import httpx
import msgspec

from portico_stack.public_name import LOCALHOST, trust

_SECONDS: Final = 60.0
"""Callers use shorter timeouts; this ends abandoned requests."""


class Answer(NamedTuple):
    status: int
    body: bytes


async def get(port: int, path: str, *, ca_file: Path | None = None, host: str = LOCALHOST) -> Answer:
    """The caller sets the timeout; `host` is the requested name, whatever it resolves to."""
    # Over http nothing is trusted, which avoids loading the system's certificates for every request.
    tls = await asyncio.to_thread(trust, ca_file) if ca_file else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    url = f"{'https' if ca_file else 'http'}://127.0.0.1:{port}{path}"
    headers = {"Host": f"{host}:{port}", "Connection": "close"}
    try:
        async with httpx.AsyncClient(verify=tls, trust_env=False, timeout=_SECONDS) as client:
            answer = await client.get(url, headers=headers, extensions={"sni_hostname": host})
    except httpx.HTTPError as error:
        raise ConnectionError(type(error).__name__) from error
    return Answer(answer.status_code, answer.content)


def parts(body: bytes) -> dict[str, str]:
    """The state of each part of a service at /readyz; none when the body is not the answer of a service."""
    try:
        return msgspec.json.decode(body, type=dict[str, str])
    except msgspec.MsgspecError:
        return {}


def not_ok(body: bytes) -> list[str]:
    return [f"{part}: {state}" for part, state in parts(body).items() if state != "ok"]
