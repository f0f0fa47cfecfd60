from __future__ import annotations

import asyncio
import hashlib
from base64 import b64encode
from typing import Any

import bcrypt
import pytest
from portico_fakes.management_api import ManagementApi

pytestmark = pytest.mark.servers

PASSWORD = "a whistle in the dark wood"


async def test_given_password_signs_in(managed: Any) -> None:
    """The password works at once and is stored as a native hash."""
    body = managed.new_human(username=f"ada-{managed.tag}", password={"password": PASSWORD})
    await managed.add(body)
    found = await managed.users.try_password(f"ada-{managed.tag}", PASSWORD)

    assert found.user.user_id == body["userId"]
    assert PASSWORD not in str(await managed.users.rows("events", object=body["userId"]))


async def test_imported_hash_is_rehashed_at_sign_in(managed: Any) -> None:
    """The first sign-in verifies the imported hash and replaces it by a native one (MG-12)."""
    hash = bcrypt.hashpw(PASSWORD.encode(), bcrypt.gensalt(4)).decode()
    body = managed.new_human(username=f"ada-{managed.tag}", hashedPassword={"hash": hash, "changeRequired": True})
    added = await managed.add(body)
    assert added.code == 0, added.body
    before = (await managed.users.rows("passwords", _id=body["userId"]))[0]["hash"]
    wrong = await managed.users.try_password(f"ada-{managed.tag}", "something else")
    first = await managed.users.try_password(f"ada-{managed.tag}", PASSWORD)
    after = (await managed.users.rows("passwords", _id=body["userId"]))[0]["hash"]
    second = await managed.users.try_password(f"ada-{managed.tag}", PASSWORD)

    assert before == hash
    assert wrong.user is None
    assert first.user.user_id == second.user.user_id == body["userId"]
    assert first.user.password_change_required
    assert after.startswith("$argon2id$")


async def test_ldap_hash_is_unwrapped_and_rehashed(managed: Any) -> None:
    """The hash is stored without its LDAP prefix, refuses a wrong password, and is replaced at the first sign-in
    (MG-12).
    """
    hash = bcrypt.hashpw(PASSWORD.encode(), bcrypt.gensalt(4)).decode()
    body = managed.new_human(username=f"ada-{managed.tag}", hashedPassword={"hash": "{CRYPT}" + hash})
    await managed.add(body)
    stored = (await managed.users.rows("passwords", _id=body["userId"]))[0]["hash"]
    found = [await managed.users.try_password(f"ada-{managed.tag}", typed) for typed in ("another", PASSWORD, PASSWORD)]

    assert stored == hash
    assert [one.user and one.user.user_id for one in found] == [None, body["userId"], body["userId"]]


@pytest.mark.parametrize("prefix", ["2a", "2b", "2y"])
@pytest.mark.parametrize(
    ("original", "typed", "kept"),
    [
        ("x" * 72, "x" * 72, False),
        ("x" * 73, "x" * 73, True),
        ("x" * 80, "x" * 72 + "y" * 8, True),
        ("x" * 72, "x" * 100, True),
        ("x" * 71 + "é", "x" * 71 + "è", True),
        ("é" * 36, "é" * 36, False),
        ("é" * 40, "é" * 40, True),
    ],
)
async def test_password_beyond_72_bytes_keeps_the_bcrypt_hash(
    managed: Any, prefix: str, original: str, typed: str, kept: bool
) -> None:
    """Bytes after the 72nd are ignored by bcrypt, so the sign-in succeeds but the hash is not replaced (MG-12)."""
    made = bcrypt.hashpw(original.encode()[:72], bcrypt.gensalt(4)).decode()
    hash = f"${prefix}${made[4:]}"
    body = managed.new_human(username=f"ada-{managed.tag}", hashedPassword={"hash": hash})
    await managed.add(body)
    found = await managed.users.try_password(f"ada-{managed.tag}", typed)
    stored = (await managed.users.rows("passwords", _id=body["userId"]))[0]["hash"]
    shorter = await managed.users.try_password(f"ada-{managed.tag}", typed[:30])

    assert found.user.user_id == body["userId"]
    assert (stored == hash) is kept
    assert shorter.user is None


async def test_trailing_nul_keeps_the_pbkdf2_hash(managed: Any) -> None:
    """HMAC ignores trailing NULs, so the sign-in succeeds but the hash is not replaced (MG-12)."""
    derived = hashlib.pbkdf2_hmac("sha256", b"a longer word", b"salt of 16 bytes", 10)
    salt, digest = (b64encode(one).rstrip(b"=").decode() for one in (b"salt of 16 bytes", derived))
    hash = f"$pbkdf2-sha256$10${salt}${digest}"
    body = managed.new_human(username=f"ada-{managed.tag}", hashedPassword={"hash": hash})
    await managed.add(body)
    found = await managed.users.try_password(f"ada-{managed.tag}", "a longer word\x00")
    stored = (await managed.users.rows("passwords", _id=body["userId"]))[0]["hash"]

    assert found.user.user_id == body["userId"]
    assert stored == hash


async def test_firebase_hash_is_rehashed_at_sign_in(managed: Any) -> None:
    """The sample of Firebase's repository, converted by `portico user convert`, is replaced at the first sign-in
    (MG-12).
    """
    stream = "GjH2+Jz+dglLj5NuFkZHgBvZnv8Z8VZE5sdIgEAbIgeXy+ZfSpJLu1A++pZcpx0OhX41mDwvu2Olmp+PnfLfyQ"
    hash = f"$firebase-scrypt$ln=14,r=8$42xEC+ixf3L2lwc${stream}"
    body = managed.new_human(username=f"ada-{managed.tag}", hashedPassword={"hash": hash})
    await managed.add(body)
    wrong = await managed.users.try_password(f"ada-{managed.tag}", "user2password")
    first = await managed.users.try_password(f"ada-{managed.tag}", "user1password")
    after = (await managed.users.rows("passwords", _id=body["userId"]))[0]["hash"]
    second = await managed.users.try_password(f"ada-{managed.tag}", "user1password")

    assert wrong.user is None
    assert first.user.user_id == second.user.user_id == body["userId"]
    assert after.startswith("$argon2id$")


@pytest.mark.parametrize("typed", ["abc\x00", "abc\x00def", "\x00"])
async def test_password_with_nul_is_refused_by_bcrypt(managed: Any, typed: str) -> None:
    """Some systems stop at a NUL: such a password never matches, and its hash is not replaced (MG-12)."""
    hash = bcrypt.hashpw(b"abc", bcrypt.gensalt(4)).decode()
    body = managed.new_human(username=f"ada-{managed.tag}", hashedPassword={"hash": hash})
    await managed.add(body)
    found = await managed.users.try_password(f"ada-{managed.tag}", typed)
    stored = (await managed.users.rows("passwords", _id=body["userId"]))[0]["hash"]

    assert found.user is None
    assert stored == hash


@pytest.mark.parametrize("hash", ["plain", "$2b$31$" + "a" * 53])
async def test_unusable_hash_is_refused_with_its_field(managed: Any, hash: str) -> None:
    """Unknown and too costly hashes give code 3, and nothing is stored."""
    body = managed.new_human(hashedPassword={"hash": hash})
    refused = await managed.add(body)

    assert refused.code == 3
    assert refused.fields == ["hashedPassword.hash"]
    assert await managed.users.rows("users", _id=body["userId"]) == []


async def test_concurrent_creation_of_a_name_succeeds_once(managed: Any, other_replica: Any) -> None:
    """Of concurrent creations of a user name on two replicas one succeeds, and the others get code 6 (MG-08)."""
    api = ManagementApi(other_replica.service, other_replica.bus)
    token = api.token_of(f"owner-{managed.tag}")
    name = "portico.user.v2.UserService.AddHumanUser"
    bodies = [managed.new_human(f"n{number}", username=f"same-{managed.tag}") for number in range(20)]
    answers = await asyncio.gather(
        *(managed.add(body) for body in bodies[::2]), *(api.json(name, body, token=token) for body in bodies[1::2])
    )

    assert sorted(answer.code for answer in answers) == [0] + [6] * 19
