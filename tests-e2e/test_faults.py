"""Parts fail: what needs them answers 503, what does not goes on, and all recovers by itself."""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from signal import Signals

import httpx
import pytest
from portico_harness.eventually import eventually
from portico_journeys.agent import Agent, Page
from portico_journeys.participants import ALICE
from portico_journeys.relying_party import Begun, begin, userinfo
from portico_journeys.world import World, code_in, started
from portico_stack.layout import StackOptions

pytestmark = [pytest.mark.e2e, pytest.mark.long]

ANSWER_SECONDS = 10.0
"""Only a request that hangs takes so long, however busy the machine is; the two seconds each store has are the business
of `libs/runtime/tests` (FD-01, FD-02)."""


@pytest.fixture(scope="module")
async def fragile(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    """A stack to break things in."""
    async with started(StackOptions(tmp_path_factory.mktemp("fragile"), port=0)) as one:
        yield one


@asynccontextmanager
async def _without(world: World, part: str) -> AsyncIterator[None]:
    await world.stack.stop_part(part)
    try:
        yield
    finally:
        await world.stack.start_part(part)


async def _says_503(ask: Callable[[], Awaitable[httpx.Response]]) -> None:
    """Asks, and checks that the answer is an honest and quick refusal."""
    began = time.monotonic()
    answer = await ask()
    took = time.monotonic() - began

    assert answer.status_code == 503, f"{answer.status_code} at {answer.url}: {answer.text[:500]}"
    assert int(answer.headers["retry-after"]) >= 1
    assert "x-request-id" in answer.headers
    assert took < ANSWER_SECONDS
    if answer.headers["content-type"].startswith("application/json"):
        assert answer.json()["error"] == "server_error"
    else:
        assert 'id="error-page"' in answer.text


async def _public_documents_are_served(world: World) -> None:
    for url in (f"{world.issuer}/.well-known/openid-configuration", world.metadata["jwks_uri"]):
        answer = await world.http.get(url)
        assert answer.status_code == 200, f"{url}: {answer.status_code}"


async def _signs_in_again(world: World) -> None:
    async def whole_sign_in() -> str:
        token: str = (await world.tokens_of(ALICE, "basic"))["access_token"]
        return token

    await eventually(whole_sign_in, bool)


async def _at_password(world: World, agent: Agent) -> tuple[Begun, Page]:
    begun = begin(world.metadata, world.clients["basic"])
    await agent.open(begun.url)
    return begun, await agent.press("loginname-submit", loginname=ALICE.login_name)


async def test_redis_down_is_503_where_it_is_needed_and_recovers(fragile: World) -> None:
    """Without Redis no code, token or session is guessed at; documents stay; nothing must be restarted (FD-01)."""
    begun, code = await fragile.code_of(ALICE, "basic")
    opaque = (await fragile.tokens_of(ALICE, "basic"))["access_token"]
    stateless = (await fragile.tokens_of(ALICE, "jwt"))["access_token"]
    async with fragile.agent() as agent:
        _, page = await _at_password(fragile, agent)
        async with _without(fragile, "redis"):
            await _says_503(lambda: fragile.http.get(begin(fragile.metadata, fragile.clients["basic"]).url))
            await _says_503(lambda: fragile.redeem("basic", code, code_verifier=begun.verifier))
            await _says_503(lambda: userinfo(fragile.http, fragile.metadata, opaque))
            await _says_503(lambda: userinfo(fragile.http, fragile.metadata, stateless))
            await _says_503(lambda: agent.http.get(page.response.url))
            await _public_documents_are_served(fragile)

    await _signs_in_again(fragile)
    assert (await userinfo(fragile.http, fragile.metadata, opaque)).status_code == 200
    assert (await fragile.redeem("basic", code, code_verifier=begun.verifier)).status_code == 200


async def test_session_survives_redis(fragile: World) -> None:
    """What Redis acknowledged is there after it comes back: no password has to be entered again (FD-01)."""
    first, second = (begin(fragile.metadata, fragile.clients["basic"]) for _ in range(2))
    async with fragile.agent() as agent:
        await agent.sign_in(first.url, ALICE.login_name, ALICE.password)
        async with _without(fragile, "redis"):
            pass

        async def silent() -> Page:
            return await agent.open(second.url)

        page = await eventually(silent, lambda page: page.status != 503)

    assert page.returned is not None
    assert "code" in page.returned


async def test_bus_down_is_503_where_it_is_needed_and_recovers(fragile: World) -> None:
    """Without the bus no code is redeemed and no password checked; documents stay (FD-05)."""
    begun, code = await fragile.code_of(ALICE, "basic")
    async with fragile.agent() as agent:
        login, _ = await _at_password(fragile, agent)
        async with _without(fragile, "nats"):
            await _says_503(lambda: fragile.redeem("basic", code, code_verifier=begun.verifier))
            refused = await agent.press("password-submit", password=ALICE.password)
            await _public_documents_are_served(fragile)
        await _signs_in_again(fragile)
        page = await agent.open(login.url)

    assert refused.status == 503
    assert refused.returned is None
    assert page.status == 200
    assert (await fragile.redeem("basic", code, code_verifier=begun.verifier)).status_code == 200


async def test_database_down_is_503_at_the_password_and_recovers(fragile: World) -> None:
    """Without MongoDB no password is checked; tokens already issued and the key set go on (FD-08)."""
    token = (await fragile.tokens_of(ALICE, "basic"))["access_token"]
    async with fragile.agent() as agent:
        await _at_password(fragile, agent)
        async with _without(fragile, "mongo"):
            refused = await agent.press("password-submit", password=ALICE.password)
            await _public_documents_are_served(fragile)

    assert refused.status == 503
    assert refused.returned is None
    await _signs_in_again(fragile)
    assert (await userinfo(fragile.http, fragile.metadata, token)).status_code == 200


@pytest.mark.parametrize("part", ["redis", "nats", "mongo"])
async def test_part_that_hangs_delays_no_other(fragile: World, part: str) -> None:
    """A part that takes connections and never answers: 503 in time for all who wait, documents as ever (FD-02)."""
    async with AsyncExitStack() as opened:
        agents = [await opened.enter_async_context(fragile.agent()) for _ in range(8)]
        for agent in agents:
            await _at_password(fragile, agent)
        fragile.stack.send(part, Signals.SIGSTOP)
        try:
            waiting = [_says_503(functools.partial(_press, agent)) for agent in agents]
            await asyncio.gather(*waiting, _public_documents_are_served(fragile))
        finally:
            fragile.stack.send(part, Signals.SIGCONT)

    await _signs_in_again(fragile)


async def _press(agent: Agent) -> httpx.Response:
    return (await agent.press("password-submit", password=ALICE.password)).response


@pytest.mark.parametrize("service", ["authz", "login-ui", "users"])
async def test_service_killed_in_the_middle_of_a_login_does_not_end_it(fragile: World, service: str) -> None:
    """All state of a login is in the stores: it goes on after a service died and came back (FD-11, FD-12)."""
    async with fragile.agent() as agent:
        begun, _ = await _at_password(fragile, agent)
        await _killed(fragile, service)
        code = code_in(await agent.press("password-submit", password=ALICE.password))
    answer = await fragile.redeem("basic", code, code_verifier=begun.verifier)

    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("service", ["token", "keys", "authz"])
async def test_service_killed_before_the_code_is_redeemed_does_not_lose_it(fragile: World, service: str) -> None:
    """A code outlives the process that gave it, and the one that will redeem it (FD-11)."""
    begun, code = await fragile.code_of(ALICE, "jwt")
    await _killed(fragile, service)
    answer = await fragile.redeem("jwt", code, code_verifier=begun.verifier)

    assert answer.status_code == 200, answer.text


async def _killed(world: World, service: str) -> None:
    """Ends a service as a crash would; returns once its successor is ready."""
    replica = world.stack.replicas_of(service)[0]

    async def is_gone() -> bool:
        try:
            await replica.ready()
        except OSError:
            return True
        return False

    world.stack.kill(service)
    await eventually(is_gone, bool)
    await world.stack.wait_until_ready(service)
