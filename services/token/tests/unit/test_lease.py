"""A lease of signing keys: how long it is valid, and which of its keys signs."""

from __future__ import annotations

import pytest
from portico_oauth.jose import SigningKey, VerificationKey
from portico_token.signing.key_ring import Lease, LeasedKey

OLD, NEW = (SigningKey.generate(kid, "ES256") for kid in ("old", "new"))
PUBLISHED = {key.kid: VerificationKey.from_jwk(key.public_jwk()) for key in (OLD, NEW)}


@pytest.fixture
def lease() -> Lease:
    """Two keys, the second from 50 on; requested at 100, for 60 seconds."""
    return Lease({"old": LeasedKey(OLD, 10), "new": LeasedKey(NEW, 50)}, PUBLISHED, 100, 60)


@pytest.mark.parametrize(("at", "is_valid"), [(99, False), (100, True), (159.9, True), (160, False)])
def test_a_lease_is_valid_from_the_request_to_its_end(lease: Lease, at: float, is_valid: bool) -> None:
    """A lease is valid from the request on, and not at its end."""
    assert lease.is_valid(at) is is_valid


@pytest.mark.parametrize(("now", "kid"), [(9, None), (10, "old"), (49.9, "old"), (50, "new")])
def test_the_newest_activated_key_signs(lease: Lease, now: float, kid: str | None) -> None:
    """No key signs before its activation time."""
    key = lease.newest("ES256", now)

    assert (key and key.kid) == kid


def test_there_is_no_key_of_another_algorithm(lease: Lease) -> None:
    """The algorithm is the client's, never that of whatever key there is."""
    assert lease.newest("RS256", 50) is None


def test_a_key_can_be_taken_out(lease: Lease) -> None:
    """It neither signs nor verifies; the one before signs again; the lease is no longer for it."""
    left = lease.without({"new"})

    assert left.newest("ES256", 50) == OLD
    assert set(left.published) == {"old"}
    assert (left.requested_at, left.seconds) == (lease.requested_at, lease.seconds)
