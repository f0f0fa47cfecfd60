"""Grants of a user to a client, and the tokens issued from them.

A token is active only while its grant is live: one record has both, so that one read decides, and losing it
makes tokens inactive. Only JWTs of service users have no record (`revocations.StatelessToken`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, Protocol

import msgspec
from portico_contracts.users import PlacedClaims
from portico_oauth.clock_leeway import is_issued_ahead
from portico_oauth.opaque import equal_in_constant_time

from portico_token.domain.origin import Origin


class HookClaims(msgspec.Struct, frozen=True, array_like=True):
    """What a token hook gave for a grant; not shown where the application has another hook since."""

    hook_id: str
    claims: PlacedClaims


class AssertedBy(msgspec.Struct, frozen=True, array_like=True):
    """The identity that a trusted issuer asserted: the user's link to it must last as long as the grant."""

    provider_id: str
    issuer: str
    subject: str


class Grant(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A grant of a user to a client.

    Attributes:
        id: prefixed with the user's bucket, which all Redis keys about this user share.
        client_id: for a service user its own user id.
        audience: `aud` of its access tokens; an id_token has only the client.
        session_id: the session that it ends with; empty for a service user.
        auth_time: for a service user the time of the grant; amr and acr are empty then.
        dropped_scope: words requested at sign-in and not granted; they may be repeated at a refresh.
        created: unix seconds with fraction: grants from before the revocation of a user are rejected.
        auth_time_proven: false where an identity provider did not state when the user authenticated.
        resources: those named at sign-in (RFC 8707), as registered; a later request may only name fewer.
        actor: id of the user who acts for this one (RFC 8693 section 4.1); empty for the user.
        session_began: as in `CodeGrant`.
        client_org_id: organization of a client by metadata document, which others may accept too; empty for others.
        jkt: thumbprint of the key that its refresh tokens are bound to (RFC 9449 section 5); empty for none.
        hook: None where no token hook was called, or it failed.
        asserted: of an identity assertion (decision 0157); None for every other grant.
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
    resources: tuple[str, ...] = ()
    actor: str = ""
    session_began: int = 0
    client_org_id: str = ""
    jkt: str = ""
    hook: HookClaims | None = None
    asserted: AssertedBy | None = None


class AccessToken(msgspec.Struct, frozen=True, array_like=True):
    """The stored part of an access token; its id (`token_text`) is stored as a fingerprint only.

    Attributes:
        issued: unix seconds minus the clock skew of the client: the value of `iat` and `nbf`.
        expires: unix seconds; checked on every read (IR-04).
        audience: empty for that of the grant; after a refresh it may differ.
        client_id: of a token exchange, the client it was issued to; empty for that of the grant.
        jkt: thumbprint of the key that it is bound to (RFC 9449 section 6); empty for a bearer token.
    """

    issued: int
    expires: int
    scope: tuple[str, ...]
    audience: tuple[str, ...] = ()
    client_id: str = ""
    jkt: str = ""


class RefreshToken(msgspec.Struct, frozen=True, kw_only=True):
    """The current refresh token of a grant; times are in unix seconds.

    Attributes:
        idle_until: idle expiry; never after `ends`.
        ends: the expiry of all refresh tokens of this grant.
        previous: fingerprint of the predecessor, empty for the first; usable within the client's grace period.
        rotated_at: the predecessor's first use.
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
    """The current refresh token or, within the grace period, its predecessor.

    Not while the clock is before the issue of the current one (`portico_oauth.clock_leeway`).
    """
    is_retry = equal_in_constant_time(fingerprint, current.previous) and now - current.rotated_at < grace
    in_time = now < current.idle_until and not is_issued_ahead(current.issued, now)
    return (equal_in_constant_time(fingerprint, current.fingerprint) or is_retry) and in_time


class FoundAccessToken(NamedTuple):
    """`version` is the user's, read in the same step; empty without one, None in grants of an older release."""

    grant: Grant
    token: AccessToken
    version: str | None


class UserGrant(NamedTuple):
    grant: Grant
    refresh: RefreshToken | None


class FoundRefreshToken(NamedTuple):
    """`refresh` is the current token, whose fingerprint must be compared; `version` as in `FoundAccessToken`."""

    grant: Grant
    refresh: RefreshToken
    spent: bool
    version: str | None


@dataclass(frozen=True, slots=True)
class Rotation:
    """One use of a refresh token.

    `presented` and `access_fingerprint` are fingerprints; `grace` is seconds for which the predecessor may be
    used again; the store sets `previous` and `rotated_at` of `refresh`. `with_grant`: the record of the grant changes, too.
    """

    presented: str
    grace: int
    refresh: RefreshToken
    access_fingerprint: str
    access: AccessToken
    with_grant: bool = False


class SaveResult(Enum):
    SAVED = 1
    ALREADY_REVOKED = 0
    """Its code was replayed; every token issued from it is inactive from the start."""
    SESSION_ENDED = -1
    USER_REVOKED = -2
    """All grants of the user until now were revoked meanwhile."""
    CLIENT_ENDED = -3
    """All grants of the user to the client until now were revoked meanwhile."""


class Exchange(NamedTuple):
    """A token exchange: the fingerprint of the exchanged token, and when it began in unix seconds."""

    subject: str
    began: float


class AddResult(Enum):
    ADDED = 1
    ENDED = 0
    """The grant, the token that was exchanged, or the access of the client is no longer live."""
    TOO_MANY = -1


class RotationResult(Enum):
    ROTATED = 1
    REFUSED = 0
    """Unknown, expired, or its grant has ended."""
    REUSED = -1
    """It was used before: the live grant is revoked (TK-09)."""


class GrantStore(Protocol):
    """Stores live grants. Every method is one atomic step, and raises `unavailable` when it may not have run."""

    async def save(
        self, grant: Grant, fingerprint: str, token: AccessToken, refresh: RefreshToken | None = None
    ) -> SaveResult:
        """Stores a new grant with its first tokens, unless it was revoked or its session ended before."""
        ...

    async def find(self, grant_id: str, fingerprint: str) -> FoundAccessToken | None:
        """Returns the live grant and its access token with this fingerprint; the caller checks the expiry."""
        ...

    async def find_refresh(self, grant_id: str, fingerprint: str) -> FoundRefreshToken | None:
        """Returns a live grant with a refresh token, and whether this fingerprint is of a used one."""
        ...

    async def rotate(self, grant: Grant, rotation: Rotation) -> RotationResult:
        """Uses a refresh token: at most one caller gets ROTATED; a used one revokes the grant."""
        ...

    async def add(
        self, grant_id: str, exchange: Exchange, fingerprint: str, token: AccessToken, most: int
    ) -> AddResult:
        """Adds a token to a live grant that still has the exchanged token, unless access of the client has ended since.

        At most `most` added tokens of a grant are live; the caller checks the expiry of the subject.
        """
        ...

    async def access_ended(self, user_id: str, client_id: str) -> float:
        """Unix seconds up to which every grant of a user to a client was revoked in the last hour; 0 for none."""
        ...

    async def revoke(self, grant_id: str) -> bool:
        """Revokes a grant, even if it is saved later; True for the first time."""
        ...

    async def list_of_user(self, user_id: str) -> list[UserGrant]:
        """Returns the live grants of a user; if there are very many, those with the latest expiry."""
        ...

    async def revoke_client(self, user_id: str, client_id: str) -> int:
        """Revokes every grant of a user to a client, also those begun before and saved later, in steps.

        Tokens that it got by exchanges of others' tokens end, too. Returns how many grants were live.
        """
        ...

    async def revoke_session(self, user_id: str, session_id: str) -> int:
        """Revokes every grant of a session, including those saved later; returns how many were live."""
        ...
