"""Handlers of what needs no answer: events as hints, and reports."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import structlog
from nats.aio.msg import Msg
from portico_contracts.subjects import Event, Report, decode

log = structlog.get_logger("portico.bus")


def handler_of(
    entry: Event[Any] | Report[Any], handle: Callable[[Any], Awaitable[None]]
) -> Callable[[Msg], Awaitable[None]]:
    """The handler of a subscription: a message that cannot be used is logged, and the subscription goes on."""

    async def receive(message: Msg) -> None:
        try:
            await handle(decode(message.data, entry.body))
        except Exception:  # a hint or a report that cannot be used must not end the subscription
            log.exception("message not understood", subject=entry.subject)

    return receive


async def log_error(error: Exception) -> None:
    """Logs what the client of the bus reports: a lost connection, a subscription that is too slow."""
    log.warning("bus", cause=type(error).__name__, text=str(error)[:200])
