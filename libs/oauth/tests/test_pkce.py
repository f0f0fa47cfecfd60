from __future__ import annotations

import pytest
from portico_oauth import pkce

# RFC 7636 appendix B.
VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


def test_rfc_example_verifies() -> None:
    """The challenge of RFC 7636 appendix B matches its verifier."""
    assert pkce.challenge_of(VERIFIER) == CHALLENGE
    assert pkce.is_challenge(CHALLENGE)
    assert pkce.is_verifier(VERIFIER)


@pytest.mark.parametrize(
    "text", ["", "a" * 42, "a" * 44, CHALLENGE + "=", CHALLENGE[:-1] + "+", CHALLENGE + "\n", "é" * 43]
)
def test_invalid_challenges(text: str) -> None:
    """A challenge is exactly 43 base64url characters (TK-06)."""
    assert not pkce.is_challenge(text)


@pytest.mark.parametrize("text", ["", "a" * 42, "a" * 129, "a" * 42 + "+", "a" * 42 + "=", "a" * 43 + "\n", "é" * 43])
def test_invalid_verifiers(text: str) -> None:
    """A verifier is 43 to 128 unreserved characters (TK-06)."""
    assert not pkce.is_verifier(text)


@pytest.mark.parametrize("length", [43, 128])
def test_verifier_length_limits(length: int) -> None:
    assert pkce.is_verifier("~" * length)


def test_only_s256_is_supported() -> None:
    """The plain method is not offered, so a downgrade is impossible (RFC 9700 §2.1.1)."""
    assert pkce.METHODS == ("S256",)
