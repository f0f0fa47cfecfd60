from __future__ import annotations

import base64
import secrets
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from portico_oauth.scopes import OWN_PROJECT
from portico_users.organizations.org import default_domain
from portico_users.values.names import (
    canonical,
    is_domain,
    is_email,
    is_id,
    is_name,
    is_phone,
    is_user_name,
    login_key,
    new_id,
    slug,
)


@pytest.mark.parametrize(
    ("left", "right"),
    [("Alice", "ALICE"), ("ＡＬＩＣＥ", "alice"), ("Straße", "STRASSE"), ("é", "e\u0301"), ("ﬁn", "FIN")],
)
def test_spellings_of_one_name_are_equal(left: str, right: str) -> None:
    """Width, case, composition and ligatures do not distinguish names (MG-08)."""
    assert canonical(left) == canonical(right)


@given(st.text())
def test_canonical_form_is_idempotent(text: str) -> None:
    """The canonical form of a canonical form is itself, so an index can contain it."""
    once = canonical(text)

    assert canonical(once) == once
    assert unicodedata.is_normalized("NFKC", once)


@given(st.text(min_size=1, max_size=30))
def test_overlong_login_name_matches_no_user(part: str) -> None:
    """A text longer than any login name is not even normalized."""
    assert login_key(part * 1_001) == ""


@pytest.mark.parametrize("text", ["", ".", "..", OWN_PROJECT, "a\x00b", "a\nb", "x" * 201])
def test_invalid_ids(text: str) -> None:
    """Ids have 1 to 200 characters without control characters, are not path dots, and not Portico's own audience."""
    assert not is_id(text)


@pytest.mark.parametrize("text", ["a/b", "ä ö", "portico-app", "x" * 200, "...", "{$ne: 1}"])
def test_valid_ids(text: str) -> None:
    """All other texts are valid ids."""
    assert is_id(text)


@pytest.mark.parametrize("text", ["", " a", "a ", "a\u200bb", "a\u202eb", "a\tb", "\ufeffa", "a\u2028b", "x" * 201])
def test_invalid_user_names(text: str) -> None:
    """A user name has no invisible characters: two names that look alike must not differ by them (MG-15)."""
    assert not is_user_name(text)


@pytest.mark.parametrize("text", ["", " a", "a\n", "\u200b", "\u200d\u200e", "\ufeff"])
def test_invalid_names(text: str) -> None:
    """A name in a list or on a page must be visible."""
    assert not is_name(text)


@pytest.mark.parametrize("text", ["a b", "\u06a9\u062a\u0627\u0628\u200c\u0647\u0627", "\U0001f469\u200d\U0001f4bb"])
def test_valid_names(text: str) -> None:
    """Joiners within a name are part of its spelling."""
    assert is_name(text)


@pytest.mark.parametrize("text", ["acme", "acme.localhost", "a-b.c1.example"])
def test_valid_domains(text: str) -> None:
    """A primary domain is a host name in lower case."""
    assert is_domain(text)


@pytest.mark.parametrize(
    "text", ["", "Acme", "a_b", "-a", "a-", "a..b", "a.", "a@b", "a b", "ä.example", "a" * 64, "a.b\n"]
)
def test_invalid_domains(text: str) -> None:
    """All other texts are refused as a domain."""
    assert not is_domain(text)


@pytest.mark.parametrize("text", ["alice", "@b", "a@", "a@b@c", "a b@c", "a@b\n", '"a"@b', "<a@b>", "a@b, c@d"])
def test_invalid_email_addresses(text: str) -> None:
    """An address is one plain address, which an email header cannot interpret differently."""
    assert not is_email(text)


def test_phone_numbers_are_e164() -> None:
    """A phone number is a plus and up to fifteen digits, not starting with zero."""
    assert is_phone("+41791234567")
    assert not is_phone("0041791234567")
    assert not is_phone("+0791234567")
    assert not is_phone("+4179123456789012")


@pytest.mark.parametrize(
    ("name", "domain"),
    [
        ("Acme & Söhne GmbH", "acme-sohne-gmbh.id.example.com"),
        ("東京", "org-1.id.example.com"),
        ("--", "org-1.id.example.com"),
        ("x" * 100, "x" * 63 + ".id.example.com"),
    ],
)
def test_default_domain_is_always_valid(name: str, domain: str) -> None:
    """The label is derived from the name, or from the id if nothing of the name remains, below the issuer's host
    without port.
    """
    made = default_domain(name, "ORG_1", "https://id.example.com:8443")

    assert made == domain
    assert is_domain(made)
    assert slug("") == ""


def test_new_ids_are_unique() -> None:
    """An id has 26 lower-case letters and digits."""
    ids = {new_id(secrets.token_bytes) for _ in range(1_000)}

    assert len(ids) == 1_000
    assert all(len(id) == 26 and id.isalnum() and id == id.lower() for id in ids)


@given(st.binary(min_size=16, max_size=16))
def test_new_id_is_base32(bits: bytes) -> None:
    """Ids are those of earlier releases: derived ones must stay the same."""
    assert new_id(lambda _size: bits) == base64.b32encode(bits).decode().rstrip("=").lower()
