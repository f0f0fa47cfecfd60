"""Revocations: of access tokens, of users, and of tokens that have no record of their own."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple, Protocol

import msgspec

from portico_token.domain.grants import Grant
from portico_token.domain.origin import Origin


class StatelessToken(msgspec.Struct, frozen=True, kw_only=True):
    """A JWT access token of a service user: its signed claims and the revocations decide everything.

    Attributes:
        id: the `jti`.
        issued: unix milliseconds; `iat` is their whole seconds.
        expires: unix seconds.
    """

    id: str
    origin: Origin
    user_id: str
    client_id: str
    audience: tuple[str, ...]
    scope: tuple[str, ...]
    issued: int
    expires: int


class IssuedKind(Enum):
    """The kind of a token that a grant issued."""

    ACCESS_TOKEN = "access_token"
    REFRESH_TOKEN = "refresh_token"


class Issued(NamedTuple):
    """A token, and the grant it was issued from."""

    grant: Grant
    kind: IssuedKind


class RevocationStore(Protocol):
    """Every method is one atomic step unless its docstring differs; writes return once they are durable (IR-05).

    All raise `unavailable` when it is not known whether they have run.
    """

    async def find_issued(self, grant_id: str, fingerprint: str) -> Issued | None:
        """The token of a live grant with this fingerprint: an access token, or a refresh token, spent or not."""
        ...

    async def revoke_access_token(self, grant_id: str, fingerprint: str) -> None:
        """Revokes one access token and nothing else."""
        ...

    async def revoke_user(self, user_id: str, seconds: int) -> int:
        """Revokes every grant of a user; returns how many were live. Done in steps, the mark that refuses older tokens first.

        Args:
            seconds: how long stateless tokens issued until now are refused: at least their lifetime.
        """
        ...

    async def deny(self, token: StatelessToken) -> None:
        """Revokes one stateless token."""
        ...

    async def version_if_active(self, token: StatelessToken) -> str | None:
        """The version of the facts about its user, empty where there is none, or None: the token is not active.

        Active: neither the token nor its user was revoked, and no mark that would decide it was lost.
        """
        ...
