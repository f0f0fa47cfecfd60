"""What was ended before its time: access tokens, users, and tokens that have no record of their own."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple, Protocol

import msgspec

from portico_token.domain.grants import Grant
from portico_token.domain.origin import Origin


class StatelessToken(msgspec.Struct, frozen=True, kw_only=True):
    """A JWT access token of a service user: its signed claims are all there is, but for what was revoked.

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
    """What a text that a grant knows is."""

    ACCESS_TOKEN = "access_token"
    REFRESH_TOKEN = "refresh_token"


class Issued(NamedTuple):
    """A token some grant gave."""

    grant: Grant
    kind: IssuedKind


class RevocationStore(Protocol):
    """Every method is one atomic step unless it says otherwise; what writes returns once it is durable (IR-05).

    All raise `unavailable` when it is not known whether they have run.
    """

    async def find_issued(self, grant_id: str, fingerprint: str) -> Issued | None:
        """What a live grant gave with this fingerprint: an access token, or a refresh token, used up or not."""
        ...

    async def revoke_access_token(self, grant_id: str, fingerprint: str) -> None:
        """Ends one access token and nothing else."""
        ...

    async def revoke_user(self, user_id: str, seconds: int) -> int:
        """Ends every grant of a user; answers how many lived. Done in steps, the refusal of everything older first.

        Args:
            seconds: how long stateless tokens issued until now are refused: at least as long as they may live.
        """
        ...

    async def deny(self, token: StatelessToken) -> None:
        """Ends one stateless token."""
        ...

    async def is_active(self, token: StatelessToken) -> bool:
        """A stateless token was not denied, nor its user ended, nor anything lost that could have said so."""
        ...
