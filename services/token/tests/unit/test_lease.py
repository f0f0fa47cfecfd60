from __future__ import annotations

import pytest
from portico_harness.rows import row
from portico_oauth.jose import SigningKey, VerificationKey
from portico_token.signing.key_ring import Lease, LeasedKey

OLD, NEW = (SigningKey.generate(kid, "ES256") for kid in ("old", "new"))
PUBLISHED = {key.kid: VerificationKey.from_jwk(key.public_jwk()) for key in (OLD, NEW)}


@pytest.fixture
def lease() -> Lease:
    """Two keys, the second active from 50 on; requested at 100, for 60 seconds."""
    return Lease({"old": LeasedKey(OLD, 10, b"old"), "new": LeasedKey(NEW, 50, b"new")}, PUBLISHED, 100, 60)


def test_lease_is_valid_from_its_request_to_its_end(lease: Lease) -> None:
    for at, is_valid in ((99, False), (100, True), (159.9, True), (160, False)):
        with row(at, is_valid):
            assert lease.is_valid(at) is is_valid


def test_newest_activated_key_signs(lease: Lease) -> None:
    for now, kid in ((9, None), (10, "old"), (49.9, "old"), (50, "new")):
        with row(now, kid):
            key = lease.newest("ES256", now)

            assert (key and key.kid) == kid


def test_no_key_of_another_algorithm_is_used(lease: Lease) -> None:
    assert lease.newest("RS256", 50) is None


def test_key_can_be_removed(lease: Lease) -> None:
    """The removed key neither signs nor verifies, and the previous one signs again."""
    left = lease.without({"new"})

    assert left.newest("ES256", 50) == OLD
    assert set(left.published) == {"old"}
    assert (left.requested_at, left.seconds) == (lease.requested_at, lease.seconds)
