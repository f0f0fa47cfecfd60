"""Sealing a secret to one requester."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from portico_oauth.sealing import InvalidSeal, open_sealed, seal_for

SECRET = b"a private key in DER"


@pytest.fixture
def requester() -> X25519PrivateKey:
    return X25519PrivateKey.generate()


def test_another_requester_cannot_open_it(requester: X25519PrivateKey) -> None:
    """What is sealed to one replica stays closed for every other."""
    sealed = seal_for(requester.public_key().public_bytes_raw(), "k1", SECRET)

    with pytest.raises(InvalidSeal):
        open_sealed(X25519PrivateKey.generate(), "k1", sealed)


def test_it_does_not_open_under_another_id(requester: X25519PrivateKey) -> None:
    """The id is bound: one key cannot be passed off as another."""
    sealed = seal_for(requester.public_key().public_bytes_raw(), "k1", SECRET)

    with pytest.raises(InvalidSeal):
        open_sealed(requester, "k2", sealed)


@pytest.mark.parametrize("part", ["sender_key", "nonce", "sealed"])
def test_a_changed_byte_closes_it(requester: X25519PrivateKey, part: str) -> None:
    """Every part of the sealed form is authenticated."""
    sealed = seal_for(requester.public_key().public_bytes_raw(), "k1", SECRET)
    value = getattr(sealed, part)
    changed = replace(sealed, **{part: bytes([value[0] ^ 1]) + value[1:]})

    with pytest.raises(InvalidSeal):
        open_sealed(requester, "k1", changed)


@pytest.mark.parametrize("sender_key", [b"", b"short", bytes(32)])
def test_a_bad_sender_key_is_refused(requester: X25519PrivateKey, sender_key: bytes) -> None:
    """Malformed points and points of low order never give a usable secret."""
    sealed = seal_for(requester.public_key().public_bytes_raw(), "k1", SECRET)

    with pytest.raises(InvalidSeal):
        open_sealed(requester, "k1", replace(sealed, sender_key=sender_key))


def test_the_requester_opens_it(requester: X25519PrivateKey) -> None:
    """The right key and id give the secret back."""
    sealed = seal_for(requester.public_key().public_bytes_raw(), "k1", SECRET)

    assert open_sealed(requester, "k1", sealed) == SECRET


def test_the_same_secret_looks_different_every_time(requester: X25519PrivateKey) -> None:
    """Each sealing has its own ephemeral key and nonce."""
    public = requester.public_key().public_bytes_raw()

    assert seal_for(public, "k1", SECRET) != seal_for(public, "k1", SECRET)
