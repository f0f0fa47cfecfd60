"""What `portico doctor` checks of an installation: settings, reachability, the stream, clocks, costly hashes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final, NamedTuple

import nats.errors
from nats.aio.client import Client
from nats.js.errors import APIError, NotFoundError
from portico_contracts.catalogue import OPERATOR, inbox_prefix
from portico_contracts.events import STREAM
from portico_contracts.users import COSTLY_SECONDS, HASH_KINDS, GetHashKinds, HashKinds
from portico_oauth.errors import ServiceError
from portico_runtime.clock_guard import MAX_DIFFERENCE
from portico_runtime.settings import BusSection, InvalidSetting, explain, load
from portico_stack import status
from portico_stack.operator_bus import operator_bus
from portico_stack.running import find_running
from pydantic import ValidationError

_CONNECT_SECONDS: Final = 2


class Finding(NamedTuple):
    """What one check has found.

    Attributes:
        level: ok, warning (it works) or wrong.
    """

    name: str
    level: str
    text: str


def describe_costly(kind: str, users: int, seconds: float) -> str:
    """The sentence that warns of a costly hash."""
    have = "user has" if users == 1 else "users have"
    return f"{users} {have} a hash ({kind}) that takes {seconds:.1f} s here. Their first sign-ins wait for each other."


async def examine(data: Path, url: str, password: str) -> AsyncIterator[Finding]:
    """All checks, each as soon as it is done.

    Args:
        data: the directory of a local installation; elsewhere only the bus is checked.
        url, password: of the bus, as the operator.
    """
    yield _settings()
    async for finding in _replicas(data):
        yield finding
    yield await _stream(url, password)
    async for finding in _users(url, password):
        yield finding


def _settings() -> Finding:
    try:
        load(BusSection)
    except ValidationError as error:
        return Finding("settings", "wrong", explain(error))
    except InvalidSetting as error:
        return Finding("settings", "wrong", f"{error}.")
    return Finding("settings", "ok", "every PORTICO_ variable is a setting")


async def _replicas(data: Path) -> AsyncIterator[Finding]:
    running = find_running(data)
    if running is None:
        yield Finding("services", "warning", f"nothing runs from {data}; only the bus is checked")
        return
    for state in await status.ask_all(running):
        yield Finding(state.name, "ok" if state.ready else "wrong", state.text)


async def _stream(url: str, password: str) -> Finding:
    client = Client()
    try:
        await client.connect(
            url.split(","),
            user=OPERATOR,
            password=password,
            inbox_prefix=inbox_prefix(OPERATOR).encode(),
            allow_reconnect=False,
            connect_timeout=_CONNECT_SECONDS,
            error_cb=_ignore,
        )
        found = await client.jetstream(timeout=_CONNECT_SECONDS).stream_info(STREAM)
    except NotFoundError:
        return Finding("stream", "wrong", f"the stream {STREAM} is missing: no event is delivered")
    except (nats.errors.Error, APIError, OSError, TimeoutError) as error:
        return Finding("stream", "wrong", f"the bus does not answer ({type(error).__name__})")
    finally:
        await client.close()
    return Finding("stream", "ok", f"{STREAM} holds {found.state.messages} events")


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
    text = f"the clocks of users and of this machine are {skew:.0f} s apart"
    return Finding("clock", "ok" if skew <= MAX_DIFFERENCE else "wrong", text)


def _hashes(reply: HashKinds) -> list[Finding]:
    costly = [kind for kind in reply.kinds if kind.seconds > COSTLY_SECONDS]
    if not costly:
        users = sum(kind.users for kind in reply.kinds)
        return [Finding("hashes", "ok", f"{users} passwords, none takes more than {COSTLY_SECONDS:.0f} s")]
    return [
        Finding("hashes", "warning", describe_costly(kind.description, kind.users, kind.seconds)) for kind in costly
    ]


async def _ignore(_error: Exception) -> None:
    await asyncio.sleep(0)
