from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class BasicSecret:
    """RFC 6749 section 2.3.1; `secrets` are form-decoded, and unchanged where that differs."""

    client_id: str
    secrets: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class PostSecret:
    client_id: str
    secrets: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class ClientAssertion:
    """A signed JWT (RFC 7523 section 2.2); the id is its issuer, empty if absent."""

    client_id: str
    assertion: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class IdOnly:
    client_id: str


Credentials = BasicSecret | PostSecret | ClientAssertion | IdOnly
