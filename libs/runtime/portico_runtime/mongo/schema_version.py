"""Compatibility of releases with stored records: a document per service has the schema version (decision 0073)."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import structlog
from portico_oauth.errors import ServiceError

from portico_runtime.mongo.client import Database, guarded
from portico_runtime.process.background import Background
from portico_runtime.process.health import NotReady

log = structlog.get_logger("portico.stored_form")

COLLECTION: Final = "schema"
RESTORING: Final = "restoring"
"""Field of the document during a restore: no release can work with incomplete data."""

_LOOK_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class SchemaVersion:
    """A release's schema version of its service's records.

    `reads` is the oldest version it reads; `read_by` is the oldest version whose releases read its records,
    so that both can run at the same time.
    """

    writes: int
    reads: int
    read_by: int


class StoredSchema:
    """Checks the stored schema version before the service starts to work, and records its own."""

    def __init__(self, database: Database, service: str, form: SchemaVersion) -> None:
        self._forms = database[COLLECTION]
        self._service = service
        self._form = form
        self._refusal = "the schema version of the records is not known yet"
        self._work: Background | None = None

    async def start(self) -> None:
        """Returns once the service may work: normally at once, never while another release is needed.

        An unavailable store does not block: the check continues in the background, and stops an incompatible
        service.
        """
        while True:
            try:
                await self.compare()
            except ServiceError:
                self._work = Background("schema-version", self._compare_until_known)
                await self._work.start()
                return
            if not self._refusal:
                return
            log.error("schema version not supported by this release", reason=self._refusal)
            await asyncio.sleep(_LOOK_SECONDS)

    async def close(self) -> None:
        if self._work:
            await self._work.close()

    async def check(self) -> None:
        """A check of `Health`: raises until the service may work."""
        if self._refusal:
            raise NotReady(self._refusal)

    async def compare(self) -> None:
        """Compares the versions, and stores its own if newer. Raises `unavailable`."""
        async with guarded():
            self._refusal = self._why_not(await self._found())
            if not self._refusal:
                newest = {"form": self._form.writes, "readBy": self._form.read_by}
                await self._forms.update_one({"_id": self._service}, {"$max": newest}, upsert=True)

    async def find_incompatibility(self) -> str:
        """Returns why this release must not work with the records; empty if it may. Read-only. Raises `unavailable`."""
        async with guarded():
            return self._why_not(await self._found())

    async def _found(self) -> dict[str, Any]:
        return await self._forms.find_one({"_id": self._service}) or {}

    def _why_not(self, found: dict[str, Any]) -> str:
        if found.get(RESTORING):
            return "a restore is in progress or was interrupted: run portico restore --replace again"
        form, read_by = int(found.get("form", self._form.writes)), int(found.get("readBy", 0))
        if read_by > self._form.writes:
            return f"a newer release wrote records of schema version {form}; this release reads up to version {self._form.writes}"
        if form < self._form.reads:
            return f"the records have schema version {form}; this release reads version {self._form.reads} or newer: upgrade to a release in between first"
        return ""

    async def _compare_until_known(self) -> None:
        with suppress(ServiceError):
            await self.compare()
            if self._refusal:
                log.critical("schema version not supported by this release", reason=self._refusal)
                signal.raise_signal(signal.SIGTERM)
            await asyncio.Event().wait()
        await asyncio.sleep(_LOOK_SECONDS)
