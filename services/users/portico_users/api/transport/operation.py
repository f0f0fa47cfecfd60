"""One line of the table of operations."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from google.protobuf.message import Message
from portico_contracts.management import METHODS, Method

from portico_users.api.transport.call import Target
from portico_users.api.transport.decision import OVER_USERS
from portico_users.directory.members.permissions import Permission

Result = TypeVar("Result")


class Bind(Protocol):
    """Gives a function the parts that its keyword-only parameters name."""

    def __call__(self, function: Callable[..., Result], /) -> Callable[..., Result]:
        """The function with its parts."""
        ...


@dataclass(frozen=True, slots=True)
class Operation:
    """What is served, to whom.

    Args:
        name: of the method, as the .proto file has it.
        permission: what the caller needs in the organization of the target; None where being signed in is enough.
        find: finds the target of a request, from a `RequestContext` and the message.
        handle: does it, from a `Call` and the message. Both name the parts they need as keyword-only parameters.
        own: a user may do it with what is their own; or needs this permission for that.
        recent: a person must have signed in recently for it (`step_up`).
        recent_when: the same, for the requests it is true of.
        guard: refuses values of a request that the permission alone does not allow.
        proven: it needs something only the user has, or its handler checks the rights of the user itself.
    """

    name: str
    permission: Permission | None
    find: Callable[..., Awaitable[Target[object]]]
    handle: Callable[..., Awaitable[Message]]
    own: bool | Permission = False
    guard: Callable[..., None] | None = None
    proven: bool = False
    recent: bool = False
    recent_when: Callable[..., bool] | None = None

    def bound(self, bind: Bind) -> Operation:
        """The operation with the parts its functions name."""
        return replace(self, find=bind(self.find), handle=bind(self.handle))

    @property
    def method(self) -> Method:
        """The method of the .proto file."""
        return METHODS[self.name]

    @property
    def needs_rights_of_user(self) -> bool:
        """A caller who may do it to another user could become that user."""
        return self.permission in OVER_USERS and not self.proven
