from __future__ import annotations

from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from portico_oauth.sealing import InvalidSeal, open_sealed, seal_for

SECRET = b"a private key in DER"


@pytest.fixture
def requester() -> X25519PrivateKey:
    return X25519PrivateKey.generate()


def test_other_requester_cannot_open(requester: X25519PrivateKey) -> None:
    sealed = seal_for(requester.public_key().public_bytes_raw(), "k1", SECRET)

    with pytest.raises(InvalidSeal):
        open_sealed(X25519PrivateKey.generate(), "k1", sealed)


def test_other_id_does_not_open(requester: X25519PrivateKey) -> None:
    """The key id is authenticated, so one key cannot be passed off as another."""
    sealed = seal_for(requester.public_key().public_bytes_raw(), "k1", SECRET)

    with pytest.raises(InvalidSeal):
        open_sealed(requester, "k2", sealed)


@pytest.mark.parametrize("part", ["sender_key", "nonce", "sealed"])
def test_changed_byte_does_not_open(requester: X25519PrivateKey, part: str) -> None:
    sealed = seal_for(requester.public_key().public_bytes_raw(), "k1", SECRET)
    value = getattr(sealed, part)
    changed = replace(sealed, **{part: bytes([value[0] ^ 1]) + value[1:]})

    with pytest.raises(InvalidSeal):
        open_sealed(requester, "k1", changed)


@pytest.mark.parametrize("sender_key", [b"", b"short", bytes(32)])
def test_invalid_sender_key_is_refused(requester: X25519PrivateKey, sender_key: bytes) -> None:
    """Malformed points and points of low order are refused."""
    sealed = seal_for(requester.public_key().public_bytes_raw(), "k1", SECRET)

    with pytest.raises(InvalidSeal):
        open_sealed(requester, "k1", replace(sealed, sender_key=sender_key))


def test_requester_opens(requester: X25519PrivateKey) -> None:
    sealed = seal_for(requester.public_key().public_bytes_raw(), "k1", SECRET)

    assert open_sealed(requester, "k1", sealed) == SECRET


def test_equal_secrets_are_sealed_differently(requester: X25519PrivateKey) -> None:
    public = requester.public_key().public_bytes_raw()

    assert seal_for(public, "k1", SECRET) != seal_for(public, "k1", SECRET)
