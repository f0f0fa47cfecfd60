from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple, Protocol, TypeVar

from portico_contracts.management import METHODS, Method

from portico_users.administrators.permissions import Permission
from portico_users.management_api.transport.call import Target
from portico_users.management_api.transport.decision import OVER_USERS
from portico_users.management_api.transport.wire.json_types import Answer

Result = TypeVar("Result")


class Bind(Protocol):
    """Gives a function the parts that its keyword-only parameters name."""

    def __call__(self, function: Callable[..., Result], /) -> Callable[..., Result]: ...


class Operation(NamedTuple):
    """A row of the table of operations.

    Args:
        find: finds the target from a `RequestContext` and the message.
        handle: performs the call from a `Call` and the message. Both declare dependencies as keyword-only parameters.
        own: users may do it with their own objects, or need this permission for them.
        guard: refuses request values that the permission alone does not allow.
        proven: requires a secret only the user has, or the handler itself compares permissions with the user's.
        foreign: the method of an operation that the .proto files do not have.
        changes_other: changes and returns another object than the target; `If-Match` names the version of that object.
        changes_part: adds, replaces or removes one part of an object, independently of its other parts: without `If-Match`
            it is repeated where another change was committed meanwhile. Not for secrets, which replace each other.
    """

    name: str
    permission: Permission | None
    find: Callable[..., Awaitable[Target[object]]]
    handle: Callable[..., Awaitable[Answer]]
    own: bool | Permission = False
    guard: Callable[..., None] | None = None
    proven: bool = False
    recent: bool = False
    recent_when: Callable[..., bool] | None = None
    foreign: Method | None = None
    changes_other: bool = False
    changes_part: bool = False

    def bound(self, bind: Bind) -> Operation:
        return self._replace(find=bind(self.find), handle=bind(self.handle))

    @property
    def method(self) -> Method:
        return self.foreign or METHODS[self.name]

    @property
    def needs_rights_of_user(self) -> bool:
        """Reports whether a caller could use it to take over another user's account."""
        return self.permission in OVER_USERS and not self.proven
