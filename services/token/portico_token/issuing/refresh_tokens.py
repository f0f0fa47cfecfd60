"""Refresh tokens: opaque text that begins with its grant's id, one at a time per grant (RFC 9700 §4.14)."""

from __future__ import annotations

from typing import NamedTuple

from portico_oauth.opaque import RandomBytes, fingerprint

from portico_token.domain.grants import RefreshToken
from portico_token.domain.token_text import new_token_id
from portico_token.grants.protocol import Grantable


class NewRefreshToken(NamedTuple):
    """The text for the client, and what the store keeps of it."""

    text: str
    kept: RefreshToken

    def __repr__(self) -> str:
        """Names the kind only."""
        return "NewRefreshToken(...)"


class RefreshTokens:
    """Makes refresh tokens."""

    def __init__(self, random: RandomBytes, idle_seconds: int, seconds: int) -> None:
        self._random = random
        self._idle_seconds = idle_seconds
        self._seconds = seconds

    def new(self, granted: Grantable, now: int) -> NewRefreshToken:
        """The first one of a grant, or the next; idleness begins anew with each, the end stays where it was."""
        text = new_token_id(granted.grant.id, self._random)
        ends = granted.used.current.ends if granted.used else now + self._seconds
        idle_until = min(now + self._idle_seconds, ends)
        return NewRefreshToken(
            text, RefreshToken(fingerprint=fingerprint(text), issued=now, idle_until=idle_until, ends=ends)
        )
