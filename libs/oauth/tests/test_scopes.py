from __future__ import annotations

import pytest
from portico_oauth import scopes


def test_scopes_keep_order_and_lose_duplicates() -> None:
    """A scope is a set in the order sent, and surplus spaces are ignored (RFC 6749 §3.3)."""
    assert scopes.split("openid email openid profile") == ["openid", "email", "profile"]
    assert scopes.split(" openid  email ") == ["openid", "email"]
    assert scopes.split(" ") == []


@pytest.mark.parametrize("text", ["openid\temail", 'a"b', "a\\b", "é", "a\nb"])
def test_malformed_scope_is_refused(text: str) -> None:
    """Scope tokens consist of the characters of RFC 6749 §3.3 and are separated by spaces alone."""
    assert scopes.split(text) is None


def test_long_scope_is_refused_unread() -> None:
    """A scope of more than 4000 characters is refused without parsing (TK-13)."""
    assert scopes.split("a" * scopes.MAX_LENGTH) is not None
    assert scopes.split("a" * (scopes.MAX_LENGTH + 1)) is None


@pytest.mark.parametrize(
    "word",
    ["openid", "profile", "email", "phone", "address", "offline_access", "urn:portico:user:metadata",
     "urn:portico:project:roles", "urn:portico:project:id:p1:aud", "urn:portico:org:id:o1", "urn:portico:idp:id:i1"],
)  # fmt: skip
def test_the_standard_and_reserved_scopes_are_known(word: str) -> None:
    """Discovery may advertise each of these."""
    assert scopes.is_known(word)


@pytest.mark.parametrize(
    "word", ["Openid", "admin", "urn:portico:", "urn:portico:project:id::aud", "urn:portico:org:id:a:b", "openid\n"]
)
def test_other_scopes_are_unknown(word: str) -> None:
    """Scopes are case-sensitive, and a reserved prefix without a value is unknown."""
    assert not scopes.is_known(word)


def test_ids_in_reserved_scopes() -> None:
    """The audience scope names a project, and the organization scope names an organization."""
    assert scopes.projects_in(("openid", "urn:portico:project:id:p1:aud")) == {"urn:portico:project:id:p1:aud": "p1"}
    assert scopes.organization_in("urn:portico:org:id:o1") == "o1"
    assert not scopes.projects_in(("urn:portico:org:id:o1",))
    assert scopes.organization_in("openid") is None


def test_profile_scope_gives_fourteen_claims() -> None:
    """The profile scope gives the fourteen claims of OIDC Core §5.4."""
    assert len(scopes.CLAIMS_OF_SCOPE["profile"]) == 14


def test_scopes_with_reserved_prefixes_are_collected() -> None:
    scope = ("openid", "urn:portico:org:id:o1", "email", "urn:portico:nonsense", "urn:other")

    assert scopes.reserved_in(scope) == ("urn:portico:org:id:o1", "urn:portico:nonsense")
    assert scopes.reserved_in(("openid", "Urn:portico:org:id:o1")) == ()
