"""Token ids contain the grant id: ``<grant id>.<256 random bits>``.

This is the whole text of an opaque access token and of a refresh token, and the `jti` of a JWT. JWTs of
service users have no grant: their `jti` is ``<bucket><256 random bits>.<origin><milliseconds>``, with the
milliseconds that `iat` lacks.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from portico_oauth.opaque import RandomBytes, b64url, bucket_of, fingerprint, new_opaque

from portico_token.domain.origin import Origin

_TOKEN_ID: Final = re.compile(r"([0-9a-f]{2}[A-Za-z0-9_-]{22,43})\.[A-Za-z0-9_-]{43}\Z")
_STATELESS_ID: Final = re.compile(r"([0-9a-f]{2})[A-Za-z0-9_-]{43}\.([pc])([0-9]{3})\Z")


class StatelessId(NamedTuple):
    """The user's bucket stores its revocation; `milliseconds` are those after the seconds of `iat`."""

    bucket: str
    origin: Origin
    milliseconds: int


def new_token_id(grant_id: str, random: RandomBytes) -> str:
    return f"{grant_id}.{b64url(random(32))}"


def grant_id_in(token_id: str) -> str | None:
    found = _TOKEN_ID.match(token_id)
    return found.group(1) if found else None


def jwt_fingerprint(token_id: str) -> str:
    """Of the `jti`, which is not secret and must never be accepted as an opaque token."""
    return fingerprint(f"jwt {token_id}")


def new_stateless_id(user_id: str, origin: Origin, now: float, random: RandomBytes) -> str:
    """Generates an unguessable id of a JWT without a grant, issued at this unix time."""
    return f"{new_opaque(bucket_of(user_id), random)}.{origin}{int(now * 1000) % 1000:03d}"


def stateless_id_in(token_id: str) -> StatelessId | None:
    found = _STATELESS_ID.match(token_id)
    return StatelessId(found.group(1), Origin(found.group(2)), int(found.group(3))) if found else None
