"""Why an assertion is not accepted (RFC 7523 §3)."""

from __future__ import annotations

from enum import Enum

from portico_oauth.errors import Compared

from portico_token.domain.clients import CLIENT_AUTHENTICATION


class AssertionFault(Enum):
    """The reasons a caller may learn; until the signature is verified there is only one of them (P9)."""

    UNVERIFIED = "unproven"
    """No such key, another algorithm, a signature that does not fit, or no JWT of this type at all."""
    CLAIMS = "claims"
    """A required claim is missing, has the wrong type, or names another subject."""
    AUDIENCE = "audience"
    VALIDITY_PERIOD = "times"
    USED = "used"
    JTI = "jti"
    """It has no `jti`, and its issuer is registered to send one."""


class InvalidAssertion(Exception):
    """An assertion is not accepted.

    Args:
        reason: what exactly is wrong, for the log only.
        given, wanted, hint: for diagnostics, see `Compared`.
    """

    def __init__(
        self, fault: AssertionFault, reason: str, given: str = "", wanted: tuple[str, ...] = (), hint: str = ""
    ) -> None:
        super().__init__(reason)
        self.fault = fault
        self.reason = reason
        self.compared = Compared(CLIENT_AUTHENTICATION, given, wanted, hint)
