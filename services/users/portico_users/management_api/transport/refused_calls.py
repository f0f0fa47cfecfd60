from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from portico_contracts.diagnostics import DiagnosedEndpoint, DiagnosticCheck, Hint
from portico_oauth.errors import Kind, ServiceError
from portico_runtime.diagnostics.recorder import DiagnosticsRecorder, DiagnosticSubject

from portico_users.administrators.permissions import Permission
from portico_users.management_api.transport.authentication import INVALID_TOKEN, NO_TOKEN
from portico_users.management_api.transport.caller import Caller
from portico_users.management_api.transport.decision import NOT_PERMITTED

TRACED: Final = frozenset({Kind.UNAUTHENTICATED, Kind.PERMISSION_DENIED})
_AUTHENTICATION: Final = "authentication"


@dataclass(slots=True)
class Attempt:
    operation: str
    caller: Caller | None = None


class RefusedCalls:
    def __init__(self, traces: DiagnosticsRecorder) -> None:
        self._traces = traces

    def record(self, attempt: Attempt, error: ServiceError) -> None:
        if error.kind not in TRACED:
            return
        caller = attempt.caller

        async def describe() -> DiagnosticSubject:
            return DiagnosticSubject(
                DiagnosedEndpoint.MANAGEMENT,
                operation=attempt.operation,
                user_id=caller.user_id if caller else "",
                user_org_id=caller.org_id if caller else "",
                checks=_checks(error.id, error.private),
            )

        self._traces.refused(error, caller.user_id if caller else "", describe)


def _checks(error_id: str, private: Mapping[str, object]) -> tuple[DiagnosticCheck, ...]:
    """Omits the object, which may be another organization's; the permission is in the response too."""
    if error_id in (NO_TOKEN.id, INVALID_TOKEN.id):
        hint = Hint.MISSING if error_id == NO_TOKEN.id else Hint.UNKNOWN
        return (
            DiagnosticCheck(
                name=_AUTHENTICATION,
                passed=False,
                wanted=("Authorization: Bearer", "an active token for this API"),
                hint=hint,
            ),
        )
    permission = private.get("permission")
    wanted = (permission.value,) if error_id == NOT_PERMITTED.id and isinstance(permission, Permission) else ()
    return (
        DiagnosticCheck(name=_AUTHENTICATION, passed=True),
        DiagnosticCheck(name="permission", passed=False, wanted=wanted),
    )
