from __future__ import annotations

import base64
import secrets
from dataclasses import replace

import pytest
from portico_oauth.master_keys import MasterKeys, UnsealingFailed

FIRST, SECOND = (base64.b64encode(letter * 32).decode() for letter in (b"a", b"b"))


def test_sealed_secret_opens_for_its_owner_only() -> None:
    """A sealed record copied to another owner does not open."""
    keys = MasterKeys.read(FIRST)
    sealed = keys.seal(b"secret", b"kid|RS256", secrets.token_bytes)

    assert keys.unseal(sealed, b"kid|RS256") == b"secret"
    with pytest.raises(UnsealingFailed):
        keys.unseal(sealed, b"other|RS256")


def test_the_first_key_seals_and_all_unseal() -> None:
    """Adding a new master key in front rotates the sealing key and keeps older records readable."""
    before = MasterKeys.read(FIRST).seal(b"secret", b"x", secrets.token_bytes)
    rotated = MasterKeys.read(f"{SECOND}, {FIRST}")
    after = rotated.seal(b"secret", b"x", secrets.token_bytes)

    assert rotated.unseal(before, b"x") == b"secret"
    assert after.master == rotated.sealing != before.master
    with pytest.raises(UnsealingFailed):
        MasterKeys.read(FIRST).unseal(after, b"x")


def test_changing_any_byte_breaks_the_seal() -> None:
    keys = MasterKeys.read(FIRST)
    sealed = keys.seal(b"secret", b"x", secrets.token_bytes)

    for at in range(len(sealed.data)):
        data = bytearray(sealed.data)
        data[at] ^= 1
        with pytest.raises(UnsealingFailed):
            keys.unseal(replace(sealed, data=bytes(data)), b"x")
    with pytest.raises(UnsealingFailed):
        keys.unseal(replace(sealed, nonce=b""), b"x")


def test_equal_secrets_are_sealed_differently() -> None:
    keys = MasterKeys.read(FIRST)

    assert keys.seal(b"s", b"x", secrets.token_bytes).data != keys.seal(b"s", b"x", secrets.token_bytes).data


@pytest.mark.parametrize(
    "text",
    [
        "",
        " , ",
        "abc",
        base64.b64encode(b"a" * 31).decode(),
        base64.urlsafe_b64encode(b"\xff" * 32).decode(),
        f"{FIRST},x",
    ],
)
def test_key_error_does_not_show_the_key(text: str) -> None:
    """The error for a missing or malformed master key does not repeat its value (IN-09)."""
    with pytest.raises(ValueError, match="master key") as refused:
        MasterKeys.read(text)

    assert FIRST not in str(refused.value)
    assert not text.strip(" ,") or text not in str(refused.value)


def test_key_name_does_not_reveal_the_key() -> None:
    """Records carry a fingerprint of the master key."""
    assert MasterKeys.read(FIRST).sealing not in (b"a" * 32).hex()
