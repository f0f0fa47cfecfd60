"""Protects sensitive operations against stolen sessions by requiring a recent sign-in (decision 0059)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from google.protobuf.message import Message
from portico_contracts.console import ACCOUNT_CLIENT, CONSOLE_CLIENT
from portico_oauth.errors import ErrorCode, Kind
from portico_runtime.process.clock import Clock

from portico_users.management_api.transport.caller import Caller
from portico_users.management_api.transport.operation import Operation
from portico_users.values.operator_settings import StepUpMode

MAX_AGE: Final = 300
"""Maximum age of a sign-in, in seconds."""

NOT_RECENT = ErrorCode(
    "USER-731",
    Kind.PERMISSION_DENIED,
    "This operation requires a sign-in at most five minutes old.",
    "Sign in again (max_age=300), and repeat it with the new access token.",
)

_OURS: Final = frozenset({CONSOLE_CLIENT, ACCOUNT_CLIENT})


@dataclass(frozen=True, slots=True)
class StepUp:
    mode: StepUpMode
    clock: Clock

    def require(self, caller: Caller, operation: Operation, request: Message) -> None:
        """Raises USER-731 without a recent sign-in; service users and personal access tokens have none and pass."""
        signed_in = caller.signed_in
        needed = operation.recent or (operation.recent_when is not None and operation.recent_when(request))
        if not needed or signed_in is None or self.mode is StepUpMode.OFF:
            return
        if self.mode is StepUpMode.CONSOLE and signed_in.client_id not in _OURS:
            return
        age = self.clock.now() - signed_in.at
        if age > MAX_AGE:
            raise NOT_RECENT.error(age=int(age), operation=operation.name)
