from __future__ import annotations

import asyncio
import time
from typing import Final

from nats.errors import Error
from nats.js.errors import BadRequestError
from portico_contracts.catalogue import OPERATOR
from portico_runtime.bus.event_stream import stream_config
from portico_runtime.bus.nats_client import NatsClient

_CLUSTER_SECONDS: Final = 40.0


async def create(url: str, password: str, *, replicas: int = 1, seconds: float = 10, ca_file: str = "") -> None:
    """Creates the event stream as the user `operator`, or updates its configuration.

    `url` is comma-separated; `replicas` are servers with a copy of each event; `ca_file` is empty for the
    system's.
    """
    wanted = stream_config(replicas)
    client = NatsClient(url, OPERATOR, password, ca_file)
    await client.connect_once(seconds=2)
    try:
        stream = client.jetstream(timeout=seconds)
        try:
            await stream.add_stream(wanted)
        except BadRequestError:  # it is there in another form
            await stream.update_stream(wanted)
    finally:
        await client.close()


async def create_in_cluster(url: str, password: str, *, replicas: int, ca_file: str) -> None:
    """Like `create`, for servers that have just started."""
    until = time.monotonic() + _CLUSTER_SECONDS
    while True:
        try:
            return await create(url, password, replicas=replicas, seconds=3, ca_file=ca_file)
        except (Error, TimeoutError):  # they have not found each other yet, or have no leader
            if time.monotonic() > until:
                raise
        await asyncio.sleep(0.2)
