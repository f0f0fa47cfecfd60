from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypedDict, TypeVar, Unpack

import msgspec
from google.protobuf.message import Message
from portico_contracts.management import METHODS

from portico_users.administrators.permissions import Permission
from portico_users.journal.command import Command
from portico_users.management_api.protobuf.details import Answer, as_changed
from portico_users.management_api.protobuf.places import Places, at_places
from portico_users.management_api.transport.call import Call, Target
from portico_users.management_api.transport.operation import Operation
from portico_users.values.records import AnyRecord

Value = str | Callable[[Any], object]

Subject = TypeVar("Subject")


class Rules(TypedDict, total=False):
    """The members of an operation that are its rules; `Operation` describes them."""

    own: bool | Permission
    guard: Callable[..., None] | None
    proven: bool
    recent: bool
    changes_other: bool
    changes_part: bool


class Change(Rules, total=False):
    """How the command is called, and what is answered; `changing` describes each."""

    after: Callable[..., object] | None
    act: Callable[..., Awaitable[object]] | None
    answer: Callable[..., Answer]
    places: Places


def subject_of(call: Call[Subject]) -> Subject:
    return call.target.subject


def changing(
    name: str,
    permission: Permission | None,
    find: Callable[..., Awaitable[Target[Subject]]],
    command: type[Command],
    *values: Value,
    of: Callable[[Call[Subject]], object] = subject_of,
    after: Callable[..., object] | None = None,
    act: Callable[..., Awaitable[object]] | None = None,
    answer: Callable[..., Answer] = as_changed,
    places: Places = (),
    **rules: Unpack[Rules],
) -> Operation:
    """The operation whose handler is ``await command(of(call), *values, actor=...)``.

    ``after`` computes the changed subject from the subject and the request; the command gets it before the
    values.
    """
    method = METHODS[name]
    # Detect misspelt field names at import; type checkers cannot.
    if unknown := [
        one for one in values if isinstance(one, str) and one not in method.request.DESCRIPTOR.fields_by_name
    ]:
        raise ValueError(f"{name} has no fields {unknown}")
    change: Callable[..., Awaitable[object]] = act or command.__call__

    async def handle(call: Call[Subject], request: Message, *, command: Command) -> Message:
        given = [getattr(request, value) if isinstance(value, str) else value(request) for value in values]
        before = of(call)
        wanted = [after(before, request)] if after else []
        with at_places(places):
            changed = await change(command, before, *wanted, *given, actor=call.caller.user_id)
        return method.response(**answer(changed))

    handle.__annotations__ |= {"request": method.request, "command": command, "return": method.response}
    return Operation(name, permission, find, handle, **rules)


class Named(Protocol):
    name: str


def renamed(before: AnyRecord, request: Named) -> AnyRecord:
    return msgspec.structs.replace(before, name=request.name)
