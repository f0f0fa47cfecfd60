"""What kind of access token a text is."""

from __future__ import annotations

from typing import Final

import jwt

OPAQUE: Final = "opaque"


def kind_of(token: str) -> str:
    """``opaque``, or the algorithm a JWT is signed with."""
    if token.count(".") != 2:
        return OPAQUE
    try:
        return str(jwt.get_unverified_header(token).get("alg", OPAQUE))
    except jwt.InvalidTokenError:
        return OPAQUE
