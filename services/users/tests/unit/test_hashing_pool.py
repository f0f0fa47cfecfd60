from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import AsyncExitStack

import bcrypt
import pytest
from argon2 import PasswordHasher, Type
from portico_oauth.errors import ServiceError
from portico_runtime.settings.sections.hashing import HashingSection
from portico_users.credentials.passwords.hash_kinds import HashCosts, kind_of
from portico_users.credentials.passwords.hashing import Argon2, HashingPool, own_kind


@pytest.fixture
def one_core() -> Iterator[None]:
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    yield
    os.sched_setaffinity(0, cores)


@pytest.mark.usefixtures("one_core")
async def test_one_core_computes_one_hash_at_a_time() -> None:
    """Two would evict each other from the caches; a caller without a place is refused (RX-08)."""
    settings = HashingSection(argon2_memory_kib=8, argon2_passes=1, hashing_workers=2, hashing_queue=0)
    pool = HashingPool(settings, secrets.token_bytes)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(pool.place())
        with pytest.raises(ServiceError) as refused:
            await stack.enter_async_context(pool.place())
    await pool.close()

    assert refused.value.id == "USER-034"


IN_FORCE = HashingSection(argon2_memory_kib=64, argon2_passes=2)


@pytest.mark.parametrize("password", ["correct horse", "pässwörd \u4e00", "with\x00nul", "x" * 200])
def test_two_libraries_agree_on_hashes(password: str) -> None:
    """Hashes of libsodium verify with argon2-cffi and vice versa: hashes of earlier releases stay valid."""
    hasher, other = Argon2(IN_FORCE), PasswordHasher(time_cost=2, memory_cost=64, parallelism=1)
    ours, theirs = hasher.hash(password), other.hash(password)

    assert other.verify(ours, password)
    assert hasher.matches(ours, password)
    assert hasher.matches(theirs, password)
    assert not hasher.matches(ours, f"{password}.")
    assert not hasher.matches(theirs, f"{password}.")
    assert not hasher.needs_rehash(ours)
    assert kind_of(ours) == own_kind(IN_FORCE)


@pytest.mark.parametrize(
    "made",
    [
        PasswordHasher(time_cost=1, memory_cost=64, parallelism=1),
        PasswordHasher(time_cost=2, memory_cost=128, parallelism=1),
        PasswordHasher(time_cost=2, memory_cost=64, parallelism=2),
        PasswordHasher(time_cost=2, memory_cost=64, parallelism=1, hash_len=12),
        PasswordHasher(time_cost=2, memory_cost=64, parallelism=1, salt_len=32),
        PasswordHasher(time_cost=2, memory_cost=64, parallelism=1, type=Type.I),
    ],
    ids=["passes", "memory", "lanes", "short digest", "long salt", "argon2i"],
)
def test_hashes_with_other_parameters_are_compared(made: PasswordHasher) -> None:
    """Formats that libsodium rejects are compared by another library."""
    hash = made.hash("correct horse")

    assert Argon2(IN_FORCE).matches(hash, "correct horse")
    assert not Argon2(IN_FORCE).matches(hash, "another horse")


def test_other_parameters_are_estimated_separately() -> None:
    """An argon2id hash with other parameters is computed by the slower library, so it is estimated separately."""
    costs = HashCosts(own_kind(IN_FORCE))
    other = PasswordHasher(time_cost=2, memory_cost=128, parallelism=1).hash("correct horse")
    estimated = costs.seconds(other)
    costs.learner(own_kind(IN_FORCE))(1e-9)

    assert costs.was_seen(own_kind(IN_FORCE))
    assert not costs.was_seen(other)
    assert costs.seconds(other) == estimated


COMPOSED, DECOMPOSED = "Z\u00fcrich caf\u00e9", "Zu\u0308rich cafe\u0301"


@pytest.mark.parametrize(
    ("new", "typed", "is_right"),
    [
        (COMPOSED, DECOMPOSED, True),
        (DECOMPOSED, COMPOSED, True),
        ("caf\u00e9\u00a0noir", "cafe\u0301 noir", True),
        ("caf\u00e9\u3000noir", "caf\u00e9 noir", True),
        (COMPOSED, "Zurich cafe", False),
        ("\uff41bcdefgh", "abcdefgh", False),
        ("Caf\u00e9 noir", "caf\u00e9 noir", False),
    ],
)
async def test_composed_and_decomposed_accents_are_equal(new: str, typed: str, is_right: bool) -> None:
    """Passwords are compared as OpaqueStrings (RFC 8265 section 4.2): blanks and NFC, but neither case nor width."""
    pool = HashingPool(IN_FORCE, secrets.token_bytes)
    async with pool.place() as place:
        hash = await place.hash(new)
        matches = await place.verify(hash, typed)
        is_rehashed = place.needs_rehash(hash, typed)
    await pool.close()

    assert (matches, is_rehashed) == (is_right, False)


@pytest.mark.parametrize(
    ("made_of", "typed", "is_right"),
    [
        (COMPOSED, COMPOSED, True),
        (COMPOSED, DECOMPOSED, True),
        (DECOMPOSED, DECOMPOSED, True),
        (DECOMPOSED, "Zurich cafe", False),
    ],
)
async def test_imported_hash_matches_the_typed_text(made_of: str, typed: str, is_right: bool) -> None:
    """An imported hash is also compared with the text as typed; one that only matches so is replaced by one for
    both spellings.
    """
    pool = HashingPool(IN_FORCE, secrets.token_bytes)
    hashes = Argon2(IN_FORCE).hash(made_of), bcrypt.hashpw(made_of.encode(), bcrypt.gensalt(4)).decode()
    found = []
    for hash in hashes:
        async with pool.place(hash) as place:
            found.append((await place.verify(hash, typed), place.needs_rehash(hash, typed)))
    await pool.close()

    assert found == [(is_right, is_right and made_of == DECOMPOSED), (is_right, True)]
