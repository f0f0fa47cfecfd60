"""How a token came to be: by a person's sign-in, or by a service user in one of two ways."""

from __future__ import annotations

from enum import StrEnum


class Origin(StrEnum):
    """Kept in grants, and carried as one letter by the `jti` of stateless tokens."""

    SIGN_IN = "s"
    """A person signed in; the token is a grant's, and ends with its session."""
    JWT_PROFILE = "p"
    """A service user showed an assertion: it acts as a user, userinfo answers (RFC 7523 §2.1)."""
    CLIENT_CREDENTIALS = "c"
    """A service user authenticated as a client: nobody signed in, userinfo refuses (RFC 6749 §4.4, IR-09)."""
