from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

import nats.errors
import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from portico_contracts.subjects import Event, Report, decode

from portico_runtime.bus.headers import CALL_SECONDS

LATE_SECONDS: Final = 0.25
"""How long a stopping replica still accepts requests that were already sent to it."""

log = structlog.get_logger("portico.bus")


def handler_of(
    entry: Event[Any] | Report[Any], handle: Callable[[Any], Awaitable[None]]
) -> Callable[[Msg], Awaitable[None]]:
    async def receive(message: Msg) -> None:
        try:
            await handle(decode(message.data, entry.body))
        except Exception:  # a hint or a report that cannot be used must not end the subscription
            log.exception("message not understood", subject=entry.subject)

    return receive


async def log_error(error: Exception) -> None:
    log.warning("bus error", cause=type(error).__name__, text=str(error)[:200])


async def take_no_more(client: Client, taking: Sequence[Subscription]) -> None:
    """Ends the subscriptions, even without a connection; earlier requests have started when it returns."""
    # The library's `stop` of a service discards requests that have arrived but not started.
    try:
        async with asyncio.timeout(CALL_SECONDS):
            for subscription in taking:
                await client._send_unsubscribe(subscription._id)  # noqa: SLF001
            # The server delivers messages matched earlier even after it has confirmed the unsubscribe.
            await asyncio.sleep(LATE_SECONDS)
            await asyncio.gather(*(subscription.drain() for subscription in taking))  # type: ignore[no-untyped-call]
    except (nats.errors.Error, TimeoutError, OSError) as error:
        log.warning("flush before shutdown failed, requests may be lost", cause=type(error).__name__)
    finally:
        for subscription in taking:  # the client would subscribe again over its next connection
            client._remove_sub(subscription._id)  # noqa: SLF001
