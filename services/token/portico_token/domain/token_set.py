"""The response of the token endpoint (RFC 6749 §5.1, OIDC Core §3.1.3.3)."""

from __future__ import annotations

from typing import Final

import msgspec

BEARER: Final = "Bearer"


class TokenSet(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Exactly the members of the specification's table; a missing member is absent, never null (TK-20)."""

    access_token: str
    token_type: str
    expires_in: int
    scope: str
    id_token: str | None = None
    refresh_token: str | None = None

    def __repr__(self) -> str:
        """Names the kind only."""
        return "TokenSet(...)"
