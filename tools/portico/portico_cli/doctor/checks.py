from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import nats.errors
from nats.js.errors import APIError, NotFoundError
from portico_contracts.catalogue import OPERATOR
from portico_contracts.events import STREAM
from portico_contracts.topology import TOPOLOGY
from portico_contracts.users import COSTLY_SECONDS, HASH_KINDS, GetHashKinds, HashKinds
from portico_oauth.errors import ServiceError
from portico_runtime.bus.nats_client import NatsClient
from portico_runtime.doctor.finding import Finding, side_by_side
from portico_runtime.process.clock_guard import MAX_DIFFERENCE
from portico_runtime.settings.loading import explain, load
from portico_runtime.settings.section import InvalidSetting
from portico_runtime.settings.sections.bus import BusSection
from portico_runtime.tls.refused import why_refused
from portico_stack.running import status
from portico_stack.running.operator_bus import operator_bus, trusted_for
from portico_stack.running.record import find_running
from pydantic import ValidationError

from portico_cli.doctor.issuer import check_issuer
from portico_cli.doctor.services import check_services

_CONNECT_SECONDS: Final = 2


def describe_costly(kind: str, users: int, seconds: float) -> str:
    have = "user has" if users == 1 else "users have"
    return f"{users} {have} a hash ({kind}) that takes {seconds:.1f} s to verify. Their first sign-ins will be slow."


async def check_all(
    data: Path, url: str, password: str, *, issuer: str = "", ca_file: str = ""
) -> AsyncIterator[Finding]:
    """Checks everything at the same time; empty `issuer` or `ca_file`: the local installation's."""
    yield _settings()
    running = find_running(data)
    checks = [_replicas(data)]
    if address := issuer or (running.issuer if running else ""):
        checks.append(check_issuer(address.rstrip("/"), ca_file or (running.ca_file if running else "")))
    checks += [_stream(url, password), _users(url, password)]
    if running:
        checks.append(check_services(data, tuple(TOPOLOGY)))
    async for finding in side_by_side(*checks):
        yield finding


def _settings() -> Finding:
    try:
        load(BusSection)
    except ValidationError as error:
        return Finding("settings", "wrong", explain(error))
    except InvalidSetting as error:
        return Finding("settings", "wrong", f"{error}.")
    return Finding("settings", "ok", "all PORTICO_ variables are known settings")


async def _replicas(data: Path) -> AsyncIterator[Finding]:
    running = find_running(data)
    if running is None:
        yield Finding(
            "services",
            "warning",
            f"no stack is running from {data}: other installations are not checked",
            "Their /readyz shows what is missing.",
        )
        return
    for state in await status.ask_all(running):
        yield Finding(state.name, "ok" if state.ready else "wrong", state.text)


async def _stream(url: str, password: str) -> AsyncIterator[Finding]:
    yield await _find_stream(url, password)


async def _find_stream(url: str, password: str) -> Finding:
    client = NatsClient(url, OPERATOR, password, trusted_for(url))
    try:
        async with asyncio.timeout(_CONNECT_SECONDS):  # the client itself goes on for two minutes
            await client.connect_once(seconds=_CONNECT_SECONDS)
        found = await client.jetstream(timeout=_CONNECT_SECONDS).stream_info(STREAM)
    except NotFoundError:
        fix = "users recreates it within a second; otherwise see its log. Publish lost events with portico events republish."
        return Finding("stream", "wrong", f"the stream {STREAM} is missing: no events are delivered", fix)
    except (nats.errors.Error, APIError, OSError, TimeoutError) as error:
        fix = "Check that NATS is running and that PORTICO_BUS_URL is its address."
        return Finding("stream", "wrong", f"NATS does not respond ({why_refused(error) or type(error).__name__})", fix)
    finally:
        await client.close()
    return Finding("stream", "ok", f"{STREAM} has {found.state.messages} events")


async def _users(url: str, password: str) -> AsyncIterator[Finding]:
    try:
        async with operator_bus(url, password) as bus:
            before = time.time()
            reply = await bus.call(HASH_KINDS, GetHashKinds())
            after = time.time()
    except ServiceError as error:
        yield Finding("users", "wrong", f"{error.text} ({error.id})")
        return
    yield _clock(reply.at, before, after)
    for finding in _hashes(reply):
        yield finding


def _clock(at: float, before: float, after: float) -> Finding:
    skew = max(before - at, at - after, 0.0)
    text = f"the clocks of users and of this machine differ by {skew:.0f} s"
    if skew <= MAX_DIFFERENCE:
        return Finding("clock", "ok", text)
    return Finding("clock", "wrong", text, "Synchronize the clocks (NTP).")


def _hashes(reply: HashKinds) -> list[Finding]:
    costly = [kind for kind in reply.kinds if kind.seconds > COSTLY_SECONDS]
    if not costly:
        users = sum(kind.users for kind in reply.kinds)
        return [Finding("hashes", "ok", f"{users} passwords, none takes more than {COSTLY_SECONDS:.0f} s to verify")]
    return [
        Finding("hashes", "warning", describe_costly(kind.description, kind.users, kind.seconds)) for kind in costly
    ]
