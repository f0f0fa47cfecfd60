from __future__ import annotations

import pytest
from portico_fakes.dpop_proofs import Prover
from portico_oauth.errors import ServiceError
from portico_token.dpop.proof import Call, _known_key, verify_proof

NOW = 1_790_000_000.0
BASE = "https://id.example.test"


@pytest.mark.parametrize("name", ["d", "p", "q", "dp", "dq", "qi", "oth", "k"])
def test_private_member_of_any_kind_of_key_is_refused(name: str) -> None:
    """Also one that a key of this kind does not have, which a library would ignore (RFC 9449 section 4.3)."""
    for alg in ("RS256", "ES256", "EdDSA"):
        prover = Prover(BASE, NOW, alg)
        proof = prover.proof("/token", header={"jwk": {**prover.jwk, name: "AQAB"}})
        with pytest.raises(ServiceError, match="TOKEN-303"):
            verify_proof(proof, Call("POST", f"{BASE}/token"), NOW)


def test_keys_in_memory_are_bounded() -> None:
    """A long header, which is possible with any further member, is read again each time."""
    prover, call = Prover(BASE, NOW), Call("POST", f"{BASE}/token")
    before = _known_key.cache_info()
    for further in ("", "x" * 2_000):
        for _ in range(2):
            verify_proof(prover.proof("/token", header={"further": further}), call, NOW)
    after = _known_key.cache_info()

    assert (after.misses - before.misses, after.hits - before.hits, after.maxsize) == (1, 1, 5_000)


def test_time_beyond_any_number_is_refused() -> None:
    """A number that no integer type holds must not become an error of the server."""
    prover = Prover(BASE, NOW)
    for issued in (10**400, -1):
        with pytest.raises(ServiceError, match=r"TOKEN-30[25]"):
            verify_proof(prover.proof("/token", iat=issued), Call("POST", f"{BASE}/token"), NOW)
