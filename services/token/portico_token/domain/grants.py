"""What somebody granted a client, and the tokens that live from it.

A token is active only while its grant lives: the store keeps both in one record, so one read decides, and
losing the record makes tokens inactive, never the other way round.
"""

from __future__ import annotations

from enum import Enum
from typing import Protocol

import msgspec


class Grant(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was granted, to whom, and how the person had signed in.

    Attributes:
        id: begins with the bucket of the user, where everything about this user lives.
        audience: `aud` of everything issued from it.
        session_id: the session it came from; when that ends the grant ends.
        userinfo_claims: known claims asked for at userinfo by the `claims` parameter.
        id_token_claims: the same, for id_tokens.
        created: unix seconds.
    """

    id: str
    user_id: str
    client_id: str
    audience: tuple[str, ...]
    scope: tuple[str, ...]
    session_id: str
    auth_time: int
    amr: tuple[str, ...]
    acr: str
    created: int
    userinfo_claims: tuple[str, ...] = ()
    id_token_claims: tuple[str, ...] = ()


class AccessToken(msgspec.Struct, frozen=True, array_like=True):
    """What is known of an issued access token; its text is known as a fingerprint only.

    Attributes:
        issued: unix seconds.
        expires: unix seconds; checked on every read (IR-04).
        scope: may be narrower than the grant's.
    """

    issued: int
    expires: int
    scope: tuple[str, ...]


class Kept(Enum):
    """What became of a new grant."""

    LIVE = 1
    REVOKED_BEFORE = 0
    """Its code was presented twice; whatever is issued from it is inactive from the start."""
    SESSION_OVER = -1


class GrantStore(Protocol):
    """Where grants live. Every method is one atomic step, and raises `unavailable` when it is not known to have run."""

    async def keep(self, grant: Grant, fingerprint: str, token: AccessToken) -> Kept:
        """Stores a new grant with its first access token, unless it was revoked or its session ended before."""
        ...

    async def find(self, grant_id: str, fingerprint: str) -> tuple[Grant, AccessToken] | None:
        """The live grant and its access token with this fingerprint; expiry is the caller's to check."""
        ...

    async def revoke(self, grant_id: str) -> bool:
        """Ends a grant, also one that is made later; True for the first time."""
        ...

    async def end_session(self, user_id: str, session_id: str) -> int:
        """Ends every grant of a session, and those made of it later; answers how many lived."""
        ...
