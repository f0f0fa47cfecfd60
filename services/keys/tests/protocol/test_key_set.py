"""GET /oauth/v2/keys."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from portico_contracts.http import KEYS
from portico_contracts.keys import ACTIVE_KEYS, GetActiveKeys
from portico_fakes.clock import FrozenClock
from portico_fakes.keys_service import KeysService, MemoryKeys
from portico_fakes.memory_bus import MemoryBus
from portico_oauth.jose import SigningKey
from portico_oauth.sealing import Sealed, open_sealed

PRIVATE_MEMBERS = {"d", "p", "q", "dp", "dq", "qi", "oth", "k"}


@pytest.fixture
def key_store() -> MemoryKeys:
    """Keys in memory."""
    return MemoryKeys()


@pytest.fixture
def keys_service(clock: FrozenClock, bus: MemoryBus, key_store: MemoryKeys) -> KeysService:
    """One replica for all three algorithms that has not looked after its keys yet; ten requests a minute."""
    return KeysService(clock, bus, key_store, signing_algorithms="RS256,ES256,EdDSA", keys_requests_per_minute=10)


@pytest.fixture
async def key_client(keys_service: KeysService) -> AsyncIterator[httpx.AsyncClient]:
    """An HTTP client of that replica."""
    transport = httpx.ASGITransport(keys_service.app, client=("192.0.2.1", 4000))
    async with httpx.AsyncClient(transport=transport, base_url="http://keys.test") as client:
        yield client


async def test_before_the_first_reading_the_answer_is_503(key_client: httpx.AsyncClient) -> None:
    """Before the keys were read for the first time there is no key set to serve (FD-17)."""
    answer = await key_client.get(KEYS)

    assert answer.status_code == 503
    assert answer.json()["error"] == "server_error"
    assert answer.headers["retry-after"] == "1"


async def test_a_key_set_without_keys_is_never_served(
    keys_service: KeysService, key_client: httpx.AsyncClient, bus: MemoryBus
) -> None:
    """Caches would store it for five minutes: it is 503 until there is a key, by whichever replica the store was read."""
    requester = X25519PrivateKey.generate().public_key().public_bytes_raw()
    active = await bus.call(ACTIVE_KEYS, GetActiveKeys(public_key=requester))

    assert active.keys == ()
    assert (await key_client.get(KEYS)).status_code == 503


async def test_every_key_has_kid_use_and_alg_and_no_private_member(
    keys_service: KeysService, key_client: httpx.AsyncClient
) -> None:
    """The key set holds one key for each algorithm, public halves only, each with a name of its own (IR-15)."""
    await keys_service.look_after_keys()
    keys = (await key_client.get(KEYS)).json()["keys"]

    assert {"RS256", "ES256", "EdDSA"} == {key["alg"] for key in keys}
    assert {"sig"} == {key["use"] for key in keys}
    assert len({key["kid"] for key in keys}) == 3
    assert not any(PRIVATE_MEMBERS & set(key) for key in keys)


async def test_rsa_keys_come_first(keys_service: KeysService, key_client: httpx.AsyncClient) -> None:
    """Clients that try each key in turn, and fail at one of another type, find the RSA key of the default algorithm."""
    await keys_service.look_after_keys()
    keys = (await key_client.get(KEYS)).json()["keys"]

    assert [key["kty"] for key in keys] == ["RSA", "EC", "OKP"]


async def test_pyjwt_verifies_signatures_of_a_distributed_key(
    keys_service: KeysService, key_client: httpx.AsyncClient, bus: MemoryBus
) -> None:
    """A relying party that reads the key set with PyJWT verifies tokens of every algorithm."""
    await keys_service.look_after_keys()
    requester = X25519PrivateKey.generate()
    active = await bus.call(ACTIVE_KEYS, GetActiveKeys(public_key=requester.public_key().public_bytes_raw()))
    key_set = jwt.PyJWKSet.from_json((await key_client.get(KEYS)).text)
    verified = set()
    for handed in active.keys:
        der = open_sealed(requester, handed.kid, Sealed(handed.sender_key, handed.nonce, handed.sealed))
        token = SigningKey.load(handed.kid, handed.alg, der).sign(b'{"sub":"1"}')
        assert jwt.decode(token, key_set[handed.kid], algorithms=[handed.alg]) == {"sub": "1"}
        verified.add(handed.alg)

    assert {"RS256", "ES256", "EdDSA"} == verified


async def test_the_answer_may_be_cached_and_read_from_any_origin(
    keys_service: KeysService, key_client: httpx.AsyncClient
) -> None:
    """Relying parties keep the key set for five minutes; browsers of any origin may read it (IR-15, IR-17)."""
    await keys_service.look_after_keys()
    answer = await key_client.get(KEYS, headers={"Origin": "https://rp.example.test"})

    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "public, max-age=300, must-revalidate"
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in answer.headers
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "x-request-id" in answer.headers


async def test_who_has_the_key_set_gets_304(keys_service: KeysService, key_client: httpx.AsyncClient) -> None:
    """The entity tag, strong, weak or in a list, saves the body (RFC 9110 §13.1.2)."""
    await keys_service.look_after_keys()
    tag = (await key_client.get(KEYS)).headers["etag"]
    answers = [
        await key_client.get(KEYS, headers={"If-None-Match": value})
        for value in (tag, f"W/{tag}", f'"other", {tag}', "*")
    ]

    assert [answer.status_code for answer in answers] == [304] * 4
    assert [answer.content for answer in answers] == [b""] * 4
    assert {tag} == {answer.headers["etag"] for answer in answers}


async def test_a_changed_key_set_has_another_tag(
    keys_service: KeysService, key_client: httpx.AsyncClient, clock: FrozenClock
) -> None:
    """A relying party that revalidates learns a new key at once."""
    await keys_service.look_after_keys()
    tag = (await key_client.get(KEYS)).headers["etag"]
    clock.tick(keys_service.settings.signing_seconds)
    await keys_service.look_after_keys()
    answer = await key_client.get(KEYS, headers={"If-None-Match": tag})

    assert answer.status_code == 200
    assert tag != answer.headers["etag"]
    assert len(answer.json()["keys"]) == 6


async def test_the_key_set_is_served_while_the_store_is_down(
    keys_service: KeysService, key_client: httpx.AsyncClient, key_store: MemoryKeys
) -> None:
    """Once read, the document depends on no store (FD-02)."""
    await keys_service.look_after_keys()
    before = (await key_client.get(KEYS)).content
    key_store.down = True

    assert before == (await key_client.get(KEYS)).content


async def test_head_and_preflight(keys_service: KeysService, key_client: httpx.AsyncClient) -> None:
    """HEAD has the headers of GET; a preflight for revalidation and tracing passes."""
    await keys_service.look_after_keys()
    head = await key_client.head(KEYS)
    preflight = await key_client.options(KEYS, headers={"Access-Control-Request-Headers": "if-none-match"})

    assert head.status_code == 200
    assert "etag" in head.headers
    assert preflight.status_code == 204
    allowed = {name.strip().lower() for name in preflight.headers["access-control-allow-headers"].split(",")}
    assert {"if-none-match", "traceparent", "tracestate", "baggage", "sentry-trace"} <= allowed


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
async def test_another_method_is_405_in_json(key_client: httpx.AsyncClient, method: str) -> None:
    """A wrong method is refused on the surface of the OAuth endpoints."""
    answer = await key_client.request(method, KEYS)

    assert answer.status_code == 405
    assert answer.json()["error"] == "invalid_request"
    assert "GET" in answer.headers["allow"]


async def test_hammering_is_429_with_retry_after(
    keys_service: KeysService, key_client: httpx.AsyncClient, clock: FrozenClock
) -> None:
    """The request after the last allowed one of the minute gets the seconds to wait in Retry-After."""
    await keys_service.look_after_keys()
    allowed = [(await key_client.get(KEYS)).status_code for _ in range(10)]
    refused = await key_client.get(KEYS)
    clock.tick(int(refused.headers["retry-after"]))

    assert allowed == [200] * 10
    assert refused.status_code == 429
    assert (await key_client.get(KEYS)).status_code == 200


async def test_forged_forwarded_for_does_not_reset_the_limit(
    keys_service: KeysService, key_client: httpx.AsyncClient
) -> None:
    """What a client writes before the gateway's element, and what cannot be read, changes no count (HH-03)."""
    await keys_service.look_after_keys()
    forged = [f"203.0.113.{number}, 198.51.100.9" for number in range(11)]
    garbage = ["a" * number for number in range(1, 12)]
    by_gateway = [(await key_client.get(KEYS, headers={"X-Forwarded-For": value})).status_code for value in forged]
    unreadable = [(await key_client.get(KEYS, headers={"X-Forwarded-For": value})).status_code for value in garbage]

    assert by_gateway[-1] == 429
    assert unreadable[-1] == 429
    assert by_gateway[:-1] == [200] * 10


async def test_an_error_can_be_read_from_any_origin(keys_service: KeysService, key_client: httpx.AsyncClient) -> None:
    """A page of any origin may read the error of an early or excessive request, and its Retry-After (IR-17)."""
    early = await key_client.get(KEYS, headers={"Origin": "https://rp.example.test"})
    await keys_service.look_after_keys()
    often = [await key_client.get(KEYS, headers={"Origin": "https://rp.example.test"}) for _ in range(11)][-1]

    assert [early.status_code, often.status_code] == [503, 429]
    for answer in (early, often):
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "Retry-After" in answer.headers["access-control-expose-headers"]
        assert int(answer.headers["retry-after"]) >= 1
        assert answer.headers["cache-control"] == "no-store"


async def test_what_was_not_modified_counts_as_well(keys_service: KeysService, key_client: httpx.AsyncClient) -> None:
    """Requests that are answered with 304 count towards the limit as well."""
    await keys_service.look_after_keys()
    tag = (await key_client.get(KEYS)).headers["etag"]
    seen = [(await key_client.get(KEYS, headers={"If-None-Match": tag})).status_code for _ in range(10)]

    assert seen == [304] * 9 + [429]
