"""private_key_jwt (RFC 7523 section 2.2, OIDC Core section 9)."""

from __future__ import annotations

from functools import partial
from typing import ClassVar, Final

from portico_contracts.http import PUSHED_REQUESTS, TOKEN
from portico_contracts.users import AuthMethod, Client
from portico_oauth.errors import Compared, ErrorCode, Kind

from portico_token.assertions.claims import AssertionFault, InvalidAssertion
from portico_token.assertions.verification import Expected
from portico_token.client_auth.credentials import ClientAssertion, Credentials
from portico_token.client_auth.protocol import Method, Ready
from portico_token.domain.clients import Registration

WRONG_CLAIMS = ErrorCode(
    "TOKEN-101",
    Kind.INVALID_CLIENT,
    "A claim of the client assertion is missing or invalid.",
    "Set iss and sub to the client id, and set aud, exp and iat. Times are whole seconds; jti is a string.",
)
WRONG_AUDIENCE = ErrorCode(
    "TOKEN-102",
    Kind.INVALID_CLIENT,
    "The audience of the client assertion is not this provider.",
    "Set aud to the issuer or the URL of the endpoint called. In an array of at most four, "
    "every member must be one of the two. An application with clientAssertionAudience ISSUER "
    "needs the issuer as one string.",
)
WRONG_TIMES = ErrorCode(
    "TOKEN-103",
    Kind.INVALID_CLIENT,
    "The client assertion is expired or not yet valid.",
    "Sign a new assertion for each request, with a lifetime of at most one hour, and check the clock.",
)
REPLAYED_ASSERTION = ErrorCode(
    "TOKEN-104",
    Kind.INVALID_CLIENT,
    "The client assertion was already used.",
    "Sign a new assertion with its own jti for each request.",
)
NO_JTI = ErrorCode(
    "TOKEN-136",
    Kind.INVALID_CLIENT,
    "The client assertion has no jti, and this application requires one.",
    "Add a unique jti to each assertion, or set clientAssertionJti of the application to optional.",
)

_ERROR_CODES: Final = {
    AssertionFault.CLAIMS: WRONG_CLAIMS,
    AssertionFault.AUDIENCE: WRONG_AUDIENCE,
    AssertionFault.VALIDITY_PERIOD: WRONG_TIMES,
    AssertionFault.USED: REPLAYED_ASSERTION,
    AssertionFault.JTI: NO_JTI,
}
"""Errors that the holder of the key may learn. An earlier error looks like an unknown client (P9)."""


def _accepted_for(issuer: str, endpoint: str) -> tuple[str, ...]:
    """A pushed request may also name the token endpoint (RFC 9126 section 2)."""
    return (issuer + TOKEN,) if endpoint == issuer + PUSHED_REQUESTS else ()


class PrivateKeyJwt(Method):
    method: ClassVar[AuthMethod] = AuthMethod.PRIVATE_KEY_JWT
    credentials: ClassVar[type[Credentials]] = ClientAssertion

    async def verify(self, presented: Credentials, client: Client, endpoint: str, ready: Ready) -> bool:
        """Raises TOKEN-101 to TOKEN-104, TOKEN-136, and what `ready` raises."""
        if not isinstance(presented, ClientAssertion):
            return False
        issuer = self._dependencies.issuer
        audiences = (issuer,) if client.issuer_audience_only else (issuer, endpoint, *_accepted_for(issuer, endpoint))
        expected = Expected(
            client.client_id,
            client.keys,
            audiences,
            client.clock_skew_seconds,
            one_audience=client.issuer_audience_only,
            jti_required=client.assertion_jti_required,
            repeats=True,
        )
        try:
            await self._dependencies.assertions.accept(presented.assertion, expected, partial(ready, client))
        except InvalidAssertion as invalid:
            if invalid.fault not in _ERROR_CODES:
                return False
            error_code = _ERROR_CODES[invalid.fault]
            raise error_code.error(
                client=client.client_id, reason=invalid.reason, compared=invalid.compared
            ) from invalid
        return True

    def compare(self, presented: Credentials, known: Registration) -> Compared:
        if not isinstance(presented, ClientAssertion):
            return super().compare(presented, known)
        return self._dependencies.assertions.compare_keys(presented.assertion, known.client.keys)
