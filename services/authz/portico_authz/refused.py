"""Records what the endpoints refuse outside the pipeline of authorization requests: logouts, logins, and lost requests."""

from __future__ import annotations

from portico_contracts.traces import Hint, TraceCheck, TracedEndpoint
from portico_contracts.users import Client
from portico_oauth.errors import ServiceError
from portico_oauth.parameters import REPEATED
from portico_runtime.traces.recorder import Traced
from portico_runtime.traces.shown import shown_client_id
from portico_web.surfaces import Observe
from starlette.requests import Request

from portico_authz.authorize.open_request import OTHER_BROWSER, REQUEST_NOT_FOUND
from portico_authz.authorize.pipeline import POST_NOT_FOUND
from portico_authz.authorize.traced import compared_uri
from portico_authz.dependencies import Dependencies
from portico_authz.logout import logout_request, open_logout

_LOST = frozenset((REQUEST_NOT_FOUND.id, OTHER_BROWSER.id, POST_NOT_FOUND.id, open_logout.LOGOUT_NOT_FOUND.id))
"""Nothing but the stored request is wrong: it is finished, expired, or another browser's."""

_LOGOUT_CHECKS = {
    REPEATED.id: "repeats",
    logout_request.STATE_TOO_LONG.id: "state",
    logout_request.HINT_INVALID.id: "id_token_hint",
    logout_request.CLIENT_DIFFERS.id: "client",
    logout_request.CLIENT_UNKNOWN.id: "client",
    logout_request.URI_WITHOUT_CLIENT.id: "post_logout_redirect_uri",
    logout_request.URI_NOT_REGISTERED.id: "post_logout_redirect_uri",
}
_LOGOUT_ORDER = ("repeats", "state", "id_token_hint", "client", "post_logout_redirect_uri")


def observe_authorization(deps: Dependencies) -> Observe:
    """Records what is refused before an authorization request can be read: it is lost, or another browser's."""

    def observe(error: ServiceError, _request: Request) -> None:
        async def describe() -> Traced:
            return Traced(TracedEndpoint.AUTHORIZATION, checks=_lost_request(error))

        deps.traces.refused(error, "", describe)

    return observe


def observe_login(deps: Dependencies) -> Observe:
    """Records refusals of the login API: each is an error page, under the request id of the page."""

    def observe(error: ServiceError, request: Request) -> None:
        request_id = request.path_params.get("id", "")

        async def describe() -> Traced:
            stored = await deps.stores.requests.find(request_id) if request_id else None
            client_id = stored.parameters.get("client_id", "") if stored else ""
            client = await deps.directory.find_client(client_id) if client_id else None
            checks = _lost_request(error) or (TraceCheck(name="login", passed=False),)
            return Traced(TracedEndpoint.LOGIN, client, client_id, checks=checks)

        deps.traces.refused(error, "", describe)

    return observe


def observe_logout(deps: Dependencies) -> Observe:
    """Records refused logout requests."""

    def observe(error: ServiceError, _request: Request) -> None:
        client_id = str(error.private.get("client_id", ""))

        async def describe() -> Traced:
            client = await deps.directory.find_client(client_id) if client_id else None
            return Traced(TracedEndpoint.END_SESSION, client, client_id, checks=_logout_checks(error, client))

        deps.traces.refused(error, "", describe)

    return observe


def _lost_request(error: ServiceError) -> tuple[TraceCheck, ...]:
    return (TraceCheck(name="request", passed=False, hint=Hint.UNKNOWN),) if error.id in _LOST else ()


def _logout_checks(error: ServiceError, client: Client | None) -> tuple[TraceCheck, ...]:
    refused = _LOGOUT_CHECKS.get(error.id)
    if refused is None:
        return _lost_request(error)
    passed = _LOGOUT_ORDER[: _LOGOUT_ORDER.index(refused)]
    return (*(TraceCheck(name=name, passed=True) for name in passed), _refused_logout(refused, error, client))


def _refused_logout(name: str, error: ServiceError, client: Client | None) -> TraceCheck:
    if error.id == logout_request.URI_NOT_REGISTERED.id and client is not None:
        uri = str(error.private.get("uri", ""))
        return compared_uri(uri, client.post_logout_redirect_uris, dev_mode=client.dev_mode).as_check(
            name, passed=False
        )
    if name == "client":
        given = shown_client_id(str(error.private.get("client_id", "")))
        return TraceCheck(name=name, passed=False, given=given)
    if name == "repeats":
        names = [one for one in error.private.get("names", ()) if one in logout_request.KNOWN]
        return TraceCheck(name=name, passed=False, given=" ".join(names), hint=Hint.REPEATED)
    return TraceCheck(name=name, passed=False, hint=Hint.MISSING if client is None else "")
