"""Verification of credentials; only a registered method returns an `AuthenticatedClient` (TK-16)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from portico_contracts.diagnostics import Hint
from portico_contracts.users import CERTIFICATE_METHODS, AuthMethod
from portico_oauth.errors import Compared, ErrorCode, Kind, ServiceError

from portico_token.client_auth.by_workload import WorkloadClients
from portico_token.client_auth.certificates import as_registered
from portico_token.client_auth.credentials import (
    BasicSecret,
    Credentials,
    IdOnly,
    PostSecret,
    Presented,
    WorkloadToken,
    find_credentials,
)
from portico_token.client_auth.methods import CLIENT_AUTH, find_secret
from portico_token.client_auth.protocol import MethodDependencies, Ready
from portico_token.domain.clients import CLIENT_AUTHENTICATION, AuthenticatedClient, Registration
from portico_token.users_client import UsersClient

NOT_AUTHENTICATED = ErrorCode(
    "TOKEN-015",
    Kind.INVALID_CLIENT,
    "Client authentication failed.",
    "Check the client id, the secret and the registered authentication method.",
)
OTHER_METHOD: Final = {
    AuthMethod.CLIENT_SECRET_BASIC: ErrorCode(
        "TOKEN-137",
        Kind.INVALID_CLIENT,
        "This application authenticates with client_secret_basic.",
        "Send id and secret in the authorization header, or change authMethodType of the application.",
    ),
    AuthMethod.CLIENT_SECRET_POST: ErrorCode(
        "TOKEN-138",
        Kind.INVALID_CLIENT,
        "This application authenticates with client_secret_post.",
        "Send client_id and client_secret in the body, or change authMethodType of the application.",
    ),
}
"""Errors for the right secret by a method that the request may not use."""


class ClientAuthentication:
    def __init__(self, users_client: UsersClient, dependencies: MethodDependencies, workloads: WorkloadClients) -> None:
        self._users_client = users_client
        self._issuer = dependencies.issuer
        self._clock = dependencies.clock
        self._workloads = workloads
        self._methods = {kind.credentials: kind(dependencies) for kind in CLIENT_AUTH.values()}

    async def authenticate(
        self, presented: Presented, allowed: Collection[AuthMethod], path: str, ready: Ready = lambda _: None
    ) -> AuthenticatedClient:
        """An unknown client and a wrong secret have the same error and cost, by any method (P9).

        `path` is of the called endpoint, which assertions may name. An assertion is not used up where `ready` raises.
        """
        credentials = find_credentials(presented)
        if isinstance(credentials, WorkloadToken):
            return await self._workloads.authenticate(credentials, allowed, NOT_AUTHENTICATED)
        known = await self._users_client.find_registration(credentials.client_id)
        if presented.certificate:
            credentials = as_registered(credentials, known.methods if known else ())
        method = self._methods[type(credentials)]
        if known is None or method.method not in known.methods or method.method not in allowed:
            method.spend(credentials)
            raise self._method_error(credentials, known, allowed)
        if not await method.verify(credentials, known.client, (presented.alias or self._issuer) + path, ready):
            raise NOT_AUTHENTICATED.error(client=known.client.client_id, compared=self._compare(credentials, known))
        return AuthenticatedClient(known.client, method.method, known.user)

    async def fetch_document(self, presented: Presented, client_address: str) -> None:
        """Has the metadata document of a client fetched that has not been in use yet (decision 0112)."""
        await self._users_client.fetch_document(presented.form.get("client_id", ""), client_address)

    def _method_error(
        self, credentials: Credentials, known: Registration | None, allowed: Collection[AuthMethod]
    ) -> ServiceError:
        """Only the holder of the secret learns which method is allowed.

        A presented secret is compared exactly once, here as in `Method.verify`, so that an unknown client, a
        wrong secret and another method take the same time.
        """
        named, used = known.client.client_id if known else "", self._methods[type(credentials)].method
        compared = self._compare(credentials, known)
        if not isinstance(credentials, BasicSecret | PostSecret):
            return NOT_AUTHENTICATED.error(client=named, compared=compared)
        matches = find_secret(credentials.secrets, known.client if known else None, self._clock.now())
        if not matches or known is None:
            return NOT_AUTHENTICATED.error(client=named, compared=compared)
        registered = known.client.auth_method
        usable = [method for method in OTHER_METHOD if method in known.methods and method in allowed]
        wanted = usable[0] if usable else registered
        error_code = NOT_AUTHENTICATED if used is wanted else OTHER_METHOD.get(wanted, NOT_AUTHENTICATED)
        compared = compared._replace(hint=Hint.OTHER_METHOD)
        return error_code.error(client=named, used=used.value, registered=registered.value, compared=compared)

    def _compare(self, credentials: Credentials, known: Registration | None) -> Compared:
        """Compares the method that was used with the registered ones, with a hint about the credentials."""
        method = self._methods[type(credentials)]
        if known is None:
            return Compared(CLIENT_AUTHENTICATION, method.method.value, hint=Hint.UNKNOWN)
        if isinstance(credentials, IdOnly) and not known.methods.isdisjoint(CERTIFICATE_METHODS):
            return Compared(CLIENT_AUTHENTICATION, "", known.shown_methods, Hint.NO_CERTIFICATE)
        if method.method not in known.methods:
            return Compared(CLIENT_AUTHENTICATION, method.method.value, known.shown_methods, Hint.OTHER_METHOD)
        return method.compare(credentials, known)
