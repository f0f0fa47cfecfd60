from __future__ import annotations

import asyncio
from typing import Final, NamedTuple, TypeVar

import msgspec
import structlog
from portico_contracts import events
from portico_contracts.subjects import Event
from portico_oauth.errors import ServiceError
from portico_oauth.opaque import RandomBytes, b64url
from portico_runtime.bus.bus import Bus
from portico_runtime.process.clock import Clock
from prometheus_client.metrics import Counter

log = structlog.get_logger("portico.events")

MAX_PENDING: Final = 1_000
"""Events being published; further ones are dropped and logged."""

TRUSTED_DEVICE: Final = "trusted_device"

AnyBody = TypeVar("AnyBody", bound=msgspec.Struct)


SIGN_INS: Final = Counter("portico_sign_ins_total", "Sign-in attempts by outcome.", ["outcome"])


class SignInOrigin(NamedTuple):
    """Where a sign-in comes from: the application, the kind of browser, and the country (ISO 3166-1) if known."""

    client_id: str
    device: str
    country: str


class EventPublisher:
    """Publishes in the background, without delaying the caller; failures are logged."""

    def __init__(self, bus: Bus, clock: Clock, random: RandomBytes) -> None:
        self._bus = bus
        self._clock = clock
        self._random = random
        self._pending: set[asyncio.Task[None]] = set()

    def session_started(self, sid: str, user_id: str) -> None:
        id = self._new_id()
        body = events.SessionEvent(event_id=id, session_id=sid, user_id=user_id, at=self._clock.now())
        self._publish_later(events.SESSION_STARTED, body, id)

    def login_succeeded(
        self, user_id: str, origin: SignInOrigin, methods: tuple[str, ...], *, trusted: bool = False
    ) -> None:
        SIGN_INS.labels("succeeded").inc()
        self._publish_login(events.LOGIN_SUCCEEDED, user_id, origin, methods, trusted=trusted)

    def login_failed(self, origin: SignInOrigin, user_id: str = "", *, failure: str = "", rule: str = "") -> None:
        """Publishes a failed attempt; the user id is empty where users does not return it (LG-01)."""
        SIGN_INS.labels("failed").inc()
        self._publish_login(events.LOGIN_FAILED, user_id, origin, failure=failure, rule=rule)

    def device_answered(self, user_id: str, origin: SignInOrigin, *, approved: bool) -> None:
        self._publish_login(events.DEVICE_APPROVED if approved else events.DEVICE_DENIED, user_id, origin)

    def trust_changed(self, user_id: str, origin: SignInOrigin, *, ended: bool) -> None:
        """Publishes that a user trusts a browser, or no longer does."""
        self._publish_login(events.TRUST_ENDED if ended else events.TRUST_STARTED, user_id, origin)

    def _publish_login(
        self,
        event: Event[events.LoginEvent],
        user_id: str,
        origin: SignInOrigin,
        methods: tuple[str, ...] = (),
        *,
        trusted: bool = False,
        failure: str = "",
        rule: str = "",
    ) -> None:
        id = self._new_id()
        body = events.LoginEvent(
            event_id=id,
            user_id=user_id,
            client_id=origin.client_id,
            at=self._clock.now(),
            methods=methods,
            device=origin.device,
            country=origin.country,
            skipped_factor=TRUSTED_DEVICE if trusted else "",
            failure=failure,
            rule=rule,
        )
        self._publish_later(event, body, id)

    async def settle(self) -> None:
        await asyncio.gather(*self._pending)

    async def start(self) -> None:
        pass

    async def close(self) -> None:
        await self.settle()

    def _new_id(self) -> str:
        return b64url(self._random(16))

    def _publish_later(self, event: Event[AnyBody], body: AnyBody, id: str) -> None:
        if len(self._pending) >= MAX_PENDING:
            log.warning("event dropped", subject=event.subject, cause="too many are pending")
            return
        task = asyncio.create_task(self._publish(event, body, id))
        self._pending.add(task)
        task.add_done_callback(self._pending.discard)

    async def _publish(self, event: Event[AnyBody], body: AnyBody, id: str) -> None:
        try:
            await self._bus.publish(event, body, event_id=id)
        except ServiceError as error:
            log.warning("event not published", subject=event.subject, cause=error.private)
