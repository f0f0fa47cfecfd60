"""Keys of identity providers tested with another library: joserfc signs, and each algorithm verifies only with
its own key type.
"""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from joserfc import jws
from joserfc.jwk import ECKey, OKPKey, RSAKey
from portico_oauth.errors import ServiceError
from portico_users.identity_providers.federation.verification_keys import read_key_set, verified_claims

# RFC 9864 names curves instead; providers still send the older name.
pytestmark = pytest.mark.filterwarnings("ignore:EdDSA is deprecated")

_RSA: Final = RSAKey.generate_key(2048, {"kid": "rsa"})
KEYS: Final[dict[str, Any]] = {
    **dict.fromkeys(("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"), _RSA),
    "ES256": ECKey.generate_key("P-256", {"kid": "p256"}),
    "ES384": ECKey.generate_key("P-384", {"kid": "p384"}),
    "ES512": ECKey.generate_key("P-521", {"kid": "p521"}),
    "EdDSA": OKPKey.generate_key("Ed25519", {"kid": "ed"}),
}
CLAIMS: Final = {"sub": "ada"}


def _public(key: Any, **changed: Any) -> dict[str, Any]:
    return {**key.as_dict(private=False), **changed}


def _signed(alg: str, key: Any, **header: Any) -> str:
    registry = jws.JWSRegistry(algorithms=[alg])
    members = {"alg": alg, "kid": key.kid, **header}
    return jws.serialize_compact(members, json.dumps(CLAIMS).encode(), key, registry=registry)


def _refusal(token: str, *jwks: dict[str, Any]) -> str:
    with pytest.raises(ServiceError) as refused:
        verified_claims(token, read_key_set({"keys": list(jwks)}))
    return refused.value.id


@pytest.mark.parametrize("alg", KEYS)
def test_each_algorithm_is_verified(alg: str) -> None:
    """The signature is verified with a key selected by kid, a key without a kid, and among all others."""
    token = _signed(alg, KEYS[alg])
    everything = [_public(key) for key in {id(key): key for key in KEYS.values()}.values()]

    assert verified_claims(token, read_key_set({"keys": [_public(KEYS[alg], alg=alg)]})) == CLAIMS
    assert verified_claims(token, read_key_set({"keys": everything})) == CLAIMS


@pytest.mark.parametrize("alg", KEYS)
def test_key_for_another_algorithm_verifies_nothing(alg: str) -> None:
    """The key determines the algorithm, never the token (JW-02)."""
    other = next(one for one in KEYS if one != alg)

    assert _refusal(_signed(alg, KEYS[alg]), _public(KEYS[alg], alg=other)) == "USER-964"
    assert _refusal(_signed(alg, KEYS[alg]), _public(KEYS[alg], alg="none")) == "USER-964"


@pytest.mark.parametrize("alg", KEYS)
def test_changed_signature_is_refused(alg: str) -> None:
    """A modified, truncated or empty signature is refused (JW-02)."""
    head, body, tail = _signed(alg, KEYS[alg]).split(".")
    public = _public(KEYS[alg])

    assert _refusal(f"{head}.{body}.{'A' * len(tail)}", public) == "USER-965"
    assert _refusal(f"{head}.{body}.AAAA", public) == "USER-965"
    assert _refusal(f"{head}.{body}.", public) == "USER-965"


def test_token_without_kid_uses_the_only_key() -> None:
    """With two suitable keys none is guessed (OIDC Core §10.1)."""
    bare = jws.serialize_compact(
        {"alg": "ES256"}, json.dumps(CLAIMS).encode(), KEYS["ES256"], registry=jws.JWSRegistry(algorithms=["ES256"])
    )
    second = _public(ECKey.generate_key("P-256", {"kid": "second"}))

    assert verified_claims(bare, read_key_set({"keys": [_public(KEYS["ES256"]), _public(_RSA)]})) == CLAIMS
    assert _refusal(bare, _public(KEYS["ES256"]), second) == "USER-964"


def test_symmetric_key_verifies_nothing() -> None:
    """A published secret is not a secret (JW-02)."""
    assert read_key_set({"keys": [{"kty": "oct", "k": "c2VjcmV0", "kid": "s", "alg": "HS256"}]}) == ()


@pytest.mark.parametrize("huge", ["n", "e"])
def test_slow_key_is_skipped(huge: str) -> None:
    """A modulus or exponent of a megabyte is not even parsed (RX-08)."""
    assert read_key_set({"keys": [_public(_RSA, **{huge: "A" * 100_000})]}) == ()


class _Unread(dict[str, Any]):
    """A JWK whose private members must not be read."""

    def __getitem__(self, name: str) -> Any:
        assert name not in ("d", "p", "q", "dp", "dq", "qi")
        return super().__getitem__(name)


def test_private_key_is_not_parsed() -> None:
    """A private key verifies nothing, and computing the factors for a long `d` takes seconds (RX-08)."""
    private = {**_public(_RSA), "d": "A" * 20_000}

    assert read_key_set({"keys": [_Unread(private)]}) == ()
