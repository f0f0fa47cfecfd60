"""Operations that give values of a request to a command, and answer with the details of the changed object."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from google.protobuf.message import Message
from portico_contracts.management import METHODS

from portico_users.api.shared.details import changed_details_of
from portico_users.api.shared.places import Places, at_places
from portico_users.api.transport.call import Call, Target
from portico_users.api.transport.operation import Operation
from portico_users.commands.command import Command
from portico_users.directory.members.permissions import Permission

Value = str | Callable[[Any], object]
"""A field of the request, or what is made of the whole request."""


def subject_of(call: Call[Any]) -> Any:
    """What the call is about, as it was found."""
    return call.target.subject


def changing(
    name: str,
    permission: Permission | None,
    find: Callable[..., Awaitable[Target[Any]]],
    command: type[Command],
    *values: Value,
    of: Callable[[Call[Any]], object] = subject_of,
    places: Places = (),
    **who: Any,
) -> Operation[Any, Any, Any]:
    """The operation whose handler is ``await command(of(call), *values, actor=...)``.

    Args:
        command: answers the changed object.
        of: what the command changes.
        places: of the values in the request.
        who: the other members of the operation.
    """
    method = METHODS[name]

    async def handle(call: Call[Any], request: Message, *, command: Any) -> Message:
        given = [getattr(request, value) if isinstance(value, str) else value(request) for value in values]
        with at_places(places):
            changed = await command(of(call), *given, actor=call.caller.user_id)
        return method.response(details=changed_details_of(changed))

    handle.__annotations__ |= {"request": method.request, "command": command, "return": method.response}
    return Operation(name, permission, find, handle, **who)
