"""A data directory of Redis 6.2 goes on under Valkey, and back by the command of the upgrade guide."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

import pytest
from portico_harness.eventually import eventually
from portico_harness.portico_command import portico
from portico_harness.redis_before import RedisOfLastRelease, go_back
from portico_harness.redis_programs import REDIS_6_2
from portico_scenarios.agent import Agent
from portico_scenarios.participants import ALICE, BOB, CAROL
from portico_scenarios.programs import API, AUDIENCE
from portico_scenarios.relying_party import Begun, begin
from portico_scenarios.world import World, started
from portico_stack.assembly.layout import StackOptions
from portico_stack.machine import http_probe
from portico_stack.machine.binaries import REDIS_SERVER, find_program
from portico_stack.processes.programs import Process
from portico_stack.servers.redis import USERS, RedisServer

pytestmark = [pytest.mark.e2e, pytest.mark.long]

SCOPE: Final = f"openid offline_access {AUDIENCE}"


@pytest.fixture
async def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """A stack that begins with Redis 6.2."""
    monkeypatch.setenv(REDIS_SERVER.variable, str(find_program(REDIS_6_2)))
    async with started(StackOptions(tmp_path / ".portico", port=0), as_given=True) as world:
        monkeypatch.delenv(REDIS_SERVER.variable)
        yield world


@dataclass(slots=True)
class Earlier:
    """A session, tokens and what was used or revoked, all on one server."""

    world: World
    browser: Agent
    tokens: dict[str, Any] = field(repr=False)
    revoked: dict[str, Any] = field(repr=False)
    begun: Begun
    code: str = field(repr=False)

    @classmethod
    async def prepare(cls, world: World) -> Self:
        browser = world.agent()
        await browser.sign_in(begin(world.metadata, world.clients["basic"]).url, ALICE.login_name, ALICE.password)
        begun, code = await world.code_of(BOB, "post")
        assert (await world.redeem("post", code, code_verifier=begun.verifier)).status_code == 200
        tokens = await world.tokens_of(CAROL, "offline", scope=SCOPE)
        revoked = await world.tokens_of(CAROL, "offline", scope=SCOPE)
        for kind in ("access_token", "refresh_token"):
            answer = await world.ask("revocation_endpoint", world.clients["offline"], token=revoked[kind])
            assert answer.status_code == 200
        return cls(world, browser, tokens, revoked, begun, code)

    async def check(self) -> None:
        await self.world.silent_code(self.browser, "basic", prompt="none")
        assert await self.is_active(self.tokens)
        refreshed = await self.refresh(self.tokens)
        assert refreshed.status_code == 200, refreshed.text
        self.tokens = refreshed.json()
        assert not await self.is_active(self.revoked)
        again = [await self.refresh(self.revoked), await self.redeem()]
        assert [(one.status_code, one.json()["error"]) for one in again] == [(400, "invalid_grant")] * 2

    async def refresh(self, tokens: dict[str, Any]) -> Any:
        form = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
        return await self.world.ask("token_endpoint", self.world.clients["offline"], **form)

    async def redeem(self) -> Any:
        return await self.world.redeem("post", self.code, code_verifier=self.begun.verifier)

    async def is_active(self, tokens: dict[str, Any]) -> bool:
        answer = await self.world.ask("introspection_endpoint", API.client, token=tokens["access_token"])
        assert answer.status_code == 200, answer.text
        return bool(answer.json()["active"])


async def move(world: World, kind: type[RedisServer]) -> None:
    """Restarts Redis as another server on the same files; everything is ready and in order afterwards."""
    former = world.stack.layout.redis
    assert isinstance(former, RedisServer)
    server = kind(former.data, former.port, former.passwords)
    (process,) = world.stack.processes("redis")
    await world.stack.stop_part("redis")
    if kind is RedisOfLastRelease and (former.data / "appendonlydir").exists():
        go_back(world.stack.options.data.parent)
    process.program = server.program()
    await world.stack.start_part("redis")
    await server.prepare()
    assert _program_of(process).startswith("redis" if kind is RedisOfLastRelease else "valkey")

    async def unready() -> list[bytes]:
        found = [await http_probe.get(one.internal_port, "/readyz") for one in world.stack.layout.replicas]
        return [answer.body for answer in found if answer.status != 200 or b"degraded" in answer.body]

    await eventually(unready, [].__eq__)
    services = [word for service in USERS for word in ("--service", service)]
    doctor = await portico("doctor", *services, "--data", world.stack.options.data)
    found = [line for line in doctor.lines if " redis " in line]
    assert len(found) >= len(USERS), doctor.output
    assert not [line for line in found if "wrong: " in line], doctor.output


def _program_of(process: Process) -> str:
    return Path(f"/proc/{process.pid}/exe").readlink().name


async def test_sessions_and_tokens_outlast_the_server(world: World) -> None:
    """On each server: the session and the refresh token continue, the revoked token and the used code do not."""
    await move(world, RedisOfLastRelease)
    earlier = [await Earlier.prepare(world)]
    for kind in (RedisServer, RedisOfLastRelease, RedisServer):
        await move(world, kind)
        for one in earlier:
            await one.check()
        earlier.append(await Earlier.prepare(world))
