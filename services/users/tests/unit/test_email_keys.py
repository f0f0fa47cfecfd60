from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from portico_users.values.names import email_key


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("alice@example.com", "alice@example.com"),
        ("Alice@Example.COM", "alice@example.com"),
        ("\uff21lice@example.com", "alice@example.com"),
        ("stra\u00dfe@example.com", "strasse@example.com"),
        ("alice@b\u00fccher.example", "alice@xn--bcher-kva.example"),
        ("alice@B\u00dcCHER.example", "alice@xn--bcher-kva.example"),
        ("alice@XN--BCHER-KVA.example", "alice@xn--bcher-kva.example"),
        ("alice@example\u3002com", "alice@example.com"),
        ("alice@fa\u00df.example", "alice@xn--fa-hia.example"),
        ("alice@under_score.example", "alice@under_score.example"),
        ("alice+shop@example.com", "alice+shop@example.com"),
        ("a.lice@example.com", "a.lice@example.com"),
        ("alice", ""),
        ("@example.com", ""),
        ("alice@", ""),
        ("", ""),
        ("a" * 2_000 + "@example.com", ""),
    ],
)
def test_canonical_form_of_an_address(address: str, key: str) -> None:
    """The local part is folded, the domain is in lower-case A-labels, and tags and dots are significant (MG-08)."""
    assert email_key(address) == key


@given(st.text(max_size=300))
def test_canonical_form_is_idempotent(text: str) -> None:
    """The canonical form of a canonical form is itself, so that an index can contain it, and no text makes it fail."""
    key = email_key(text)

    assert email_key(key) == key
