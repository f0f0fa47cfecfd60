"""Says what happened on the bus, behind the answer: the store has the truth already, an event is a hint."""

from __future__ import annotations

import asyncio
from typing import Final, TypeVar

import msgspec
import structlog
from portico_contracts import events
from portico_contracts.subjects import Event
from portico_oauth.errors import ServiceError
from portico_oauth.opaque import RandomBytes, b64url
from portico_runtime.bus import Bus
from portico_runtime.clock import Clock

log = structlog.get_logger("portico.events")

MAX_WAITING: Final = 1_000
"""Events on their way; more are dropped, and logged."""

AnyBody = TypeVar("AnyBody", bound=msgspec.Struct)


class Teller:
    """Publishes without keeping anybody waiting; what cannot be published is logged."""

    def __init__(self, bus: Bus, clock: Clock, random: RandomBytes) -> None:
        self._bus = bus
        self._clock = clock
        self._random = random
        self._waiting: set[asyncio.Task[None]] = set()

    def say_session_started(self, sid: str, user_id: str) -> None:
        """A new session; one that is renewed is no news."""
        id = self._new_id()
        body = events.SessionEvent(event_id=id, session_id=sid, user_id=user_id, at=self._clock.now())
        self._say(events.SESSION_STARTED, body, id)

    def say_login_succeeded(self, user_id: str, client_id: str) -> None:
        """Somebody proved who they are, and everything demanded of them was done."""
        id = self._new_id()
        body = events.LoginEvent(event_id=id, user_id=user_id, client_id=client_id, at=self._clock.now())
        self._say(events.LOGIN_SUCCEEDED, body, id)

    def say_login_failed(self, client_id: str, user_id: str = "") -> None:
        """A proof was wrong; the user id is empty where authz is not told whose it was (LG-01)."""
        id = self._new_id()
        body = events.LoginEvent(event_id=id, user_id=user_id, client_id=client_id, at=self._clock.now())
        self._say(events.LOGIN_FAILED, body, id)

    async def settle(self) -> None:
        """Waits for what is on its way."""
        await asyncio.gather(*self._waiting)

    async def start(self) -> None:
        """Nothing to begin."""

    async def close(self) -> None:
        """Says what is left."""
        await self.settle()

    def _new_id(self) -> str:
        return b64url(self._random(16))

    def _say(self, event: Event[AnyBody], body: AnyBody, id: str) -> None:
        if len(self._waiting) >= MAX_WAITING:
            log.warning("event dropped", subject=event.subject, cause="too many are waiting")
            return
        task = asyncio.create_task(self._publish(event, body, id))
        self._waiting.add(task)
        task.add_done_callback(self._waiting.discard)

    async def _publish(self, event: Event[AnyBody], body: AnyBody, id: str) -> None:
        try:
            await self._bus.publish(event, body, event_id=id)
        except ServiceError as error:
            log.warning("event not said", subject=event.subject, cause=error.private)
