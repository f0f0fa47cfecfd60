"""How an access token names its grant: ``<grant id>.<256 random bits>``.

It is the whole text of an opaque token and the `jti` of a JWT.
"""

from __future__ import annotations

import re
from typing import Final

from portico_oauth.opaque import RandomBytes, b64url

_TOKEN_ID: Final = re.compile(r"([0-9a-f]{2}[A-Za-z0-9_-]{22,43})\.[A-Za-z0-9_-]{43}\Z")


def new_token_id(grant_id: str, random: RandomBytes) -> str:
    """A new, unguessable id of a token of this grant."""
    return f"{grant_id}.{b64url(random(32))}"


def grant_id_in(token_id: str) -> str | None:
    """The grant a token id begins with, or None when this cannot be one of ours."""
    found = _TOKEN_ID.match(token_id)
    return found.group(1) if found else None
