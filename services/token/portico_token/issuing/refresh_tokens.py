"""Refresh tokens: opaque text prefixed with the grant's id, one at a time per grant (RFC 9700 section 4.14)."""

from __future__ import annotations

from typing import NamedTuple

from portico_oauth.opaque import RandomBytes, fingerprint

from portico_token.domain.grants import RefreshToken
from portico_token.domain.lifetimes import Lifetimes
from portico_token.domain.token_text import new_token_id
from portico_token.grants.results import GrantResult, NewGrant, RefreshedGrant


class NewRefreshToken(NamedTuple):
    text: str
    record: RefreshToken

    def __repr__(self) -> str:
        """Omits the fields, which are secret."""
        return "NewRefreshToken(...)"


class RefreshTokens:
    def __init__(self, random: RandomBytes, longest: Lifetimes) -> None:
        self._random = random
        self._longest = longest

    def new(self, granted: GrantResult, now: int) -> NewRefreshToken | None:
        """None where the grant has none."""
        lives = self._longest.of(granted.client)
        match granted:
            case RefreshedGrant():
                ends = granted.current.ends
            case NewGrant(refreshable=True):
                ends = now + lives.refresh
            case _:
                return None
        text = new_token_id(granted.grant.id, self._random)
        idle_until = min(now + lives.refresh_idle, ends)
        return NewRefreshToken(
            text, RefreshToken(fingerprint=fingerprint(text), issued=now, idle_until=idle_until, ends=ends)
        )
