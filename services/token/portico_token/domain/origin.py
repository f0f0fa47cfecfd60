from __future__ import annotations

from enum import StrEnum


class Origin(StrEnum):
    """Stored in grants, and one letter of the `jti` of stateless tokens."""

    SIGN_IN = "s"
    """An end user signed in; the token belongs to a grant and ends with its session."""
    JWT_PROFILE = "p"
    """A service user presented an assertion: it acts as a user, and userinfo returns claims (RFC 7523 section 2.1)."""
    CLIENT_CREDENTIALS = "c"
    """A service user authenticated as a client: there is no end user, and userinfo rejects the token (RFC 6749
    section 4.4, IR-09).
    """
    ASSERTION = "a"
    """A trusted issuer asserted who the user is; the token belongs to a grant without a session, for one API only."""
