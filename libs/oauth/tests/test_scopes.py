"""Scopes."""

from __future__ import annotations

import pytest
from portico_oauth import scopes


def test_words_keep_their_order_and_lose_their_duplicates() -> None:
    """RFC 6749 §3.3: a set, in the order it was sent; surplus spaces are forgiven."""
    assert scopes.split("openid email openid profile") == ["openid", "email", "profile"]
    assert scopes.split(" openid  email ") == ["openid", "email"]
    assert scopes.split(" ") == []


@pytest.mark.parametrize("text", ["openid\temail", 'a"b', "a\\b", "é", "a\nb"])
def test_a_malformed_scope_is_no_scope(text: str) -> None:
    """Words of the RFC 6749 §3.3 characters are separated by spaces alone."""
    assert scopes.split(text) is None


def test_a_long_scope_is_refused_unread() -> None:
    """Four thousand characters are read, one more is not (TK-13)."""
    assert scopes.split("a" * scopes.MAX_LENGTH) is not None
    assert scopes.split("a" * (scopes.MAX_LENGTH + 1)) is None


@pytest.mark.parametrize(
    "word",
    ["openid", "profile", "email", "phone", "address", "offline_access", "urn:portico:user:metadata",
     "urn:portico:project:roles", "urn:portico:project:id:p1:aud", "urn:portico:org:id:o1", "urn:portico:idp:id:i1"],
)  # fmt: skip
def test_the_standard_and_reserved_scopes_are_known(word: str) -> None:
    """Every scope that decisions.md lists is a known one."""
    assert scopes.is_known(word)


@pytest.mark.parametrize(
    "word", ["Openid", "admin", "urn:portico:", "urn:portico:project:id::aud", "urn:portico:org:id:a:b", "openid\n"]
)
def test_other_scopes_are_unknown(word: str) -> None:
    """Scopes are case-sensitive, and a reserved prefix alone makes nothing known."""
    assert not scopes.is_known(word)


def test_ids_are_read_out_of_reserved_scopes() -> None:
    """The audience scope names a project, the organization scope an organization."""
    assert scopes.project_in("urn:portico:project:id:p1:aud") == "p1"
    assert scopes.organization_in("urn:portico:org:id:o1") == "o1"
    assert scopes.project_in("urn:portico:org:id:o1") is None
    assert scopes.organization_in("openid") is None


def test_profile_gives_the_fourteen_standard_claims() -> None:
    """OIDC Core §5.4 names fourteen; the conformance suite counts them."""
    assert len(scopes.CLAIMS_OF_SCOPE["profile"]) == 14


def test_words_that_begin_like_reserved_ones_are_picked_out() -> None:
    """In their order, known or not; nothing else can name a project or an organization."""
    scope = ("openid", "urn:portico:org:id:o1", "email", "urn:portico:nonsense", "urn:other")

    assert scopes.reserved_in(scope) == ("urn:portico:org:id:o1", "urn:portico:nonsense")
    assert scopes.reserved_in(("openid", "Urn:portico:org:id:o1")) == ()
