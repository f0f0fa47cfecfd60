"""PKCE (RFC 7636)."""

from __future__ import annotations

import pytest
from portico_oauth import pkce

# RFC 7636 appendix B.
VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


def test_the_example_of_the_rfc() -> None:
    """The challenge of RFC 7636 appendix B belongs to its verifier."""
    assert pkce.challenge_of(VERIFIER) == CHALLENGE
    assert pkce.is_challenge(CHALLENGE)
    assert pkce.is_verifier(VERIFIER)


@pytest.mark.parametrize(
    "text", ["", "a" * 42, "a" * 44, CHALLENGE + "=", CHALLENGE[:-1] + "+", CHALLENGE + "\n", "é" * 43]
)
def test_what_is_no_challenge(text: str) -> None:
    """A challenge is exactly 43 base64url characters (TK-06)."""
    assert not pkce.is_challenge(text)


@pytest.mark.parametrize("text", ["", "a" * 42, "a" * 129, "a" * 42 + "+", "a" * 42 + "=", "a" * 43 + "\n", "é" * 43])
def test_what_is_no_verifier(text: str) -> None:
    """A verifier is 43 to 128 unreserved characters (TK-06)."""
    assert not pkce.is_verifier(text)


@pytest.mark.parametrize("length", [43, 128])
def test_the_limits_of_a_verifier(length: int) -> None:
    """Both ends of the allowed length are inside."""
    assert pkce.is_verifier("~" * length)


def test_only_s256_is_offered() -> None:
    """There is no downgrade to plain (RFC 9700 §2.1.1)."""
    assert pkce.METHODS == ("S256",)
