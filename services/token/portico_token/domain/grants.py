"""Grants of a user to a client, and the tokens issued from them.

A token is active only while its grant is live: the store has both in one record, so one read decides, and
losing the record makes tokens inactive, never the other way round. Only JWTs of service users exist without a
record (`revocations.StatelessToken`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, Protocol

import msgspec
from portico_oauth.clock_leeway import is_issued_ahead
from portico_oauth.opaque import equal_in_constant_time

from portico_token.domain.origin import Origin


class Grant(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A grant: its user, its client, its scope, and how the user had authenticated.

    Attributes:
        id: begins with the bucket of the user, which all Redis keys about this user share.
        client_id: for a service user its own user id.
        audience: `aud` of its access tokens; an id_token has the client alone.
        session_id: the session it belongs to and ends with; empty for a service user.
        auth_time: for a service user the time of the grant, and amr and acr are empty.
        userinfo_claims: known claims requested for userinfo by the parameter `claims`.
        id_token_claims: the same, for id_tokens.
        dropped_scope: words the client requested at sign-in and did not get; it may repeat them at a refresh.
        created: unix seconds, with their fraction: grants from before the revocation of a user are refused.
        origin: whether a human signed in for it, or which grant a service user used.
        auth_time_proven: false where another identity provider did not state when the user authenticated.
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
    created: float
    userinfo_claims: tuple[str, ...] = ()
    id_token_claims: tuple[str, ...] = ()
    dropped_scope: tuple[str, ...] = ()
    origin: Origin = Origin.SIGN_IN
    auth_time_proven: bool = True


class AccessToken(msgspec.Struct, frozen=True, array_like=True):
    """The stored part of an issued access token; its id (`token_text`) is stored as a fingerprint only.

    Attributes:
        issued: unix seconds, earlier by the clock skew of the client: the value of `iat` and `nbf` wherever it is returned.
        expires: unix seconds; checked on every read (IR-04).
        scope: may be narrower than the grant's.
        audience: empty for that of the grant; after a refresh it may be another.
    """

    issued: int
    expires: int
    scope: tuple[str, ...]
    audience: tuple[str, ...] = ()


class RefreshToken(msgspec.Struct, frozen=True, kw_only=True):
    """The current refresh token of a grant, and what is stored about those before it.

    Attributes:
        fingerprint: of its text.
        issued: unix seconds.
        idle_until: unix seconds from which it may not be used; never after `ends`.
        ends: unix seconds from which no refresh token of this grant may be used.
        previous: fingerprint of the one before, empty for the first; within the client's grace it may be used again.
        rotated_at: unix seconds at which the one before was used first.
        generation: how many there were, counted by the store.
        oldest: generation of the oldest access token that the store has not dropped yet.
    """

    fingerprint: str
    issued: int
    idle_until: int
    ends: int
    previous: str = ""
    rotated_at: int = 0
    generation: int = 1
    oldest: int = 1


def may_be_used(current: RefreshToken, fingerprint: str, now: int, grace: int) -> bool:
    """A refresh token with this fingerprint may be used: the current one, or within the grace the one before it.

    Not while the clock is before the issue of the current one (`portico_oauth.clock_leeway`).
    """
    is_retry = equal_in_constant_time(fingerprint, current.previous) and now - current.rotated_at < grace
    in_time = now < current.idle_until and not is_issued_ahead(current.issued, now)
    return (equal_in_constant_time(fingerprint, current.fingerprint) or is_retry) and in_time


class FoundAccessToken(NamedTuple):
    """A live grant and one of its access tokens.

    Attributes:
        version: of the facts about its user, read in the same step; empty where there is none, None where the grant was
            saved by a release that did not store it.
    """

    grant: Grant
    token: AccessToken
    version: str | None


class UserGrant(NamedTuple):
    """A live grant of a user.

    Attributes:
        refresh: its current refresh token; None for one that cannot be refreshed.
    """

    grant: Grant
    refresh: RefreshToken | None


class FoundRefreshToken(NamedTuple):
    """A grant that can be refreshed, and whether the presented refresh token is a spent one of it.

    Attributes:
        refresh: the current one; compare its fingerprint.
        spent: the presented one is an earlier one of this grant.
        version: see `FoundAccessToken`.
    """

    grant: Grant
    refresh: RefreshToken
    spent: bool
    version: str | None


@dataclass(frozen=True, slots=True)
class Rotation:
    """One use of a refresh token.

    Args:
        presented: fingerprint of the presented token.
        grace: seconds the one before the current one may be used again.
        refresh: the next one; the store fills in `previous` and `rotated_at`.
        access_fingerprint: of the new access token.
    """

    presented: str
    grace: int
    refresh: RefreshToken
    access_fingerprint: str
    access: AccessToken


class SaveResult(Enum):
    """The outcome of saving a new grant."""

    SAVED = 1
    ALREADY_REVOKED = 0
    """Its code was presented twice; every token issued from it is inactive from the start."""
    SESSION_ENDED = -1
    USER_REVOKED = -2
    """All grants of the user until now were revoked meanwhile."""


class RotationResult(Enum):
    """The outcome of one use of a refresh token."""

    ROTATED = 1
    REFUSED = 0
    """Unknown, expired, or its grant has ended."""
    REUSED = -1
    """It was spent before: the grant, which was live, is revoked (TK-09)."""


class GrantStore(Protocol):
    """Stores live grants. Every method is one atomic step, and raises `unavailable` when it is not known to have run."""

    async def save(
        self, grant: Grant, fingerprint: str, token: AccessToken, refresh: RefreshToken | None = None
    ) -> SaveResult:
        """Stores a new grant with its first access token, unless it was revoked or its session ended before.

        With a refresh token the grant is stored as long as that may be used.
        """
        ...

    async def find(self, grant_id: str, fingerprint: str) -> FoundAccessToken | None:
        """The live grant and its access token with this fingerprint; expiry is the caller's to check."""
        ...

    async def find_refresh(self, grant_id: str, fingerprint: str) -> FoundRefreshToken | None:
        """A live grant with a refresh token, and whether this fingerprint is of a spent one."""
        ...

    async def rotate(self, grant: Grant, rotation: Rotation) -> RotationResult:
        """Uses a refresh token: at most one caller gets ROTATED; a spent one revokes the grant."""
        ...

    async def revoke(self, grant_id: str) -> bool:
        """Revokes a grant, also one that is saved later; True for the first time."""
        ...

    async def list_of_user(self, user_id: str) -> list[UserGrant]:
        """The live grants of a user; of very many those that live longest."""
        ...

    async def revoke_client(self, user_id: str, client_id: str) -> int:
        """Revokes every grant of a user to a client, in steps; returns how many were live."""
        ...

    async def revoke_session(self, user_id: str, session_id: str) -> int:
        """Revokes every grant of a session, and those saved for it later; returns how many were live."""
        ...
