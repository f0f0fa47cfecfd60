"""One call of an SDK, and the operations that it performs for its caller."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from google.protobuf.message import Message
from portico_oauth.errors import ServiceError

from portico_users.management_api.transport.dispatch import Dispatch
from portico_users.management_api.transport.metadata import Metadata
from portico_users.management_api.transport.wire.encoded import Encoded, refuse_violations
from portico_users.management_api.transport.wire.json_types import as_message
from portico_users.management_api.zitadel.copying import in_their_places

Theirs = TypeVar("Theirs", bound=Message)
Read = Callable[[Theirs, Any], None]
"""Fills our message with theirs."""


@dataclass(frozen=True, slots=True)
class TheirCall(Generic[Theirs]):
    """`theirs` is empty until the first operation knows the caller, and decodes it."""

    dispatch: Dispatch
    encoded: Encoded
    metadata: Metadata
    theirs: Theirs = field(repr=False)
    issuer: str = ""

    async def perform(self, operation: str, read: Read[Theirs], *, sequence: int = 0, org_id: str = "") -> Any:
        """Performs it with what `read` makes of the message. `sequence` is the version that the change is based on."""
        metadata = self.metadata
        if sequence and not metadata.if_match:
            metadata = replace(metadata, if_match=(str(sequence),))
        if org_id:
            metadata = replace(metadata, org_ids=tuple(dict.fromkeys((*metadata.org_ids, org_id))))
        request = _Translated(self.encoded, self.theirs, read)
        try:
            return as_message(await self.dispatch.perform(operation, request, metadata))
        except ServiceError as error:
            error.violations = in_their_places(error.violations)
            raise


@dataclass(frozen=True, slots=True)
class _Translated(Generic[Theirs]):
    encoded: Encoded
    theirs: Theirs = field(repr=False)
    read: Read[Theirs]

    def fill(self, message: Message) -> None:
        self.theirs.Clear()
        self.encoded.fill(self.theirs)
        self.read(self.theirs, message)
        refuse_violations(message)
