from __future__ import annotations

from enum import Enum
from typing import NamedTuple, Protocol

import msgspec

from portico_token.domain.grants import Grant
from portico_token.domain.origin import Origin


class StatelessToken(msgspec.Struct, frozen=True, kw_only=True):
    """A service user's JWT without a grant; `issued` is unix milliseconds, `expires` is unix seconds, `jkt` as in `AccessToken`."""

    id: str
    origin: Origin
    user_id: str
    client_id: str
    audience: tuple[str, ...]
    scope: tuple[str, ...]
    issued: int
    expires: int
    jkt: str = ""


class IssuedKind(Enum):
    ACCESS_TOKEN = "access_token"
    REFRESH_TOKEN = "refresh_token"


class Issued(NamedTuple):
    """`client_id` is that of the token, which differs from the grant's after a token exchange."""

    grant: Grant
    kind: IssuedKind
    client_id: str


class RevocationStore(Protocol):
    """Methods are atomic unless documented otherwise; writes return once they are durable (IR-05)."""

    async def find_issued(self, grant_id: str, fingerprint: str) -> Issued | None:
        """Returns the token of a live grant with this fingerprint: an access token, or a refresh token, used or not."""
        ...

    async def revoke_access_token(self, grant_id: str, fingerprint: str) -> None:
        """Revokes only this access token."""
        ...

    async def revoke_user(self, user_id: str, seconds: int) -> int:
        """First stores the time before which tokens are rejected, then revokes in steps; returns how many were live.

        `seconds` is how long earlier stateless tokens are rejected: at least their lifetime.
        """
        ...

    async def deny(self, token: StatelessToken) -> None: ...

    async def version_if_active(self, token: StatelessToken) -> str | None:
        """Returns the version of the token's user, empty without one; None if the token is not active.

        Active: neither the token nor its user was revoked, and no record that would decide it was lost.
        """
        ...
