from __future__ import annotations

import secrets

import pytest
from hypothesis import given
from hypothesis import strategies as st
from portico_oauth.opaque import bucket_in, bucket_of, equal_in_constant_time, fingerprint, new_opaque


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_identifier_begins_with_its_bucket(subject: str) -> None:
    opaque = new_opaque(bucket_of(subject), secrets.token_bytes)

    assert bucket_in(opaque) == bucket_of(subject)


def test_identifiers_carry_256_random_bits() -> None:
    asked: list[int] = []

    def random(size: int) -> bytes:
        asked.append(size)
        return secrets.token_bytes(size)

    assert new_opaque("00", random) != new_opaque("00", random)
    assert asked == [32, 32]


@pytest.mark.parametrize(
    "text",
    ["", "00", "zz" + "a" * 43, "00" + "a" * 21, "00" + "a" * 44, "00" + "+" * 43, "0" * 45 + "\n", "AA" + "a" * 43],
)
def test_malformed_identifier_has_no_bucket(text: str) -> None:
    """A malformed identifier is recognized without a query to a store (JW-14)."""
    assert bucket_in(text) is None


def test_identifiers_differ_in_every_character() -> None:
    """Stores look up the fingerprint of the whole identifier, so every changed character is another secret (JW-14)."""
    opaque = new_opaque("7f", secrets.token_bytes)
    changed = [opaque[:at] + ("A" if opaque[at] != "A" else "B") + opaque[at + 1 :] for at in range(len(opaque))]
    cut = [opaque[:at] for at in range(len(opaque))]

    assert fingerprint(opaque) not in {
        fingerprint(text) for text in [*changed, *cut, opaque + "=", opaque.lower(), f" {opaque}"]
    }


def test_secrets_are_compared_as_text() -> None:
    """Secrets are equal only as whole texts, including characters beyond ASCII."""
    assert equal_in_constant_time("sécret", "sécret")
    assert not equal_in_constant_time("secret", "secre")
    assert not equal_in_constant_time("", "x")
