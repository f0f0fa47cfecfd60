"""Kinds of hashes: names without a hash get a kind with an account's cost."""

from __future__ import annotations

import hashlib
import secrets
from base64 import b64encode
from collections import Counter

import pytest
from portico_users.credentials.passwords.hash_kinds import HashCosts, kind_of, work_of
from portico_users.credentials.passwords.hash_mix import draw, tenths_of
from portico_users.credentials.passwords.imported_hashes import matches

OWN = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$" + "A" * 43
BCRYPT = "$2b$12$" + "." * 53
PBKDF2 = "$pbkdf2-sha512$600000$AAAAAAAAAAAAAAAAAAAAAA$" + "A" * 86

PEOPLE = 2_000


@pytest.mark.parametrize(
    ("hash", "kind"),
    [
        ("$argon2i$v=19$m=64,t=1,p=1$c29tZXNhbHRzYWx0$" + "b" * 43, "$argon2i$v=19$m=64,t=1,p=1$" + "A" * 22 + "$" + "A" * 43),
        ("$2y$04$" + "abcDEF./1" * 5 + "abcdefgh", "$2b$04$" + "." * 53),
        ("$2a$04$" + "abcDEF./1" * 5 + "abcdefgh", "$2b$04$" + "." * 53),
        ("$scrypt$ln=4,r=8,p=1$c2FsdA$" + "b" * 43, "$scrypt$ln=4,r=8,p=1$" + "A" * 22 + "$" + "A" * 43),
        ("$firebase-scrypt$ln=4,r=8$c2FsdA$" + "b" * 86, "$firebase-scrypt$ln=4,r=8$" + "A" * 22 + "$" + "A" * 86),
        ("$pbkdf2-sha256$10$c2FsdA$" + "b" * 43, "$pbkdf2-sha256$10$" + "A" * 22 + "$" + "A" * 43),
        ("$pbkdf2$10$c2FsdA$" + "b" * 27, "$pbkdf2$10$" + "A" * 22 + "$" + "A" * 27),
        ("$pbkdf2-sha512$i=10,l=64$c2FsdA$" + "b" * 86, "$pbkdf2-sha512$i=10,l=64$" + "A" * 22 + "$" + "A" * 86),
        ("$5$rounds=1000$salt$" + "b" * 43, "$5$rounds=1000$........$" + "." * 43),
        ("$6$salt$" + "b" * 86, "$6$........$" + "." * 86),
        ("$1$salt$" + "b" * 22, "$1$........$" + "." * 22),
        ("$P$5" + "b" * 30, "$P$5" + "." * 30),
    ],
    ids=lambda value: value[:16],
)  # fmt: skip
def test_kind_is_a_hash_without_a_user(hash: str, kind: str) -> None:
    """Format and cost remain, salt and digest are replaced; it is compared like a hash, and no password matches
    (LG-01).
    """
    assert kind_of(hash) == kind
    assert kind_of(kind) == kind
    assert work_of(kind) == work_of(hash)
    assert not matches(kind, "correct horse battery")


@pytest.mark.parametrize("hash", ["", "plain", "$2b$15$" + "." * 53, "$2b$31$" + "a" * 53])
def test_unsupported_hashes_have_no_kind(hash: str) -> None:
    """Unknown formats and costs above the limits are neither counted nor selected."""
    assert kind_of(hash) == ""


def test_longer_digests_cost_the_same() -> None:
    """Only the first block of PBKDF2 is computed: ninety bytes of SHA-1 would cost five times as much as twenty."""
    first = hashlib.pbkdf2_hmac("sha1", b"x", b"salt", 10)
    long = f"$pbkdf2$10$c2FsdA${b64encode(first + bytes(70)).rstrip(b'=').decode()}"

    assert matches(long, "x")
    assert not matches(long, "y")


@pytest.mark.parametrize(
    ("counts", "weights"),
    [
        ({}, {}),
        ({OWN: 1}, {OWN: 10}),
        ({BCRYPT: 400, PBKDF2: 300, OWN: 300}, {BCRYPT: 4, PBKDF2: 3, OWN: 3}),
        ({BCRYPT: 1, PBKDF2: 1, OWN: 1}, {BCRYPT: 3, PBKDF2: 3, OWN: 4}),
        ({BCRYPT: 1, OWN: 99}, {OWN: 10}),
        ({BCRYPT: 6, OWN: 94}, {BCRYPT: 1, OWN: 9}),
    ],
)
def test_weights_are_tenths(counts: dict[str, int], weights: dict[str, int]) -> None:
    """The weights sum to ten, however many kinds there are; the largest remainders are rounded up."""
    made = tenths_of(counts)

    assert sorted(made.values()) == sorted(weights.values())
    assert set(made) == set(weights)


def _auc(left: list[float], right: list[float]) -> float:
    """The probability that one of the left costs more than one of the right; ties count half."""
    rights = Counter(right)
    won = sum(
        (value > other) * number + (value == other) * number / 2 for value in left for other, number in rights.items()
    )
    return won / (len(left) * len(right))


def test_cost_does_not_reveal_imported_accounts() -> None:
    """With 2,000 users of 40 % bcrypt, 30 % PBKDF2 and 30 % argon2id against 2,000 unknown names, the AUC is at
    most 0.55 (LG-01).
    """
    people = [BCRYPT] * 800 + [PBKDF2] * 600 + [OWN] * 600
    weights = tenths_of({BCRYPT: 40_000, PBKDF2: 30_000, OWN: 30_000})
    key = secrets.token_bytes(32)
    costs = HashCosts(OWN)
    known = [costs.seconds(kind) for kind in people]
    unknown = [costs.seconds(draw(weights, key, f"nobody-{number}")) for number in range(PEOPLE)]
    auc = _auc(known, unknown)

    assert 0.45 <= auc <= 0.55
    assert _auc(known, [costs.seconds(OWN)] * PEOPLE) > 0.8


def test_name_keeps_its_cost() -> None:
    """The cost is the same at every attempt, and stays so for nine of ten names if a weight changes by a tenth
    (LG-01).
    """
    key = secrets.token_bytes(32)
    before, after = {BCRYPT: 4, PBKDF2: 3, OWN: 3}, {BCRYPT: 3, PBKDF2: 3, OWN: 4}
    names = [f"nobody-{number}" for number in range(PEOPLE)]
    kept = sum(draw(before, key, name) == draw(after, key, name) for name in names)

    assert [draw(before, key, name) for name in names] == [draw(before, key, name) for name in names]
    assert kept > 0.8 * PEOPLE


def test_selection_depends_on_the_instance() -> None:
    """The key is specific to the instance: an attacker cannot compute the cost of a name (LG-01)."""
    weights = {BCRYPT: 5, OWN: 5}
    names = [f"nobody-{number}" for number in range(PEOPLE)]
    first, second = ([draw(weights, key, name) for name in names] for key in (b"a" * 32, b"b" * 32))
    equal = sum(one == other for one, other in zip(first, second, strict=True))

    assert 0.4 * PEOPLE < equal < 0.6 * PEOPLE
