"""The steps every call goes through, whatever wire form it has."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Final

from google.protobuf.message import Message
from portico_contracts.generated.portico.object.v2.object_pb2 import Details
from portico_contracts.generated.portico.v1.object_pb2 import ListDetails, ObjectDetails
from portico_oauth.errors import UNAVAILABLE, ServiceError
from portico_runtime.clock import Clock

from portico_users.api.transport.authentication import Authentication
from portico_users.api.transport.call import Call, RequestContext
from portico_users.api.transport.decision import decide, require_covered
from portico_users.api.transport.expected import perform_expected, read_expected
from portico_users.api.transport.metadata import Metadata
from portico_users.api.transport.operation import Operation
from portico_users.api.transport.refused_calls import Attempt, RefusedCalls
from portico_users.api.transport.step_up import StepUp
from portico_users.api.transport.wire.encoded import Encoded
from portico_users.directory.members.member import MongoMembers


def add_list_details(answer: Message, now: float) -> None:
    """Completes the details of a list; other answers stay as they are.

    Lists are read from the store of record, so that they are as of the time of the request.

    Args:
        now: unix seconds at which the call was about to read.
    """
    details = getattr(answer, "details", None)
    if not isinstance(details, ListDetails):
        return
    details.view_timestamp.FromMicroseconds(round(now * 1_000_000))
    details.processed_sequence = max((_sequence(item) for item in _items(answer)), default=0)


def _items(answer: Message) -> list[object]:
    """The listed messages, whatever the list is called."""
    return [
        item
        for field, value in answer.ListFields()
        if field.is_repeated and field.message_type is not None
        for item in value
    ]


def _sequence(item: object) -> int:
    details = getattr(item, "details", None)
    return details.sequence if isinstance(details, ObjectDetails | Details) else 0


SECONDS: Final = 10.0
"""How long one call may take; nothing here should come near."""


class Dispatch:
    """Performs calls."""

    def __init__(
        self,
        operations: Iterable[Operation],
        authentication: Authentication,
        members: MongoMembers,
        clock: Clock,
        refused_calls: RefusedCalls,
        step_up: StepUp,
    ) -> None:
        self._operations = {operation.name: operation for operation in operations}
        self._authentication = authentication
        self._members = members
        self._clock = clock
        self._refused_calls = refused_calls
        self._step_up = step_up

    async def perform(self, name: str, encoded: Encoded, metadata: Metadata) -> Message:
        """The answer of one call.

        Raises:
            ServiceError: of the step that refused; `unavailable` when it takes too long.
        """
        attempt = Attempt(name)
        try:
            async with asyncio.timeout(SECONDS):
                return await self._perform(self._operations[name], encoded, metadata, attempt)
        except ServiceError as error:
            self._refused_calls.record(attempt, error)
            raise
        except TimeoutError:
            raise UNAVAILABLE.error(retry_after=1, part="deadline", operation=name) from None

    async def _perform(self, operation: Operation, encoded: Encoded, metadata: Metadata, attempt: Attempt) -> Message:
        # 1 Who calls? Nothing of what a stranger sent is looked at.
        attempt.caller = caller = await self._authentication.authenticate(metadata)
        # 2 What do they want? Types and limits as the .proto files have them.
        request = operation.method.request()
        encoded.fill(request)
        # 3 What is it about, and whose is that?
        target = await operation.find(RequestContext(caller, metadata.org_ids), request)
        # 4 May they?
        decide(caller, operation.permission, target, own=operation.own)
        call = Call(caller, target, metadata.language)
        # 5 Not to a user who has more rights than they.
        if operation.needs_rights_of_user:
            await require_covered(call, self._members)
        if operation.guard:
            operation.guard(call, request)
        # 6 Not with a session that was left open.
        self._step_up.require(caller, operation, request)
        # 7 Do it, from the version the caller has read, with the timestamp of a list.
        now = self._clock.now()
        answer = await perform_expected(operation, call, request, read_expected(operation.method, metadata))
        add_list_details(answer, now)
        return answer
