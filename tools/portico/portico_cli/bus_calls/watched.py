from __future__ import annotations

import asyncio
from typing import Final

from nats.errors import NoRespondersError
from portico_contracts.subjects import Reply, Request, Rpc
from portico_oauth.errors import ServiceError
from portico_runtime.bus.nats_bus import NatsBus

LOOK_SECONDS: Final = 2.0


async def call_watched(
    bus: NatsBus, rpc: Rpc[Request, Reply], request: Request, *, empty: Request, seconds: float
) -> Reply:
    """Like `bus.call`, but raises `unavailable` soon where no replica is left: the one that had the request is lost.

    `empty` is a request without work.
    """
    asked = asyncio.ensure_future(bus.call(rpc, request, seconds=seconds))
    try:
        while not (await asyncio.wait([asked], timeout=LOOK_SECONDS))[0]:
            await _look(bus, rpc, empty)
        return asked.result()
    finally:
        asked.cancel()


async def _look(bus: NatsBus, rpc: Rpc[Request, Reply], empty: Request) -> None:
    try:
        await bus.call(rpc, empty, seconds=LOOK_SECONDS)
    except ServiceError as error:
        if error.private.get("cause") == NoRespondersError.__name__:
            raise
