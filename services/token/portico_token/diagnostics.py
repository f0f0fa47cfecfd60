"""Records refused requests: the checks of the endpoint up to the one that refused, with what it compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from portico_contracts.diagnostics import WORKLOAD_TOKEN, DiagnosedEndpoint, DiagnosticCheck
from portico_contracts.http import DEVICE_AUTHORIZATION, INTROSPECT, PUSHED_REQUESTS, REVOKE, TOKEN, USERINFO
from portico_contracts.users import AuthMethod, Client
from portico_oauth import scopes
from portico_oauth.errors import Compared, Kind, ServiceError
from portico_oauth.jose import MalformedToken, unverified_claims
from portico_oauth.parameters import Parameters
from portico_runtime.diagnostics.recorder import DiagnosticsRecorder, DiagnosticSubject
from portico_runtime.diagnostics.shown import as_check, shown_words
from portico_web.surfaces import Observe
from starlette.requests import Request

from portico_token.accepted_assertions.kind import is_identity_assertion
from portico_token.client_auth.credentials import (
    Presented,
    WorkloadToken,
    find_credentials,
    presented_in,
    workload_token_in,
)
from portico_token.client_auth.methods import CLIENT_AUTH
from portico_token.credential_form import CLIENT, PRESENTED
from portico_token.domain.clients import CLIENT_AUTHENTICATION
from portico_token.dpop.errors import DPOP
from portico_token.issuing.token_hooks import TOKEN_HOOK
from portico_token.users_client import UsersClient
from portico_token.workloads.shown_claims import shown_claims

_ENDPOINTS: Final = {
    TOKEN: DiagnosedEndpoint.TOKEN,
    DEVICE_AUTHORIZATION: DiagnosedEndpoint.DEVICE_AUTHORIZATION,
    INTROSPECT: DiagnosedEndpoint.INTROSPECTION,
    REVOKE: DiagnosedEndpoint.REVOCATION,
    USERINFO: DiagnosedEndpoint.USERINFO,
    PUSHED_REQUESTS: DiagnosedEndpoint.PUSHED_AUTHORIZATION,
}
_ABOUT_TOKENS: Final = ("form", CLIENT_AUTHENTICATION, "token")
CHECKS: Final = {
    DiagnosedEndpoint.TOKEN: (
        "form",
        "grant_type",
        CLIENT_AUTHENTICATION,
        DPOP,
        "grant_type_allowed",
        "scope",
        "grant",
        "resource",
        "user",
        TOKEN_HOOK,
        "session",
        "token_size",
    ),
    DiagnosedEndpoint.DEVICE_AUTHORIZATION: (
        "form",
        CLIENT_AUTHENTICATION,
        "grant_type_allowed",
        "device",
        "resource",
        "scope",
    ),
    DiagnosedEndpoint.INTROSPECTION: _ABOUT_TOKENS,
    DiagnosedEndpoint.REVOCATION: _ABOUT_TOKENS,
    DiagnosedEndpoint.PUSHED_AUTHORIZATION: ("form", CLIENT_AUTHENTICATION, DPOP),
    DiagnosedEndpoint.USERINFO: ("bearer", "access_token", DPOP, "end_user", "scope"),
}
"""The checks of each endpoint in their order; an error names its own in `compared`."""

_POLLS: Final = (Kind.AUTHORIZATION_PENDING, Kind.POLLED_TOO_FAST)
"""The usual answers while a device waits, every few seconds."""

_METHODS: Final = {kind.credentials: kind.method for kind in CLIENT_AUTH.values()}


class Diagnostics:
    """Records what the endpoints refuse."""

    def __init__(self, traces: DiagnosticsRecorder, users_client: UsersClient) -> None:
        self._traces = traces
        self._users_client = users_client

    def observe(self, path: str) -> Observe:
        """Records the refusals of the endpoint at a path; described after the answer."""

        def observe(error: ServiceError, request: Request) -> None:
            if error.kind in _POLLS:
                return
            client: Client | None = request.scope.get(CLIENT)
            named = client.client_id if client else str(error.private.get("client", ""))
            self._traces.refused(error, named, lambda: self._describe(_ENDPOINTS[path], error, request))

        return observe

    async def _describe(self, endpoint: DiagnosedEndpoint, error: ServiceError, request: Request) -> DiagnosticSubject:
        presented: Presented = request.scope.get(PRESENTED) or presented_in(request, Parameters(()))
        authenticated: Client | None = request.scope.get(CLIENT)
        client_id, method, token = _client_of(presented)
        known = await self._users_client.find_registration(authenticated.client_id if authenticated else client_id)
        client = authenticated or (known.client if known else None)
        if method == AuthMethod.TLS_CLIENT_AUTH and client is not None:
            method = client.auth_method.value  # a certificate alone does not show which
        compared = error.compared
        if compared is None or compared.check not in CHECKS[endpoint]:
            return DiagnosticSubject(
                endpoint, client, client_id, checks=(DiagnosticCheck(name="request", passed=False),)
            )
        if compared.check == CLIENT_AUTHENTICATION and known and not compared.given and not compared.wanted:
            # The check found no credentials by which it could know the client.
            compared = compared._replace(wanted=known.shown_methods)
        names = CHECKS[endpoint][: CHECKS[endpoint].index(compared.check)]
        passed = (as_check(Compared(name, _given(name, presented.form, method)), passed=True) for name in names)
        shown = (_shown_token(token, client),) if token and client and client.trusted_workloads else ()
        return DiagnosticSubject(
            endpoint, client, client_id, checks=(*passed, *shown, as_check(compared, passed=False))
        )


def _given(check: str, form: Mapping[str, str], method: str) -> str:
    """The value that a passed check was given."""
    match check:
        case "grant_type" | "grant_type_allowed":
            return form.get("grant_type", "")
        case "client_authentication":
            return method
        case "scope":
            return shown_words(form.get("scope", ""), scopes.STANDARD)
        case _:
            return ""


def _shown_token(token: WorkloadToken, client: Client) -> DiagnosticCheck:
    """The claims of a refused token, which are not verified; only for clients that trust workloads."""
    try:
        claims = unverified_claims(token.token)
    except MalformedToken:
        return DiagnosticCheck(name=WORKLOAD_TOKEN, passed=True)
    return DiagnosticCheck(name=WORKLOAD_TOKEN, passed=True, wanted=shown_claims(claims, client))


def _client_of(presented: Presented) -> tuple[str, str, WorkloadToken | None]:
    """Client id and authentication method, not verified; empty where they cannot be read. The token of a workload."""
    form = presented.form
    if "assertion" in form and not is_identity_assertion(form["assertion"]):
        found = workload_token_in(form["assertion"], form.get("client_id"))
        token = found if isinstance(found, WorkloadToken) else None
        return token.client_id if token else str(found), AuthMethod.PRIVATE_KEY_JWT.value, token
    try:
        credentials = find_credentials(presented)
    except ServiceError:
        return form.get("client_id", ""), "", None
    if isinstance(credentials, WorkloadToken):
        return credentials.client_id, AuthMethod.PRIVATE_KEY_JWT.value, credentials
    return credentials.client_id, _METHODS[type(credentials)].value, None
