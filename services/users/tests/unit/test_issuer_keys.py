"""Keys of issuers whose workloads are trusted: what is fetched, how often, and which keys count (decision 0152)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any, Final, Self

import pytest
from portico_fakes.clock import FrozenClock
from portico_harness.rows import row
from portico_oauth.jose import SigningKey
from portico_runtime.http_client.addresses import OutboundError
from portico_runtime.http_client.outbound import OutboundResponse
from portico_users.trusted_workloads.issuer_keys import MOST, OF_ORGANIZATION, IssuerKeySets

ISSUER: Final = "https://ci.example.test/actions/"
DISCOVERY: Final = "https://ci.example.test/actions/.well-known/openid-configuration"
JWKS: Final = "https://keys.example.test/jwks"
FIRST, SECOND = (SigningKey.generate(kid, "ES256") for kid in ("k1", "k2"))
RSA: Final = SigningKey.generate("r1", "RS256")


class Host:
    """Serves the two documents, and counts the requests."""

    def __init__(self) -> None:
        self.documents: dict[str, Any] = {
            DISCOVERY: {"issuer": ISSUER, "jwks_uri": JWKS},
            JWKS: {"keys": [FIRST.public_jwk()]},
        }
        self.requested: list[str] = []
        self.is_down = False

    async def get(
        self, url: str, _headers: Mapping[str, str] | None = None, *, limit: int = 1_000_000
    ) -> OutboundResponse:
        self.requested.append(url)
        await asyncio.sleep(0)
        if self.is_down:
            raise OutboundError("down")
        body = json.dumps(self.documents[url]).encode()
        assert len(body) <= limit
        return OutboundResponse(200, body)

    def kept_for(self, _owner: str) -> Self:
        return self

    async def resolve(self, url: str) -> None:
        raise NotImplementedError

    async def exchange(self, url: str, fields: Mapping[str, str], headers: Mapping[str, str]) -> OutboundResponse:
        raise NotImplementedError


@pytest.fixture
def host() -> Host:
    return Host()


@pytest.fixture
def key_sets(host: Host, clock: FrozenClock) -> IssuerKeySets:
    return IssuerKeySets(host, clock)


async def kids(key_sets: IssuerKeySets, kid: str = "k1") -> list[str]:
    return [key.kid for key in await key_sets.find(ISSUER, kid, "o1")]


async def test_discovery_then_the_key_set(key_sets: IssuerKeySets, host: Host) -> None:
    """Both are read once; 20 concurrent requests share the flight."""
    found = await asyncio.gather(*(kids(key_sets) for _ in range(20)))

    assert found == [["k1"]] * 20
    assert host.requested == [DISCOVERY, JWKS]


async def test_a_new_key_is_fetched_at_once(key_sets: IssuerKeySets, host: Host) -> None:
    """The issuer rotates its key seconds after its keys were read: the first token with the new kid is verified."""
    await kids(key_sets)
    host.documents[JWKS] = {"keys": [FIRST.public_jwk(), SECOND.public_jwk()]}

    assert await kids(key_sets, "k2") == ["k1", "k2"]


async def test_made_up_kids_are_bounded_for_each_issuer(
    key_sets: IssuerKeySets, host: Host, clock: FrozenClock
) -> None:
    """Four fetches a minute, whatever tokens name; known keys verify meanwhile, and another minute has its own four."""
    for number in range(50):
        assert await kids(key_sets, f"made-up-{number}") == ["k1"]
    assert len(host.requested) == 8
    clock.tick(60)
    await kids(key_sets, "made-up")

    assert len(host.requested) == 10


async def test_organization_uses_up_no_fetches_of_others(key_sets: IssuerKeySets, host: Host) -> None:
    """More issuers than are stored, which do not respond, and which one organization trusts: others find a new key."""
    await kids(key_sets)
    host.is_down = True
    for number in range(MOST + 1):
        await key_sets.find(f"https://{number}.flood.example", "k1", "flood")
    kept = await kids(key_sets)
    requested, host.is_down = len(host.requested), False
    host.documents[JWKS] = {"keys": [FIRST.public_jwk(), SECOND.public_jwk()]}

    assert (kept, requested) == (["k1"], 2 + OF_ORGANIZATION)
    assert await kids(key_sets, "k2") == ["k1", "k2"]


async def test_keys_of_the_last_day_serve_while_the_issuer_is_down(
    key_sets: IssuerKeySets, host: Host, clock: FrozenClock
) -> None:
    """An hour later they are read again; after a failure, the last ones count for a day."""
    await kids(key_sets)
    host.is_down = True
    clock.tick(3_601)
    served = await kids(key_sets)
    clock.tick(86_400)

    assert (served, await kids(key_sets)) == (["k1"], [])


async def test_a_withdrawn_key_ends_within_an_hour(key_sets: IssuerKeySets, host: Host, clock: FrozenClock) -> None:
    """The next reading replaces all keys."""
    await kids(key_sets)
    host.documents[JWKS] = {"keys": [SECOND.public_jwk()]}
    clock.tick(3_601)

    assert await kids(key_sets) == ["k2"]


async def test_documents_of_another_issuer_give_no_keys(host: Host, clock: FrozenClock) -> None:
    """The document must name the issuer by code point (JW-06), and one key at least that verifies."""
    for name, document in (
        ("without the slash", {"issuer": ISSUER[:-1], "jwks_uri": JWKS}),
        ("another host", {"issuer": "https://evil.test", "jwks_uri": JWKS}),
        ("no issuer", {"jwks_uri": JWKS}),
        ("no jwks_uri", {"issuer": ISSUER}),
        ("jwks_uri that is no text", {"issuer": ISSUER, "jwks_uri": [JWKS]}),
    ):
        with row(name):
            host.documents[DISCOVERY] = document

            assert await kids(IssuerKeySets(host, clock)) == []


async def test_only_usable_keys_count(key_sets: IssuerKeySets, host: Host) -> None:
    """Symmetric and private keys, those for encryption, and those of other or oversized kinds are ignored (JW-01, JW-02,
    RX-08).
    """
    good = FIRST.public_jwk()
    rsa = RSA.public_jwk()
    host.documents[JWKS] = {
        "keys": [
            {"kty": "oct", "kid": "symmetric", "k": "c2VjcmV0"},
            {**good, "kid": "private", "d": "c2VjcmV0"},
            {**good, "kid": "encrypts", "use": "enc"},
            {**good, "kid": "signs", "key_ops": ["sign"]},
            {**good, "kid": "other alg", "alg": "ES384"},
            {**good, "kid": "hmac", "alg": "HS256"},
            {**good, "kid": 1},
            {**rsa, "kid": "large", "n": "A" * 1_401},
            {**rsa, "kid": "exponent", "e": "A" * 12},
            {name: value for name, value in rsa.items() if name != "alg"},
            "no key",
            good,
        ]
    }

    assert sorted(await kids(key_sets)) == ["k1", "r1"]
