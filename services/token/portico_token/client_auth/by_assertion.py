"""The JWT profile grant: the assertion identifies and authenticates the service user (RFC 7523 sections 2.1 and 3).

The service user is identified by its user id, never by its name; a client_id in the body, which some SDKs
fill with a placeholder, is ignored, except beside the token of another issuer, which cannot name the service user;
every error of the assertion is an invalid_grant.
"""

from __future__ import annotations

from typing import Final

from portico_contracts.diagnostics import Hint
from portico_contracts.users import AuthMethod
from portico_oauth.errors import Compared, ErrorCode, Kind

from portico_token.assertions.claims import AssertionFault, InvalidAssertion
from portico_token.assertions.verification import Assertions, Expected
from portico_token.client_auth.by_workload import WorkloadClients
from portico_token.client_auth.credentials import (
    CLIENT_PARAMETERS,
    SEVERAL_MECHANISMS,
    Presented,
    WorkloadToken,
    authentication_error,
    workload_token_in,
)
from portico_token.domain.clients import CLIENT_AUTHENTICATION, AuthenticatedClient, Registration
from portico_token.users_client import UsersClient

NO_ASSERTION = ErrorCode(
    "TOKEN-110", Kind.INVALID_REQUEST, "The assertion is missing.", "Send a JWT signed with a key of the service user."
)
UNVERIFIED = ErrorCode(
    "TOKEN-111",
    Kind.INVALID_GRANT,
    "The assertion is not signed by a known service user.",
    "Check that iss is the user id, that kid names a registered key, and that the key has not expired.",
)
WRONG_CLAIMS = ErrorCode(
    "TOKEN-112",
    Kind.INVALID_GRANT,
    "A claim of the assertion is missing or invalid.",
    "Set iss and sub to the user id, and set aud, exp and iat. Times are whole seconds; jti is a string.",
)
WRONG_AUDIENCE = ErrorCode(
    "TOKEN-113",
    Kind.INVALID_GRANT,
    "The audience of the assertion is not this provider.",
    "Set aud to the issuer or to the URL of the token endpoint; in an array of at most four, every member must be one.",
)
WRONG_TIMES = ErrorCode(
    "TOKEN-114",
    Kind.INVALID_GRANT,
    "The assertion is expired or not yet valid.",
    "Sign a new assertion for each request, with a lifetime of at most one hour, and check the clock.",
)
REPLAYED_ASSERTION = ErrorCode(
    "TOKEN-115",
    Kind.INVALID_GRANT,
    "The assertion was already used.",
    "Sign a new assertion with its own jti for each request.",
)

_ERROR_CODES: Final = {
    AssertionFault.UNVERIFIED: UNVERIFIED,
    AssertionFault.CLAIMS: WRONG_CLAIMS,
    AssertionFault.AUDIENCE: WRONG_AUDIENCE,
    AssertionFault.VALIDITY_PERIOD: WRONG_TIMES,
    AssertionFault.USED: REPLAYED_ASSERTION,
}
_OTHER_MECHANISMS: Final = CLIENT_PARAMETERS - {"client_id"}


class AssertedClients:
    def __init__(
        self, users_client: UsersClient, issuer: str, assertions: Assertions, workloads: WorkloadClients
    ) -> None:
        self._users_client = users_client
        self._issuer = issuer
        self._assertions = assertions
        self._workloads = workloads

    async def authenticate(self, presented: Presented, path: str) -> AuthenticatedClient:
        """Authenticates the service user of a request and claims the assertion."""
        if presented.authorization or not _OTHER_MECHANISMS.isdisjoint(presented.form):
            raise authentication_error(SEVERAL_MECHANISMS)
        text = presented.form.get("assertion")
        if text is None:
            raise authentication_error(NO_ASSERTION)
        user_id = workload_token_in(text, presented.form.get("client_id"))
        if isinstance(user_id, WorkloadToken):
            return await self._workloads.authenticate_service_user(user_id, UNVERIFIED)
        known = await self._users_client.find_registration(user_id)
        if known is None or known.user is None or known.user.user_id != user_id:
            raise UNVERIFIED.error(compared=self._compare(text, known))
        try:
            audiences = (self._issuer, self._issuer + path)
            await self._assertions.accept(text, Expected(user_id, known.client.keys, audiences))
        except InvalidAssertion as invalid:
            error_code = _ERROR_CODES[invalid.fault]
            raise error_code.error(user=user_id, reason=invalid.reason, compared=invalid.compared) from invalid
        return AuthenticatedClient(known.client, AuthMethod.PRIVATE_KEY_JWT, known.user)

    def _compare(self, text: str, known: Registration | None) -> Compared:
        """Why an issuer that is not a service user is refused."""
        if known is None:
            return Compared(CLIENT_AUTHENTICATION, AuthMethod.PRIVATE_KEY_JWT.value, hint=Hint.UNKNOWN)
        return self._assertions.compare_keys(text, known.client.keys)
