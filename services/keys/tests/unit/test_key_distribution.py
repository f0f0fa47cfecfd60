from __future__ import annotations

import base64
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from portico_fakes.clock import FrozenClock
from portico_fakes.randomness import seeded_bytes
from portico_keys.domain.key import Key, State
from portico_keys.rotation.key_generator import KeyGenerator
from portico_keys.signing.key_distribution import KeyDistribution
from portico_oauth.errors import Kind, ServiceError
from portico_oauth.jose import SigningKey, VerificationKey
from portico_oauth.master_keys import MasterKeys
from portico_oauth.sealing import InvalidSeal, Sealed, open_sealed

RANDOM = seeded_bytes(11)
MASTER = MasterKeys([b"m" * 32])


async def a_key(clock: FrozenClock, state: State = State.SIGNING, alg: str = "ES256") -> Key:
    made = await KeyGenerator(MASTER, clock, RANDOM, 2048).generate_key(alg, 1, 0)
    return replace(made, state=state)


@pytest.mark.parametrize("alg", ["RS256", "ES256", "EdDSA"])
async def test_requester_can_sign_with_a_distributed_key(clock: FrozenClock, alg: str) -> None:
    requester = X25519PrivateKey.generate()
    key = await a_key(clock, alg=alg)
    [handed] = KeyDistribution(MASTER, RANDOM).active_keys([key], requester.public_key().public_bytes_raw()).keys
    der = open_sealed(requester, handed.kid, Sealed(handed.sender_key, handed.nonce, handed.sealed))
    token = SigningKey.load(handed.kid, handed.alg, der).sign(b'{"sub":"1"}')

    assert VerificationKey.from_jwk(key.jwk).verify(token) == {"sub": "1"}


async def test_other_replica_cannot_open_a_distributed_key(clock: FrozenClock) -> None:
    """A sealed key opens neither for another replica nor under another key id."""
    requester = X25519PrivateKey.generate()
    [handed] = (
        KeyDistribution(MASTER, RANDOM)
        .active_keys([await a_key(clock)], requester.public_key().public_bytes_raw())
        .keys
    )
    sealed = Sealed(handed.sender_key, handed.nonce, handed.sealed)

    with pytest.raises(InvalidSeal):
        open_sealed(X25519PrivateKey.generate(), handed.kid, sealed)
    with pytest.raises(InvalidSeal):
        open_sealed(requester, "another", sealed)


@pytest.mark.parametrize("state", [State.CREATED, State.RETIRED, State.EXPIRED, State.REVOKED])
async def test_only_present_and_future_signing_keys_are_distributed(clock: FrozenClock, state: State) -> None:
    requester = X25519PrivateKey.generate().public_key().public_bytes_raw()

    assert KeyDistribution(MASTER, RANDOM).active_keys([await a_key(clock, state)], requester).keys == ()


@pytest.mark.parametrize("public_key", [b"", b"x" * 31, b"x" * 33, b"\x00" * 32])
async def test_unusable_public_key_is_refused(clock: FrozenClock, public_key: bytes) -> None:
    """A public key of the wrong size, or a point of low order, is refused."""
    with pytest.raises(ServiceError) as refused:
        KeyDistribution(MASTER, RANDOM).active_keys([await a_key(clock)], public_key)

    assert Kind.INVALID_REQUEST is refused.value.kind


async def test_record_under_another_key_id_does_not_unseal(clock: FrozenClock) -> None:
    """The seal is bound to kid and algorithm, so swapped database records do not unseal."""
    swapped = replace(await a_key(clock), kid="another")

    with pytest.raises(ServiceError) as refused:
        KeyDistribution(MASTER, RANDOM).require_unsealable([swapped])
    assert refused.value.id == "KEYS-003"


async def test_older_master_key_still_unseals(clock: FrozenClock) -> None:
    key = await a_key(clock)
    KeyDistribution(MasterKeys([b"n" * 32, b"m" * 32]), RANDOM).require_unsealable([key])

    with pytest.raises(ServiceError):
        KeyDistribution(MasterKeys([b"n" * 32]), RANDOM).require_unsealable([key])


async def test_repr_shows_no_private_bytes(clock: FrozenClock) -> None:
    """The repr of a key, its sealed half and the distribution can be logged without harm (IN-09)."""
    key = await a_key(clock)
    assert key.sealed is not None
    private = MASTER.unseal(key.sealed, key.bound_to)
    shown = repr((key, key.sealed, KeyDistribution(MASTER, RANDOM), MASTER, KeyGenerator(MASTER, clock, RANDOM, 2048)))

    assert base64.b64encode(private[-24:]).decode() not in shown
    assert repr(key.sealed.data)[2:-1] not in shown
    assert repr(b"m" * 32)[2:-1] not in shown
