from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from portico_contracts.apply import Document
from portico_contracts.catalogue import OPERATOR
from portico_contracts.users import APPLY, Applied, Apply
from portico_contracts.users.first_run import CREATE_FIRST_RUN_LINK, CreateFirstRunLink, FirstRunLinkCreated
from portico_oauth.errors import UNAVAILABLE, Kind, ServiceError
from portico_runtime.bus.nats_bus import NatsBus
from portico_runtime.bus.nats_client import TLS
from portico_runtime.process.health import NotReady

_CONNECT_SECONDS: Final = 3.0
APPLY_SECONDS: Final = 60.0


@asynccontextmanager
async def operator_bus(url: str, password: str) -> AsyncIterator[NatsBus]:
    """Raises `unavailable` when the bus cannot be reached in time, or the password is wrong."""
    bus = NatsBus(url, OPERATOR, password, ca_file=trusted_for(url))
    await bus.start()
    try:
        await wait_until_connected(bus)
        yield bus
    finally:
        await bus.close()


async def apply_document(url: str, password: str, document: Document, *, check: bool = False) -> Applied:
    async with operator_bus(url, password) as bus:
        applied = await bus.call(APPLY, Apply(document=document, check=check), seconds=APPLY_SECONDS)
    if failure := applied.failure:
        raise ServiceError(Kind(failure.kind), failure.id, failure.text)
    return applied


async def create_first_run_link(url: str, password: str) -> FirstRunLinkCreated:
    """Replaces an earlier link. Raises USER-943 if administrators can sign in."""
    async with operator_bus(url, password) as bus:
        return await bus.call(CREATE_FIRST_RUN_LINK, CreateFirstRunLink())


def trusted_for(url: str) -> str:
    """Returns the CA file: ``PORTICO_BUS_CA_FILE`` where the servers use TLS, else empty."""
    return os.environ.get("PORTICO_BUS_CA_FILE", "") if url.startswith(f"{TLS}://") else ""


async def wait_until_connected(bus: NatsBus) -> None:
    """Raises `unavailable` when the bus cannot be reached in time."""
    for _ in range(int(_CONNECT_SECONDS / 0.02)):
        try:
            await bus.check()
        except (ConnectionError, NotReady):
            await asyncio.sleep(0.02)
        else:
            return
    raise UNAVAILABLE.error(retry_after=1, part="bus")
