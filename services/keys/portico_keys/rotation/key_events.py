"""Publishes an event for each transition, best effort: the store is authoritative, an event only a hint."""

from __future__ import annotations

from typing import Final

import structlog
from portico_contracts.events import KEY_ACTIVATED, KEY_PUBLISHED, KEY_RETIRED, KEY_REVOKED, KeyEvent
from portico_contracts.subjects import Event
from portico_oauth.errors import ServiceError
from portico_runtime.bus import Bus

from portico_keys.domain.key import Key, State

log = structlog.get_logger("portico.keys")

EVENTS: Final[dict[State, Event[KeyEvent]]] = {
    State.PUBLISHED: KEY_PUBLISHED,
    State.SIGNING: KEY_ACTIVATED,
    State.RETIRED: KEY_RETIRED,
    State.REVOKED: KEY_REVOKED,
}
"""No subscriber needs an event for a key that was created or has expired."""


async def publish_key_event(bus: Bus, updated: Key) -> None:
    """Publishes the event of a stored transition; an unavailable bus is logged, and subscribers poll anyway."""
    log.info("key state changed", kid=updated.kid, alg=updated.alg, state=updated.state.value)
    event = EVENTS.get(updated.state)
    if event is None:
        return
    event_id = f"{updated.kid}.{updated.state.value}"
    try:
        await bus.publish(event, KeyEvent(event_id=event_id, kid=updated.kid, at=updated.since), event_id=event_id)
    except ServiceError as error:
        log.warning("event not published", event_id=event_id, error_code=error.id)
