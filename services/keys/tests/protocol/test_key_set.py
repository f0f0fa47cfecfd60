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
from portico_fakes.registered_origins import know_origins
from portico_oauth.jose import SigningKey
from portico_oauth.sealing import Sealed, open_sealed

PRIVATE_MEMBERS = {"d", "p", "q", "dp", "dq", "qi", "oth", "k"}


@pytest.fixture
def key_store() -> MemoryKeys:
    return MemoryKeys()


@pytest.fixture
def keys_service(clock: FrozenClock, bus: MemoryBus, key_store: MemoryKeys) -> KeysService:
    """One replica for all three algorithms that has no keys yet; ten requests a minute."""
    return KeysService(clock, bus, key_store, signing_algorithms="RS256,ES256,EdDSA", keys_requests_per_minute=10)


@pytest.fixture
async def key_client(keys_service: KeysService) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(keys_service.app, client=("192.0.2.1", 4000))
    async with httpx.AsyncClient(transport=transport, base_url="http://keys.test") as client:
        yield client


async def test_before_the_first_read_the_response_is_503(key_client: httpx.AsyncClient) -> None:
    """Before the keys were read for the first time there is no key set to serve (FD-17)."""
    answer = await key_client.get(KEYS)

    assert answer.status_code == 503
    assert answer.json()["error"] == "server_error"
    assert answer.headers["retry-after"] == "1"


async def test_empty_key_set_is_never_served(
    keys_service: KeysService, key_client: httpx.AsyncClient, bus: MemoryBus
) -> None:
    """Caches would store an empty key set for five minutes, so the response is 503."""
    requester = X25519PrivateKey.generate().public_key().public_bytes_raw()
    active = await bus.call(ACTIVE_KEYS, GetActiveKeys(public_key=requester))

    assert active.keys == ()
    assert (await key_client.get(KEYS)).status_code == 503


async def test_every_key_has_kid_use_and_alg_and_no_private_member(
    keys_service: KeysService, key_client: httpx.AsyncClient
) -> None:
    """The key set has one public key for each algorithm, each with a unique kid (IR-15)."""
    await keys_service.look_after_keys()
    keys = (await key_client.get(KEYS)).json()["keys"]

    assert {"RS256", "ES256", "EdDSA"} == {key["alg"] for key in keys}
    assert {"sig"} == {key["use"] for key in keys}
    assert len({key["kid"] for key in keys}) == 3
    assert not any(PRIVATE_MEMBERS & set(key) for key in keys)


async def test_rsa_keys_come_first(keys_service: KeysService, key_client: httpx.AsyncClient) -> None:
    """Some clients try each key in turn and fail at another type than RSA."""
    await keys_service.look_after_keys()
    keys = (await key_client.get(KEYS)).json()["keys"]

    assert [key["kty"] for key in keys] == ["RSA", "EC", "OKP"]


async def test_pyjwt_verifies_with_the_key_set(
    keys_service: KeysService, key_client: httpx.AsyncClient, bus: MemoryBus
) -> None:
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


async def test_key_set_is_cacheable_by_any_origin(keys_service: KeysService, key_client: httpx.AsyncClient) -> None:
    """Relying parties may cache the key set for five minutes, and any origin may read it (IR-15, IR-17)."""
    await keys_service.look_after_keys()
    answer = await key_client.get(KEYS, headers={"Origin": "https://rp.example.test"})

    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "public, max-age=300, must-revalidate"
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in answer.headers
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "x-request-id" in answer.headers


async def test_application_reads_the_key_set_with_credentials(
    keys_service: KeysService, key_client: httpx.AsyncClient, bus: MemoryBus
) -> None:
    """The document, an error and 304 name the registered origin; other origins get ``*`` (IR-17, decision 0118)."""
    know_origins(bus, "https://spa.example.test")
    own, other = {"Origin": "https://spa.example.test"}, {"Origin": "https://evil.test"}
    early = await key_client.get(KEYS, headers=own)
    await keys_service.look_after_keys()
    found = await key_client.get(KEYS, headers=own)
    known = await key_client.get(KEYS, headers={**own, "If-None-Match": "*"})
    foreign = await key_client.get(KEYS, headers=other)

    assert [answer.status_code for answer in (early, found, known, foreign)] == [503, 200, 304, 200]
    for answer in (early, found, known):
        assert answer.headers["access-control-allow-origin"] == "https://spa.example.test"
        assert answer.headers["access-control-allow-credentials"] == "true"
        assert answer.headers["access-control-expose-headers"] == "ETag, Retry-After"
    assert foreign.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in foreign.headers
    assert {answer.headers["vary"] for answer in (early, found, known, foreign)} == {"Origin"}


async def test_known_etag_gets_304(keys_service: KeysService, key_client: httpx.AsyncClient) -> None:
    """A strong, weak or listed entity tag saves the body (RFC 9110 §13.1.2)."""
    await keys_service.look_after_keys()
    tag = (await key_client.get(KEYS)).headers["etag"]
    answers = [
        await key_client.get(KEYS, headers={"If-None-Match": value})
        for value in (tag, f"W/{tag}", f'"other", {tag}', "*")
    ]

    assert [answer.status_code for answer in answers] == [304] * 4
    assert [answer.content for answer in answers] == [b""] * 4
    assert {tag} == {answer.headers["etag"] for answer in answers}


async def test_changed_key_set_has_another_etag(
    keys_service: KeysService, key_client: httpx.AsyncClient, clock: FrozenClock
) -> None:
    await keys_service.look_after_keys()
    tag = (await key_client.get(KEYS)).headers["etag"]
    clock.tick(keys_service.settings.signing_seconds)
    await keys_service.look_after_keys()
    answer = await key_client.get(KEYS, headers={"If-None-Match": tag})

    assert answer.status_code == 200
    assert tag != answer.headers["etag"]
    assert len(answer.json()["keys"]) == 6


async def test_key_set_is_served_while_the_store_is_down(
    keys_service: KeysService, key_client: httpx.AsyncClient, key_store: MemoryKeys
) -> None:
    """Once read, the document depends on no store (FD-02)."""
    await keys_service.look_after_keys()
    before = (await key_client.get(KEYS)).content
    key_store.down = True

    assert before == (await key_client.get(KEYS)).content


async def test_head_and_preflight(keys_service: KeysService, key_client: httpx.AsyncClient) -> None:
    """HEAD has the headers of GET, and a preflight for revalidation and tracing passes."""
    await keys_service.look_after_keys()
    head = await key_client.head(KEYS)
    preflight = await key_client.options(KEYS, headers={"Access-Control-Request-Headers": "if-none-match"})

    assert head.status_code == 200
    assert "etag" in head.headers
    assert preflight.status_code == 204
    allowed = {name.strip().lower() for name in preflight.headers["access-control-allow-headers"].split(",")}
    assert {"if-none-match", "traceparent", "tracestate", "baggage", "sentry-trace"} <= allowed


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
async def test_other_method_is_405_in_json(key_client: httpx.AsyncClient, method: str) -> None:
    answer = await key_client.request(method, KEYS)

    assert answer.status_code == 405
    assert answer.json()["error"] == "invalid_request"
    assert "GET" in answer.headers["allow"]


async def test_rate_limit_is_429_with_retry_after(
    keys_service: KeysService, key_client: httpx.AsyncClient, clock: FrozenClock
) -> None:
    await keys_service.look_after_keys()
    allowed = [(await key_client.get(KEYS)).status_code for _ in range(10)]
    refused = await key_client.get(KEYS)
    clock.tick(int(refused.headers["retry-after"]))

    assert allowed == [200] * 10
    assert refused.status_code == 429
    assert (await key_client.get(KEYS)).status_code == 200


async def test_own_services_are_not_limited(keys_service: KeysService, key_client: httpx.AsyncClient) -> None:
    """Sign-ins at the console go on beside a client that is as loud, behind the gateway on the same machine."""
    await keys_service.look_after_keys()
    transport = httpx.ASGITransport(keys_service.app, client=("127.0.0.1", 4000))
    async with httpx.AsyncClient(transport=transport, base_url="http://keys.test") as local:
        by_gateway = [(await local.get(KEYS, headers={"X-Forwarded-For": "127.0.0.1"})).status_code for _ in range(11)]
        of_console = [(await local.get(KEYS)).status_code for _ in range(11)]
    strange = [(await key_client.get(KEYS)).status_code for _ in range(11)]

    assert (by_gateway[-1], set(of_console), strange[-1]) == (429, {200}, 429)


async def test_forged_forwarded_for_does_not_reset_the_limit(
    keys_service: KeysService, key_client: httpx.AsyncClient
) -> None:
    """Elements written by the client, and unreadable ones, change no count (HH-03)."""
    await keys_service.look_after_keys()
    forged = [f"203.0.113.{number}, 198.51.100.9" for number in range(11)]
    garbage = ["a" * number for number in range(1, 12)]
    by_gateway = [(await key_client.get(KEYS, headers={"X-Forwarded-For": value})).status_code for value in forged]
    unreadable = [(await key_client.get(KEYS, headers={"X-Forwarded-For": value})).status_code for value in garbage]

    assert by_gateway[-1] == 429
    assert unreadable[-1] == 429
    assert by_gateway[:-1] == [200] * 10


async def test_error_is_readable_from_any_origin(keys_service: KeysService, key_client: httpx.AsyncClient) -> None:
    """A page of any origin may read an error and its Retry-After (IR-17)."""
    early = await key_client.get(KEYS, headers={"Origin": "https://rp.example.test"})
    await keys_service.look_after_keys()
    often = [await key_client.get(KEYS, headers={"Origin": "https://rp.example.test"}) for _ in range(11)][-1]

    assert [early.status_code, often.status_code] == [503, 429]
    for answer in (early, often):
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "Retry-After" in answer.headers["access-control-expose-headers"]
        assert int(answer.headers["retry-after"]) >= 1
        assert answer.headers["cache-control"] == "no-store"


async def test_304_counts_towards_the_limit(keys_service: KeysService, key_client: httpx.AsyncClient) -> None:
    await keys_service.look_after_keys()
    tag = (await key_client.get(KEYS)).headers["etag"]
    seen = [(await key_client.get(KEYS, headers={"If-None-Match": tag})).status_code for _ in range(10)]

    assert seen == [304] * 9 + [429]
