"""Failures: dependent requests get 503, others continue, and everything recovers by itself."""

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
from portico_harness.pausing import pause
from portico_scenarios.agent import Agent, Page
from portico_scenarios.participants import ALICE
from portico_scenarios.relying_party import Begun, begin, userinfo
from portico_scenarios.world import World, code_in, started
from portico_stack.assembly.layout import StackOptions

pytestmark = [pytest.mark.e2e, pytest.mark.long]

ANSWER_SECONDS = 10.0
"""Seconds after which a request is considered to hang; the timeout of two seconds per store is tested in
`libs/runtime/tests` (FD-01, FD-02).
"""


@pytest.fixture(scope="module")
async def fragile(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
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
    """Checks that the request gets a prompt 503."""
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


async def test_redis_down_gives_503_and_recovers(fragile: World) -> None:
    """Without Redis codes, tokens and sessions get 503, documents are served, and recovery needs no restart (FD-01)."""
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


async def test_session_survives_a_redis_restart(fragile: World) -> None:
    """Data that Redis acknowledged is there after a restart, so no password has to be entered again (FD-01)."""
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


async def test_bus_down_gives_503_and_recovers(fragile: World) -> None:
    """Without the bus no code is redeemed and no password checked, and documents are served (FD-05)."""
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


async def test_database_down_gives_503_at_the_password_and_recovers(fragile: World) -> None:
    """Without MongoDB no password is checked, and issued tokens and the key set continue to work (FD-08)."""
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
async def test_hanging_part_does_not_delay_others(fragile: World, part: str) -> None:
    """A part that accepts connections but never responds causes a timely 503, and documents are served (FD-02)."""
    async with AsyncExitStack() as opened:
        agents = [await opened.enter_async_context(fragile.agent()) for _ in range(8)]
        for agent in agents:
            await _at_password(fragile, agent)
        for process in fragile.stack.processes(part):
            pause(process)
        try:
            waiting = [_says_503(functools.partial(_press, agent)) for agent in agents]
            await asyncio.gather(*waiting, _public_documents_are_served(fragile))
        finally:
            fragile.stack.send(part, Signals.SIGCONT)

    await _signs_in_again(fragile)


async def _press(agent: Agent) -> httpx.Response:
    return (await agent.press("password-submit", password=ALICE.password)).response


@pytest.mark.parametrize("service", ["authz", "login-ui", "users"])
async def test_login_survives_a_service_crash(fragile: World, service: str) -> None:
    """All state of a login is in the stores, so it continues after a service crashed and restarted (FD-11, FD-12)."""
    async with fragile.agent() as agent:
        begun, _ = await _at_password(fragile, agent)
        await _killed(fragile, service)
        code = code_in(await agent.press("password-submit", password=ALICE.password))
    answer = await fragile.redeem("basic", code, code_verifier=begun.verifier)

    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("service", ["token", "keys", "authz"])
async def test_code_survives_a_service_crash(fragile: World, service: str) -> None:
    """A code survives crashes of the service that issued it and of the one that redeems it (FD-11)."""
    begun, code = await fragile.code_of(ALICE, "jwt")
    await _killed(fragile, service)
    answer = await fragile.redeem("jwt", code, code_verifier=begun.verifier)

    assert answer.status_code == 200, answer.text


async def _killed(world: World, service: str) -> None:
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
