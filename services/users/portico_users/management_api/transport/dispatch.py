from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Final

import msgspec
from google.protobuf.message import Message
from portico_contracts.generated.portico.v1.object_pb2 import ListDetails
from portico_oauth.errors import UNAVAILABLE, ServiceError
from portico_runtime.process.clock import Clock

from portico_users.administrators.member import MongoMembers
from portico_users.administrators.permissions import Permission
from portico_users.journal.command import repeat_overtaken
from portico_users.management_api.transport.authentication import Authentication
from portico_users.management_api.transport.call import Call, RequestContext, Target
from portico_users.management_api.transport.caller import Caller
from portico_users.management_api.transport.decision import decide, require_covered
from portico_users.management_api.transport.expected import DETAILS, perform_expected, read_expected
from portico_users.management_api.transport.metadata import Metadata
from portico_users.management_api.transport.operation import Bind, Operation
from portico_users.management_api.transport.refused_calls import Attempt, RefusedCalls
from portico_users.management_api.transport.step_up import StepUp
from portico_users.management_api.transport.wire.encoded import Encoded
from portico_users.management_api.transport.wire.json_answers import time_text
from portico_users.management_api.transport.wire.json_types import Answer, JsonMessage, integer_text, json_type
from portico_users.policies.login_policies import LoginPolicies
from portico_users.storage.transactions import KeyedLocks
from portico_users.values.session_start import in_session

_LIST_DETAILS: Final = json_type(ListDetails)


def add_list_details(answer: Answer, now: float) -> None:
    """Sets the details of list responses. ``now``: unix seconds just before the read from the primary database."""
    details = getattr(answer, "details", None)
    if isinstance(answer, JsonMessage):
        if isinstance(details, _LIST_DETAILS):
            details.view_timestamp = time_text(now)
            details.processed_sequence = integer_text(_last_sequence(answer))
    elif isinstance(details, ListDetails):
        details.view_timestamp.FromMicroseconds(round(now * 1_000_000))
        details.processed_sequence = _last_sequence(answer)


def _last_sequence(answer: Answer) -> int:
    return max((_sequence(item) for values in _repeated(answer) for item in values), default=0)


def _repeated(answer: Answer) -> list[Iterable[object]]:
    if isinstance(answer, JsonMessage):
        return [value for value in msgspec.structs.astuple(answer) if isinstance(value, list)]
    return [value for field, value in answer.ListFields() if field.is_repeated and field.message_type is not None]


def _sequence(item: object) -> int:
    details = getattr(item, "details", None)
    return int(details.sequence or 0) if isinstance(details, DETAILS) else 0


SECONDS: Final = 10.0
"""Time limit of a call."""


class Dispatch:
    def __init__(
        self,
        operations: Iterable[Operation],
        bind: Bind,
        authentication: Authentication,
        members: MongoMembers,
        clock: Clock,
        refused_calls: RefusedCalls,
        step_up: StepUp,
        policies: LoginPolicies,
    ) -> None:
        by_name = {operation.name: operation for operation in operations}
        # Its parts are found with its first call: there are hundreds of operations, and each test starts a service.
        self._bound = cache(lambda name: by_name[name].bound(bind))
        self._authentication = authentication
        self._members = members
        self._clock = clock
        self._refused_calls = refused_calls
        self._step_up = step_up
        self._policies = policies
        self._turns = KeyedLocks()

    async def perform(self, name: str, encoded: Encoded, metadata: Metadata) -> Answer:
        return await self.perform_operation(self._bound(name), encoded, metadata)

    async def perform_operation(self, operation: Operation, encoded: Encoded, metadata: Metadata) -> Answer:
        """Performs an operation that need not be in the table."""
        attempt = Attempt(operation.name)
        try:
            async with asyncio.timeout(SECONDS):
                return await self._perform(operation, encoded, metadata, attempt)
        except ServiceError as error:
            self._refused_calls.record(attempt, error)
            raise
        except TimeoutError:
            raise UNAVAILABLE.error(retry_after=1, part="deadline", operation=operation.name) from None

    async def _perform(self, operation: Operation, encoded: Encoded, metadata: Metadata, attempt: Attempt) -> Answer:
        # 1 Authenticate. Nothing else of an unauthenticated request is read.
        attempt.caller = caller = await self._authentication.authenticate(metadata)
        # 2 Decode the request and check types and limits of the .proto files.
        request = operation.method.request()
        encoded.fill(request)

        async def perform() -> Answer:
            nonlocal caller
            first, caller = caller, replace(caller, org=None)  # a repetition reads the caller's organization again
            with in_session(first.session_began):
                return await self._perform_request(operation, first, request, metadata)

        repeats = operation.changes_part and not metadata.if_match
        return await (repeat_overtaken(perform, self._turns) if repeats else perform())

    async def _perform_request(
        self, operation: Operation, caller: Caller, request: Message, metadata: Metadata
    ) -> Answer:
        # 3 Find the target and its organization.
        target = await operation.find(RequestContext(caller, metadata.org_ids), request)
        # 4 Check the permission.
        decide(await self._with_own_rights(operation, caller, target), operation.permission, target, own=operation.own)
        call = Call(caller, target, metadata.language)
        # 5 Refuse changes of users with more permissions than the caller.
        if operation.needs_rights_of_user:
            await require_covered(call, self._members)
        if operation.guard:
            operation.guard(call, request)
        # 6 Require a recent sign-in where the operation needs one.
        self._step_up.require(caller, operation, request)
        # 7 Run the handler with the version the caller has read; lists get a timestamp.
        now = self._clock.now()
        answer = await perform_expected(operation, call, request, read_expected(operation.method, metadata))
        add_list_details(answer, now)
        return answer

    async def _with_own_rights(self, operation: Operation, caller: Caller, target: Target[object]) -> Caller:
        """What the rules of the caller's organization allow users to do with their own accounts."""
        is_deletion = operation.own is Permission.USER_SELF_DELETE and target.user_id == caller.user_id
        if is_deletion and await self._policies.lets_delete_account(caller.org_id):
            return caller.with_permission(Permission.USER_SELF_DELETE)
        return caller
