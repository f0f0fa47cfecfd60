"""Passwords that programs in PHP rewrote before they hashed them (decision 0115)."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from typing import Final

import pytest
from portico_runtime.settings.sections.hashing import HashingSection
from portico_users.credentials.passwords.hash_kinds import kind_of
from portico_users.credentials.passwords.hashing import HashingPool
from portico_users.credentials.passwords.typed_forms import typed_forms

WORDPRESS: Final = "$P$57kqSV/3p2.gLwSeCq7XuDX4.4fSgR1"
"""phpass of ``it\\'s \\"quoted\\"`` by passlib."""

PHPBB: Final = "$H$5muTczTcAVpplDTEN.UlDl..9pBPOi0"
"""phpass of ``a &amp; &lt;b&gt; &quot;c&quot; 'd'`` by passlib."""

WORDPRESS_6_8: Final = "$wp$2y$04$6h9oi4s0fMHOdblXAt83WOozgu6YAahrT3M/HiS3XYCSVTmpkdHYO"
BCRYPT: Final = "$2y$04$om3Sr05Cobu0MvpjoE7jX.rVaVGB1nz4TerhQjHFWZOmLxCqdkXHe"


@pytest.fixture
async def pool() -> AsyncIterator[HashingPool]:
    pool = HashingPool(HashingSection(argon2_memory_kib=8, argon2_passes=1), secrets.token_bytes)
    yield pool
    await pool.close()


RIGHT: Final = [
    (WORDPRESS, """it's "quoted\""""),
    (WORDPRESS, """ it's "quoted"\t"""),
    (WORDPRESS_6_8, "correct horse battery \u00e9"),
    (WORDPRESS_6_8, "correct horse battery e\u0301 "),
    (PHPBB, """a & <b> "c" 'd'"""),
    (PHPBB, """ a & <b> "c" 'd'"""),
]


@pytest.mark.parametrize(("hash", "password"), RIGHT)
async def test_password_rewritten_by_its_program_matches(pool: HashingPool, hash: str, password: str) -> None:
    async with pool.place(hash) as place:
        assert await place.verify(hash, password)


@pytest.mark.parametrize(
    ("hash", "password"),
    [
        (WORDPRESS, "it's quoted"),
        (WORDPRESS, "it&#x27;s &quot;quoted&quot;"),
        (PHPBB, """a & <b> "c" d"""),
        (PHPBB, """a & <b> \\"c\\" 'd'"""),
        (BCRYPT, " correct horse battery \u00e9"),
    ],
)
async def test_other_passwords_do_not_match(pool: HashingPool, hash: str, password: str) -> None:
    """Each program's rule counts for its hashes only, and other hashes are compared with what was typed."""
    async with pool.place(hash) as place:
        assert not await place.verify(hash, password)


@pytest.mark.parametrize(
    ("hash", "password", "replaced"),
    [(WORDPRESS, """it's "quoted\"""", True), (WORDPRESS, """ it's "quoted\"""", False), (PHPBB, """a & <b> "c" 'd'""", True)],
)  # fmt: skip
async def test_hash_stays_while_several_passwords_match(
    pool: HashingPool, hash: str, password: str, replaced: bool
) -> None:
    """A new hash of the password with its spaces would refuse the one without, which the program took too."""
    async with pool.place(hash) as place:
        await place.verify(hash, password)
        assert place.needs_rehash(hash, password) is replaced


@pytest.mark.parametrize("hash", [WORDPRESS, WORDPRESS_6_8, PHPBB, BCRYPT])
@pytest.mark.parametrize("password", ["plain", "it's", "a & b", " spaces ", "e\u0301 ' <"])
def test_kind_takes_as_many_comparisons_as_a_hash(hash: str, password: str) -> None:
    """An unknown name, which is compared with a kind, is answered in the same time (LG-01)."""
    assert len(typed_forms(hash, password)) == len(typed_forms(kind_of(hash), password))


@pytest.mark.parametrize(
    ("hash", "password", "comparisons"),
    [(WORDPRESS, "plain", 1), (WORDPRESS, "it's", 2), (PHPBB, "it's", 1), (PHPBB, "a<b", 2), (BCRYPT, "it's <", 1)],
)
def test_one_comparison_where_nothing_was_rewritten(hash: str, password: str, comparisons: int) -> None:
    assert len(typed_forms(hash, password)) == comparisons
