"""Find: what counts as credentials, before anybody believes them."""

from __future__ import annotations

import base64

import pytest
from portico_oauth.errors import Kind, Refusal
from portico_token.client_auth.credentials import BasicSecret, ClientAssertion, IdOnly, PostSecret
from portico_token.client_auth.find import find_credentials


def basic(raw: bytes) -> list[str]:
    """One header with these bytes."""
    return ["Basic " + base64.b64encode(raw).decode()]


@pytest.mark.parametrize("raw", [b"web:a\x00b", b"web:a%00b", b"web:a%0Ab", b"w\x07b:s", b"web:a\x7f"])
def test_control_characters_are_no_credentials(raw: bytes) -> None:
    """Neither plain nor encoded (TK-17)."""
    with pytest.raises(Refusal) as refused:
        find_credentials(basic(raw), {})

    assert refused.value.id == "TOKEN-014"


@pytest.mark.parametrize("encoded", ["d2Vi*OnM=", "d2ViOnM", "d2ViOnM= x", "dd"])
def test_sloppy_base64_is_no_credentials(encoded: str) -> None:
    """One text per value: nothing is skipped or filled up (TK-17)."""
    with pytest.raises(Refusal) as refused:
        find_credentials(["Basic " + encoded], {})

    assert refused.value.kind is Kind.CLIENT_UNKNOWN


def test_each_mechanism_is_found() -> None:
    """By which inputs are present, not by what they hold."""
    assert find_credentials(basic(b"w%3Ab:s+e%2Bc:ret"), {}) == BasicSecret("w:b", "s e+c:ret")
    assert find_credentials([], {"client_id": "w", "client_secret": "s"}) == PostSecret("w", "s")
    assert find_credentials([], {"client_id": "w"}) == IdOnly("w")
    assert find_credentials([], {"client_assertion_type": "t", "client_assertion": "a"}) == ClientAssertion(
        "", "t", "a"
    )


def test_credentials_keep_their_secrets_out_of_reprs() -> None:
    """Reprs end up in logs."""
    found = [
        find_credentials(basic(b"web:hush"), {}),
        find_credentials([], {"client_id": "w", "client_secret": "hush"}),
        find_credentials([], {"client_assertion_type": "t", "client_assertion": "hush"}),
    ]

    assert "hush" not in repr(found)
