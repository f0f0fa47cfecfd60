from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Final

import structlog
from nats.aio.client import Client
from nats.errors import NoRespondersError
from nats.js.api import DiscardPolicy, Header, RetentionPolicy, StorageType, StreamConfig
from nats.js.errors import APIError, BadRequestError, NoStreamResponseError
from portico_contracts.events import STREAM

log = structlog.get_logger("portico.bus")

EVENTS_SECONDS: Final = 7 * 24 * 3600
"""Retention of events; the owners' stores are authoritative."""

EVENTS_BYTES: Final = 1024**3
"""Size limit; beyond it the oldest events are deleted, so that a slow consumer never blocks a publisher."""

REQUEST_SECONDS: Final = 2.0


def stream_config(replicas: int = 1) -> StreamConfig:
    return StreamConfig(
        name=STREAM,
        subjects=["events.>"],
        storage=StorageType.FILE,
        retention=RetentionPolicy.LIMITS,
        discard=DiscardPolicy.OLD,
        max_age=EVENTS_SECONDS,
        max_bytes=EVENTS_BYTES,
        duplicate_window=120,
        num_replicas=replicas,
    )


class EventStream:
    """`may_create`: the bus user may create the stream; otherwise another service recreates a lost one."""

    def __init__(self, client: Client, *, may_create: bool, replicas: int = 1) -> None:
        self._client = client
        self._replicas = replicas
        self._may_create = may_create
        self._creating: asyncio.Task[None] | None = None

    async def publish(self, subject: str, data: bytes, headers: Mapping[str, str]) -> None:
        """Returns after the acknowledgement. Recreates a lost stream first."""
        try:
            await self._store(subject, data, headers)
        except NoStreamResponseError:
            if not self._may_create:
                raise
            await self.ensure()
            await self._store(subject, data, headers)

    async def ensure(self) -> None:
        """Creates the stream unless it exists. Concurrent callers share one request."""
        if self._creating is None or self._creating.done():
            self._creating = asyncio.create_task(self._create())
        await asyncio.shield(self._creating)

    async def _store(self, subject: str, data: bytes, headers: Mapping[str, str]) -> None:
        """As the library's ``publish``, which takes a third longer for each of the events of an import."""
        expected = {**headers, Header.EXPECTED_STREAM: STREAM}
        try:
            answer = await self._client.request(subject, data, timeout=REQUEST_SECONDS, headers=expected)
        except NoRespondersError as error:
            raise NoStreamResponseError from error
        if b'"error"' in answer.data:
            raise APIError.from_error(json.loads(answer.data)["error"])

    async def _create(self) -> None:
        try:
            await self._client.jetstream(timeout=REQUEST_SECONDS).add_stream(stream_config(self._replicas))
        except BadRequestError:  # it is there in another form, which only the operator changes
            return
        log.warning("event stream was missing, recreated")
