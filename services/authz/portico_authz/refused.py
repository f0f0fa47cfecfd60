from __future__ import annotations

from collections.abc import Awaitable, Callable

from portico_contracts.diagnostics import DiagnosedEndpoint, DiagnosticCheck, Hint
from portico_oauth.errors import ServiceError
from portico_runtime.diagnostics.recorder import DiagnosticSubject
from portico_runtime.diagnostics.shown import as_check
from portico_web.surfaces import Observe
from starlette.requests import Request

from portico_authz.authorize.open_request import OTHER_BROWSER, REQUEST_NOT_FOUND
from portico_authz.authorize.pipeline import POST_NOT_FOUND
from portico_authz.dependencies import Dependencies
from portico_authz.logout.logout_request import LOGOUT_CHECKS, LOGOUT_NOT_FOUND

_LOST = frozenset((REQUEST_NOT_FOUND.id, OTHER_BROWSER.id, POST_NOT_FOUND.id, LOGOUT_NOT_FOUND.id))
"""Errors about the stored request only: it is finished, expired, or another browser's."""


Describe = Callable[[Dependencies, ServiceError, Request], Awaitable[DiagnosticSubject]]


def observe(deps: Dependencies, describe: Describe) -> Observe:
    """Records what is refused, described after the answer."""

    def record(error: ServiceError, request: Request) -> None:
        deps.traces.refused(error, "", lambda: describe(deps, error, request))

    return record


async def describe_authorization(_deps: Dependencies, error: ServiceError, _request: Request) -> DiagnosticSubject:
    """What is refused before an authorization request can be read: it is lost, or another browser's."""
    return DiagnosticSubject(DiagnosedEndpoint.AUTHORIZATION, checks=_lost_request(error))


async def describe_login(deps: Dependencies, error: ServiceError, request: Request) -> DiagnosticSubject:
    """A refusal of the login API, which is an error page, under the request id of the page."""
    request_id = request.path_params.get("id", "")
    stored = await deps.stores.requests.find(request_id) if request_id else None
    client_id = stored.parameters.get("client_id", "") if stored else ""
    client = await deps.users_client.find_client(client_id) if client_id else None
    checks = _lost_request(error) or (DiagnosticCheck(name="login", passed=False),)
    return DiagnosticSubject(DiagnosedEndpoint.LOGIN, client, client_id, checks=checks)


async def describe_logout(deps: Dependencies, error: ServiceError, _request: Request) -> DiagnosticSubject:
    """A refused logout request."""
    client_id = str(error.private.get("client_id", ""))
    client = await deps.users_client.find_client(client_id) if client_id else None
    return DiagnosticSubject(DiagnosedEndpoint.END_SESSION, client, client_id, checks=_logout_checks(error))


def _lost_request(error: ServiceError) -> tuple[DiagnosticCheck, ...]:
    return (DiagnosticCheck(name="request", passed=False, hint=Hint.UNKNOWN),) if error.id in _LOST else ()


def _logout_checks(error: ServiceError) -> tuple[DiagnosticCheck, ...]:
    if error.compared is None:
        return _lost_request(error)
    passed = LOGOUT_CHECKS[: LOGOUT_CHECKS.index(error.compared.check)]
    return (*(DiagnosticCheck(name=name, passed=True) for name in passed), as_check(error.compared, passed=False))
