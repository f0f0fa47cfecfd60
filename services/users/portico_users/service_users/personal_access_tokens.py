"""Personal access tokens: long-lived, opaque, and only for Portico's API; only their hashes are stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec
from portico_oauth.errors import ErrorCode, Kind
from portico_oauth.opaque import RandomBytes, b64url, equal_in_constant_time, fingerprint

from portico_users.values.problems import Problem, Problems

PREFIX: Final = "portico_pat_"
"""Distinguishes them from access tokens, and lets secret scanners find them."""

MAX_TOKENS: Final = 100
"""Limit per service user, because tokens are stored with it."""

_BYTES: Final = 32

TOKEN_NOT_FOUND = ErrorCode("USER-710", Kind.NOT_FOUND, "Token not found.", "Check the id of the token.")
TOO_MANY_TOKENS = ErrorCode(
    "USER-711", Kind.INVALID_REQUEST, "Too many personal access tokens.", "Keep at most 100 tokens per service user."
)


class PersonalToken(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A token's fingerprint; times in unix seconds, ``created`` 0 if unknown, ``expires_at`` 0 for never."""

    id: str
    hash: str
    created: float = 0.0
    expires_at: float = 0.0


class NewToken(NamedTuple):
    kept: PersonalToken
    text: str

    def __repr__(self) -> str:
        return f"NewToken({self.kept.id!r})"


def new_token(id: str, random: RandomBytes, *, created: float, expires_at: float) -> NewToken:
    """Generates a token of 256 random bits."""
    text = PREFIX + b64url(random(_BYTES))
    return NewToken(PersonalToken(id=id, hash=fingerprint(text), created=created, expires_at=expires_at), text)


def is_good(tokens: Sequence[PersonalToken], hash: str, now: float) -> bool:
    return any(
        equal_in_constant_time(token.hash, hash) and (token.expires_at == 0 or now < token.expires_at)
        for token in tokens
    )


def load_token(tokens: Sequence[PersonalToken], id: str) -> PersonalToken:
    for token in tokens:
        if token.id == id:
            return token
    raise TOKEN_NOT_FOUND.error()


def without_token(tokens: Sequence[PersonalToken], id: str) -> tuple[PersonalToken, ...]:
    load_token(tokens, id)
    return tuple(token for token in tokens if token.id != id)


def problems_of(tokens: Sequence[PersonalToken]) -> Problems:
    if len(tokens) > MAX_TOKENS:
        yield Problem("pats", TOO_MANY_TOKENS)
