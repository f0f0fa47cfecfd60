"""Redis keys. All about one user share the user's bucket as hash tag, so that one script may use them together.

A value chosen by a caller is part of a key only as a fingerprint.
"""

from __future__ import annotations

from functools import lru_cache

from portico_oauth.opaque import bucket_of, fingerprint

RECORD = "g"
"""Field of a grant: its record; the grant is live as long as the field exists."""

REFRESH = "rt"
"""Field of a grant: its refresh token."""

PERSON = "u"
"""Field of a grant: the version field of its user (`portico_runtime.versioned_cache.keys`)."""

BUCKETS = tuple(f"{number:02x}" for number in range(256))


def grants_of_bucket(bucket: str) -> str:
    return f"{_bucket(bucket)}grant:"


def grant(grant_id: str) -> str:
    """Hash: the record of a grant, and one field per access token."""
    return grants_of_bucket(grant_id[:2]) + grant_id


def access_token(fingerprint_of_token: str) -> str:
    """Field of a grant: one access token."""
    return f"at:{fingerprint_of_token}"


def spent_refresh_token(fingerprint_of_token: str) -> str:
    """Field of a grant: a used refresh token."""
    return f"rs:{fingerprint_of_token}"


def user_grants(user_id: str) -> str:
    """Sorted set: ids of a user's grants by expiry."""
    bucket, name = _user(user_id)
    return f"{bucket}user:{name}"


def session_grants(user_id: str, session_id: str) -> str:
    """Sorted set: ids of a session's grants by expiry."""
    return f"{_user(user_id)[0]}session:{fingerprint(session_id)}"


def session_ended(user_id: str, session_id: str) -> str:
    """The session has ended; no grant may be saved for it."""
    return f"{_user(user_id)[0]}over:{fingerprint(session_id)}"


def user_revoked_since(user_id: str) -> str:
    """Unix milliseconds up to which every grant and token of this user is revoked."""
    bucket, name = _user(user_id)
    return f"{bucket}revoked_since:{name}"


def client_ended(user_id: str, client_id: str) -> str:
    """Unix milliseconds up to which every grant of this user to this client is revoked."""
    return f"{_user(user_id)[0]}client_ended:{fingerprint(f'{user_id} {client_id}')}"


def denied(user_id: str, token_id: str) -> str:
    """A stateless token was revoked."""
    return f"{_user(user_id)[0]}denied:{fingerprint(token_id)}"


def epoch(bucket: str) -> str:
    """Unix seconds: no stateless token issued before is accepted. Without an expiry, like `clock`."""
    return f"{_bucket(bucket)}epoch"


def clock() -> str:
    """Hash: the highest time of Redis's clock, and the time after its last step back."""
    return f"{_bucket('clock')}seen"


def assertion(issuer: str, fingerprint_of_assertion: str) -> str:
    """An assertion of this issuer was used."""
    return f"{_bucket(bucket_of(issuer))}assertion:{fingerprint_of_assertion}"


@lru_cache(maxsize=10_000)
def _user(user_id: str) -> tuple[str, str]:
    return _bucket(bucket_of(user_id)), fingerprint(user_id)


def _bucket(bucket: str) -> str:
    return f"token:{{{bucket}}}:"
