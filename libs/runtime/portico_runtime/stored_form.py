"""Whether this release can work with what another one stored: a document per service names the form (decision 0073)."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import structlog
from portico_oauth.errors import ServiceError

from portico_runtime.background import Background
from portico_runtime.health import NotReady
from portico_runtime.mongo import Database, guarded

log = structlog.get_logger("portico.stored_form")

COLLECTION: Final = "schema"
RESTORING: Final = "restoring"
"""A member of the document while a backup is put back: until that is complete no release can work with what is there."""

_LOOK_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class Form:
    """What a release knows of the form of its service's records. Forms are numbered; most releases have the one before.

    Attributes:
        writes: the form it stores records in.
        reads: the oldest form it reads.
        read_by: the oldest form whose releases read what this one stores, so that both run side by side.
    """

    writes: int
    reads: int
    read_by: int


class StoredForm:
    """Looks at the form before the service begins to work, and notes its own.

    Args:
        service: whose records they are.
    """

    def __init__(self, database: Database, service: str, form: Form) -> None:
        self._forms = database[COLLECTION]
        self._service = service
        self._form = form
        self._refusal = "the schema version of the records is not known yet"
        self._work: Background | None = None

    async def start(self) -> None:
        """Returns once the service may work: at once as a rule, never while another release is needed.

        A store that is away is no reason to wait: then it is looked for in the background, and a service that may not work ends.
        """
        while True:
            try:
                await self.look()
            except ServiceError:
                self._work = Background("schema-version", self._look_until_known)
                await self._work.start()
                return
            if not self._refusal:
                return
            log.error("schema version not supported by this release", reason=self._refusal)
            await asyncio.sleep(_LOOK_SECONDS)

    async def close(self) -> None:
        """Stops looking."""
        if self._work:
            await self._work.close()

    async def check(self) -> None:
        """Raises until the service may work; a check of `Health`."""
        if self._refusal:
            raise NotReady(self._refusal)

    async def look(self) -> None:
        """Compares, and notes the own form where that is a newer one.

        Raises:
            ServiceError: `unavailable`.
        """
        async with guarded():
            self._refusal = self._why_not(await self._found())
            if not self._refusal:
                newest = {"form": self._form.writes, "readBy": self._form.read_by}
                await self._forms.update_one({"_id": self._service}, {"$max": newest}, upsert=True)

    async def find_refusal(self) -> str:
        """Why this release may not work with the records now; empty where it may. Notes nothing.

        Raises:
            ServiceError: `unavailable`.
        """
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

    async def _look_until_known(self) -> None:
        with suppress(ServiceError):
            await self.look()
            if self._refusal:
                log.critical("schema version not supported by this release", reason=self._refusal)
                signal.raise_signal(signal.SIGTERM)
            await asyncio.Event().wait()
        await asyncio.sleep(_LOOK_SECONDS)
