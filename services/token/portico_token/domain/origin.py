"""How a token was obtained: by the sign-in of a human, or by one of the two grants of service users."""

from __future__ import annotations

from enum import StrEnum


class Origin(StrEnum):
    """Stored in grants, and one letter in the `jti` of stateless tokens."""

    SIGN_IN = "s"
    """A human signed in; the token belongs to a grant, and ends with its session."""
    JWT_PROFILE = "p"
    """A service user presented an assertion: it acts as a user, userinfo returns claims (RFC 7523 §2.1)."""
    CLIENT_CREDENTIALS = "c"
    """A service user authenticated as a client: there is no end user, userinfo refuses (RFC 6749 §4.4, IR-09)."""
