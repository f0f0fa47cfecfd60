"""A span for each MongoDB command with its name and collection, never its filter or data."""

from __future__ import annotations

from threading import Lock
from typing import Final

from portico_contracts.spans import Span, begin_part
from pymongo.monitoring import CommandFailedEvent, CommandListener, CommandStartedEvent, CommandSucceededEvent

MOST_OPEN: Final = 1_000
"""Open commands; further ones get no span."""


class MongoCommandSpans(CommandListener):
    def __init__(self) -> None:
        self._open: dict[int, Span] = {}
        self._lock = Lock()

    def started(self, event: CommandStartedEvent) -> None:
        collection = event.command.get(event.command_name)
        attributes = {
            "db.system.name": "mongodb",
            "db.namespace": event.database_name,
            "db.operation.name": event.command_name,
        }
        name = event.command_name
        if isinstance(collection, str):
            attributes["db.collection.name"] = collection
            name = f"{name} {collection}"
        span = begin_part(name, attributes)
        if span is None:
            return
        with self._lock:
            if len(self._open) < MOST_OPEN:
                self._open[event.request_id] = span

    def succeeded(self, event: CommandSucceededEvent) -> None:
        self._end(event.request_id, "")

    def failed(self, event: CommandFailedEvent) -> None:
        self._end(event.request_id, str(event.failure.get("codeName") or event.failure.get("errtype") or "failed"))

    def _end(self, request_id: int, error: str) -> None:
        with self._lock:
            span = self._open.pop(request_id, None)
        if span:
            span.end(error)
