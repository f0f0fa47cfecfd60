"""Every key name of this service, once.

All keys about one user carry the user's bucket as hash tag, so one script may use them together on a
cluster too. What a caller chose goes in as a fingerprint only.
"""

from __future__ import annotations

from portico_oauth.opaque import bucket_of, fingerprint

RECORD = "g"
"""Field of a grant that holds its record; the grant lives as long as the field is there."""


def grants_of_bucket(bucket: str) -> str:
    """What the keys of all grants of a bucket begin with; the grant's id follows."""
    return f"{_bucket(bucket)}grant:"


def grant(grant_id: str) -> str:
    """Hash: the record of a grant, and one field per access token."""
    return grants_of_bucket(grant_id[:2]) + grant_id


def access_token(fingerprint_of_token: str) -> str:
    """Field of a grant: one access token."""
    return f"at:{fingerprint_of_token}"


def user_grants(user_id: str) -> str:
    """Sorted set: ids of a user's grants by expiry."""
    return f"{_bucket(bucket_of(user_id))}user:{fingerprint(user_id)}"


def session_grants(user_id: str, session_id: str) -> str:
    """Sorted set: ids of a session's grants by expiry."""
    return f"{_bucket(bucket_of(user_id))}session:{fingerprint(session_id)}"


def session_over(user_id: str, session_id: str) -> str:
    """Mark: the session ended; nothing more may be made of it."""
    return f"{_bucket(bucket_of(user_id))}over:{fingerprint(session_id)}"


def _bucket(bucket: str) -> str:
    return f"token:{{{bucket}}}:"
