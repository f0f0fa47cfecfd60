"""A logout token must pass every check of Back-Channel Logout 1.0 §2.6."""

from __future__ import annotations

from typing import Any, Final

import jwt
import pytest
from joserfc.jwk import KeySet, KeySetSerialization
from portico_demo_rp.logout_token import EVENT, Logout, LogoutTokenRefused, LogoutTokens
from portico_fakes.clock import FrozenClock
from portico_harness.key_pairs import KeyPair, key_pair

ISSUER: Final = "https://op.example.test"
SIGNER: Final = key_pair("op-key")


@pytest.fixture
def tokens(clock: FrozenClock) -> LogoutTokens:
    return LogoutTokens("demo", clock)


def _keys() -> KeySetSerialization:
    return KeySet([SIGNER.private]).as_dict(private=False)


def _signed(clock: FrozenClock, *, by: KeyPair = SIGNER, **changes: Any) -> str:
    now = int(clock.now())
    good = {"iss": ISSUER, "aud": "demo", "iat": now, "exp": now + 120, "events": {EVENT: {}}, "sub": "u", "sid": "s"}
    return by.assertion("", "", **{**good, **changes})


def test_valid_token_names_ended_session(clock: FrozenClock, tokens: LogoutTokens) -> None:
    """A valid logout token names the subject, the session or both."""
    assert tokens.read(_signed(clock), ISSUER, _keys()) == Logout("u", "s")
    assert tokens.read(_signed(clock, sub=...), ISSUER, _keys()) == Logout("", "s")
    assert tokens.read(_signed(clock, sid=...), ISSUER, _keys()) == Logout("u", "")


@pytest.mark.parametrize(
    "changes",
    [
        {"iss": "https://other.example.test"}, {"aud": "other"}, {"aud": ...}, {"iat": ...}, {"exp": ...},
        {"exp": 1}, {"iat": 1}, {"jti": ...}, {"events": ...}, {"events": {}}, {"events": [EVENT]},
        {"events": {EVENT: "x"}}, {"nonce": "n"}, {"sub": ..., "sid": ...}, {"by": key_pair("op-key-of-nobody")},
    ],
)  # fmt: skip
def test_invalid_logout_token_is_refused(clock: FrozenClock, tokens: LogoutTokens, changes: dict[str, Any]) -> None:
    """A logout token that fails any single check of Back-Channel Logout is refused."""
    with pytest.raises(LogoutTokenRefused):
        tokens.read(_signed(clock, **changes), ISSUER, _keys())


def test_unsigned_token_is_refused(clock: FrozenClock, tokens: LogoutTokens) -> None:
    claims = jwt.decode(_signed(clock), options={"verify_signature": False})

    for text in (jwt.encode(claims, "", algorithm="none"), "nonsense", ""):
        with pytest.raises(LogoutTokenRefused):
            tokens.read(text, ISSUER, _keys())


def test_replayed_logout_token_is_refused(clock: FrozenClock, tokens: LogoutTokens) -> None:
    token = _signed(clock)
    tokens.read(token, ISSUER, _keys())

    with pytest.raises(LogoutTokenRefused, match="before"):
        tokens.read(token, ISSUER, _keys())
