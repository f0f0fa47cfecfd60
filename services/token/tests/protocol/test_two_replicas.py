"""Races of two replicas on a real Redis and a real bus."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from itertools import cycle
from pathlib import Path
from typing import Any

import httpx
import pytest
from portico_contracts import http
from portico_contracts.users import AccessTokenType, AuthMethod, Dpop
from portico_fakes.assertions import ASSERTION_TYPE, claims_of, registered, sign
from portico_fakes.dpop_proofs import Prover
from portico_fakes.token_peers import FakeAuthz, FakeKeys, FakeUsers
from portico_fakes.token_service import CALLBACK, ISSUER, SECRET, Peers, TokenService
from portico_harness.redis_files import remove_redis_files
from portico_harness.servers import RunningNats, RunningRedis, running_redis
from portico_oauth.jose import SigningKey
from portico_runtime.process.clock import SystemClock
from portico_token.settings import Settings

pytestmark = [pytest.mark.servers, pytest.mark.long]

KEY = SigningKey.generate("k1", "ES256")
GRANT_TYPES = ("authorization_code", "refresh_token")
IN_FLIGHT = 128
USES, ROUNDS = 1_000, 3
PRESENTATIONS = 500

Replicas = tuple[TokenService, TokenService]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("two-replicas")


@pytest.fixture(scope="module")
def own_redis(data: Path) -> Iterator[RunningRedis]:
    with running_redis(data) as server:
        yield server


@pytest.fixture
async def replicas(
    own_redis: RunningRedis, nats_server: RunningNats, signing_keys: tuple[SigningKey, ...]
) -> AsyncIterator[Replicas]:
    """Two replicas with the client ``app``, which may refresh, and ``signer`` and the service user ``robot``,
    which have a key.
    """
    sections = {**own_redis.section("token").model_dump(), **nats_server.section("token").model_dump()}
    users, authz, keys = (nats_server.bus(name) for name in ("users", "authz", "keys"))
    peers = Peers(FakeUsers(users), FakeAuthz(authz), FakeKeys(keys, signing_keys))
    settings = Settings(issuer=ISSUER, **sections)
    both = tuple(TokenService(peers, users, SystemClock(), settings) for _ in range(2))
    for service in both:
        service.random = secrets.token_bytes
    both[0].register("app", grant_types=GRANT_TYPES, access_token_type=AccessTokenType.JWT)
    both[0].register("bound", dpop=Dpop.ALLOWED)
    both[0].register("signer", AuthMethod.PRIVATE_KEY_JWT, keys=(registered(KEY),))
    both[0].register_service_user("robot", keys=(registered(KEY),), access_token_type=AccessTokenType.JWT)
    async with AsyncExitStack() as stack:
        for bus in (users, authz, keys):
            await bus.start()
            stack.push_async_callback(bus.close)
        for service in both:
            await stack.enter_async_context(service.running())
        yield both[0], both[1]


async def at_once(
    replicas: Replicas, times: int, ask: Callable[[TokenService], Awaitable[httpx.Response]]
) -> list[httpx.Response]:
    """Sends the same request many times concurrently, alternating between the replicas."""
    gate = asyncio.Semaphore(IN_FLIGHT)

    async def one(service: TokenService) -> httpx.Response:
        async with gate:
            return await ask(service)

    turns = cycle(replicas)
    return await asyncio.gather(*(one(next(turns)) for _ in range(times)))


def fresh(service: TokenService, subject: str = "robot", **changes: Any) -> str:
    """Returns an assertion two seconds in the future, which is allowed, so that no epoch of this second refuses it."""
    return sign(KEY, claims_of(subject, ISSUER, service.clock.now() + 2, **changes))


@pytest.mark.parametrize("number", range(ROUNDS))
async def test_one_of_1000_uses_of_a_refresh_token_wins(replicas: Replicas, number: int) -> None:
    """Exactly one use succeeds, none is a 5xx, and every token of the family is revoked afterwards (TK-09)."""
    one, other = replicas
    first = (await one.redeem(one.issue_code("app", scope=("openid", "offline_access")), "app")).json()

    answers = await at_once(replicas, USES, lambda service: service.refresh(first["refresh_token"], "app"))
    second = next(answer.json() for answer in answers if answer.status_code == 200)
    afterwards = [await service.refresh(second["refresh_token"], "app") for service in replicas]
    tokens = [first["access_token"], second["access_token"]]

    assert Counter(answer.status_code for answer in answers) == {200: 1, 400: USES - 1}, number
    assert {answer.json()["error"] for answer in answers if answer.status_code == 400} == {"invalid_grant"}
    assert [answer.json()["error"] for answer in afterwards] == ["invalid_grant"] * 2
    assert [(await other.userinfo(token)).status_code for token in tokens] == [401, 401]


async def test_refresh_chain_over_both_replicas(replicas: Replicas) -> None:
    one, other = replicas
    tokens = (await one.redeem(one.issue_code("app", scope=("openid", "offline_access")), "app")).json()
    for service in (other, one) * 5:
        tokens = (await service.refresh(tokens["refresh_token"], "app")).json()

    assert (await one.userinfo(tokens["access_token"])).status_code == 200


@pytest.mark.parametrize(
    ("assertion_use", "changes"), [("jwt-bearer", {}), ("jwt-bearer", {"jti": ...}), ("private_key_jwt", {})]
)
async def test_one_of_500_uses_of_an_assertion_wins(
    replicas: Replicas, assertion_use: str, changes: dict[str, Any]
) -> None:
    """Exactly one use succeeds and none is a 5xx, also without a jti where the assertion is the grant (JW-10)."""
    one = replicas[0]
    assertion = fresh(one, "robot" if assertion_use == "jwt-bearer" else "signer", **changes)
    form = {"client_assertion_type": ASSERTION_TYPE, "client_assertion": assertion, "token": "x"}

    async def ask(service: TokenService) -> httpx.Response:
        if assertion_use == "jwt-bearer":
            return await service.jwt_bearer(assertion)
        return await service.http.post("/oauth/v2/introspect", data=form)

    answers = await at_once(replicas, PRESENTATIONS, ask)
    refused = 400 if assertion_use == "jwt-bearer" else 401

    assert Counter(answer.status_code for answer in answers) == {200: 1, refused: PRESENTATIONS - 1}


@pytest.mark.parametrize("resource", [False, True])
async def test_one_of_200_uses_of_a_proof_wins(replicas: Replicas, *, resource: bool) -> None:
    """At the endpoint that issues tokens, where each use has its own code, and at userinfo (RFC 9449 section 11.1)."""
    one = replicas[0]
    prover = Prover(ISSUER, one.clock.now() + 2)

    async def redeem(service: TokenService, proof: str) -> httpx.Response:
        form = {"grant_type": "authorization_code", "code": service.issue_code("bound"), "redirect_uri": CALLBACK}
        return await service.token(form, basic=("bound", SECRET), headers={"DPoP": proof})

    token = (await redeem(one, prover.proof(http.TOKEN))).json()["access_token"] if resource else ""
    proof = prover.proof(http.USERINFO if resource else http.TOKEN, method="GET" if resource else "POST", token=token)

    async def ask(service: TokenService) -> httpx.Response:
        if resource:
            headers = {"Authorization": f"DPoP {token}", "DPoP": proof}
            return await service.http.get(http.USERINFO, headers=headers)
        return await redeem(service, proof)

    answers = await at_once(replicas, 200, ask)

    assert Counter(answer.status_code for answer in answers) == {200: 1, 401 if resource else 400: 199}
    assert {answer.json()["error"] for answer in answers if answer.status_code != 200} == {"invalid_dpop_proof"}


async def test_used_assertions_survive_a_restart(replicas: Replicas, own_redis: RunningRedis) -> None:
    """After a restart of all servers the store still has its markers (JW-10)."""
    one, other = replicas
    assertion = fresh(one)
    first = await one.jwt_bearer(assertion)
    await asyncio.to_thread(own_redis.stop)
    try:
        away = await other.jwt_bearer(fresh(one))
    finally:
        await asyncio.to_thread(own_redis.start)
    again = await other.jwt_bearer(assertion)

    assert (first.status_code, away.status_code, again.status_code) == (200, 503, 400)
    assert (await other.jwt_bearer(fresh(one))).status_code == 200


async def test_emptied_redis_accepts_nothing_older(replicas: Replicas, own_redis: RunningRedis, data: Path) -> None:
    """Earlier assertions and stateless tokens are refused, and later ones are accepted (JW-10)."""
    one, other = replicas
    old, unused = (sign(KEY, claims_of("robot", ISSUER, one.clock.now() - 5)) for _ in range(2))
    before = await one.jwt_bearer(fresh(one), scope="openid")
    await asyncio.to_thread(own_redis.stop)
    await asyncio.to_thread(remove_redis_files, data)
    await asyncio.to_thread(own_redis.start)
    lost = [await other.jwt_bearer(assertion) for assertion in (old, unused, old)]

    assert before.status_code == 200
    assert [answer.json()["error"] for answer in lost] == ["invalid_grant"] * 3
    assert (await one.userinfo(before.json()["access_token"])).status_code == 401
    assert (await other.jwt_bearer(fresh(one))).status_code == 200
