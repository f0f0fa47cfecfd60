"""Why a request was refused, for its trace: read after the answer, from the error, the form and the registered client.

What the endpoints decide is decided there; here it is only looked at again, so that no check can depend on it. Only what
a check of `checks.py` names can get into a trace.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from portico_contracts.http import INTROSPECT, REVOKE, TOKEN, USERINFO
from portico_contracts.traces import TraceCheck, TracedEndpoint
from portico_contracts.users import Client
from portico_oauth.errors import ServiceError
from portico_runtime.clock import Clock
from portico_runtime.traces.recorder import Traced, TraceRecorder
from portico_web.headers import list_headers
from portico_web.surfaces import Observe
from starlette.requests import Request

from portico_token.credential_form import CLIENT, FORM
from portico_token.directory import Directory
from portico_token.domain.clients import Registration
from portico_token.refusals.checks import CHECKS, Refused, explain
from portico_token.refusals.presented import read_presented

_ENDPOINTS: Final = {
    TOKEN: TracedEndpoint.TOKEN,
    INTROSPECT: TracedEndpoint.INTROSPECTION,
    REVOKE: TracedEndpoint.REVOCATION,
    USERINFO: TracedEndpoint.USERINFO,
}
_LONGEST_ID: Final = 200


class Refusals:
    """Records what the endpoints refuse."""

    def __init__(self, traces: TraceRecorder, directory: Directory, issuer: str, clock: Clock) -> None:
        self._traces = traces
        self._directory = directory
        self._issuer = issuer
        self._clock = clock

    def observe(self, path: str) -> Observe:
        """Records the refusals of the endpoint at a path."""
        endpoint = _ENDPOINTS[path]

        def observe(error: ServiceError, request: Request) -> None:
            client: Client | None = request.scope.get(CLIENT)
            named = client.client_id if client else str(error.private.get("client", ""))

            async def describe() -> Traced:
                return await self._describe(endpoint, path, error, request)

            self._traces.refused(error, named, describe)

        return observe

    async def _describe(self, endpoint: TracedEndpoint, path: str, error: ServiceError, request: Request) -> Traced:
        form: Mapping[str, str] = request.scope.get(FORM) or {}
        presented = read_presented(list_headers(request, b"authorization"), form)
        authenticated: Client | None = request.scope.get(CLIENT)
        known = await self._find(authenticated.client_id if authenticated else presented.client_id)
        client = authenticated or (known.client if known else None)
        audiences = (self._issuer, self._issuer + path)
        refused = Refused(error, endpoint, form, presented, known, client, audiences, self._clock.now())
        return Traced(endpoint, client, presented.client_id, checks=_checks(refused))

    async def _find(self, client_id: str) -> Registration | None:
        return await self._directory.find_registration(client_id) if 0 < len(client_id) <= _LONGEST_ID else None


def _checks(refused: Refused) -> tuple[TraceCheck, ...]:
    """The checks of the endpoint up to the one that the error belongs to."""
    checks: list[TraceCheck] = []
    for name, ids in CHECKS[refused.endpoint]:
        is_refused = refused.error.id in ids
        checks.append(explain(name, refused, passed=not is_refused).as_check(name, passed=not is_refused))
        if is_refused:
            return tuple(checks)
    return (TraceCheck(name="request", passed=False),)
