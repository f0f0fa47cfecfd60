"""What a request presents to authenticate its client: found, not yet verified."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class BasicSecret:
    """Id and secret from a basic authorization header (RFC 6749 §2.3.1).

    Args:
        secrets: the readings of the secret: form-decoded, and as it was sent where that is another.
    """

    client_id: str
    secrets: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class PostSecret:
    """Id and secret from the body.

    Args:
        secrets: the one secret.
    """

    client_id: str
    secrets: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class ClientAssertion:
    """A signed JWT (RFC 7523 §2.2); the id is its issuer, empty where it has none."""

    client_id: str
    assertion: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class IdOnly:
    """A client id in the body without any credential."""

    client_id: str


Credentials = BasicSecret | PostSecret | ClientAssertion | IdOnly
