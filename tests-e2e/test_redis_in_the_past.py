"""An older copy of Redis is restored: used, ended and revoked state does not come back (decision 0065)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import pytest
from portico_contracts.authz import END_SESSIONS, EndSessions
from portico_contracts.catalogue import SERVICES
from portico_harness.eventually import eventually
from portico_scenarios.agent import Agent
from portico_scenarios.bus import speaking_as
from portico_scenarios.participants import ALICE, BOB, CAROL
from portico_scenarios.programs import API, AUDIENCE, KEYED_ROBOT
from portico_scenarios.redis_data import copy_redis_data, remembered, replace_redis_data
from portico_scenarios.relying_party import Begun, begin
from portico_scenarios.world import World, started
from portico_stack.assembly.layout import StackOptions
from portico_stack.assembly.replicas import Replicas

pytestmark = [pytest.mark.e2e, pytest.mark.long]


SCOPE = f"openid offline_access {AUDIENCE}"
JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"


@pytest.fixture(scope="module")
async def world(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    """A stack with two replicas of each service, whose Redis is replaced."""
    options = StackOptions(tmp_path_factory.mktemp("past"), port=0, replicas=Replicas(2))
    async with started(options, as_given=True) as two:
        yield two


@dataclass(slots=True)
class Before:
    """Valid state at the time of the copy, which is used, ended or revoked afterwards."""

    world: World
    browser: Agent
    opaque: dict[str, Any] = field(repr=False)
    stateless: dict[str, Any] = field(repr=False)
    begun: Begun
    code: str = field(repr=False)
    assertion: str = field(repr=False)

    @classmethod
    async def prepare(cls, world: World) -> Self:
        browser = world.agent()
        await browser.sign_in(begin(world.metadata, world.clients["basic"]).url, ALICE.login_name, ALICE.password)
        begun, code = await world.code_of(BOB, "post")
        return cls(
            world,
            browser,
            await world.tokens_of(CAROL, "offline", scope=SCOPE),
            await world.tokens_of(CAROL, "roles", scope=SCOPE),
            begun,
            code,
            _assertion(world),
        )

    async def use_up(self) -> None:
        """Uses the code, the assertion and the refresh token, revokes the tokens and ends the session."""
        assert await self.redeem() == "200"
        assert await self.present() == "200"
        rotated = await self.refresh("offline", self.opaque)
        assert rotated == "200"
        for name, tokens in (("offline", self.opaque), ("roles", self.stateless)):
            answer = await self.world.ask("revocation_endpoint", self.world.clients[name], token=tokens["access_token"])
            assert answer.status_code == 200
        assert await self.is_active(self.opaque) == await self.is_active(self.stateless) == "inactive"
        async with speaking_as(self.world.stack, "operator") as bus:
            await bus.call(END_SESSIONS, EndSessions(user_id=ALICE.id))
        assert await self.authorize() == "login_required"

    async def redeem(self) -> str:
        return _outcome(await self.world.redeem("post", self.code, code_verifier=self.begun.verifier))

    async def present(self, assertion: str = "") -> str:
        form = {"grant_type": JWT_BEARER, "assertion": assertion or self.assertion, "scope": AUDIENCE}
        return _outcome(await self.world.http.post(self.world.metadata["token_endpoint"], data=form))

    async def present_another(self) -> str:
        return await self.present(_assertion(self.world))

    async def refresh(self, name: str, tokens: dict[str, Any]) -> str:
        client = self.world.clients[name]
        form = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
        return _outcome(await self.world.ask("token_endpoint", client, **form))

    async def is_active(self, tokens: dict[str, Any]) -> str:
        answer = await self.world.ask("introspection_endpoint", API.client, token=tokens["access_token"])
        return _outcome(answer) if answer.status_code != 200 else "active" if answer.json()["active"] else "inactive"

    async def authorize(self) -> str:
        url = begin(self.world.metadata, self.world.clients["basic"], prompt="none").url
        page = await self.browser.open(url)
        return (page.returned or {}).get("error", "code" if page.returned else str(page.status))

    async def outcomes(self) -> list[str]:
        return [
            await self.redeem(),
            await self.present(),
            await self.refresh("offline", self.opaque),
            await self.refresh("roles", self.stateless),
            await self.is_active(self.opaque),
            await self.is_active(self.stateless),
            await self.authorize(),
        ]


ENDED = ["invalid_grant"] * 4 + ["inactive"] * 2 + ["login_required"]


def _assertion(world: World) -> str:
    return KEYED_ROBOT.keys[0].assertion(KEYED_ROBOT.user_id, world.issuer)


def _outcome(answer: Any) -> str:
    return "200" if answer.status_code == 200 else answer.json().get("error", str(answer.status_code))


@pytest.mark.parametrize("services_run", [True, False], ids=["while the services run", "while nothing runs"])
async def test_used_state_does_not_come_back(world: World, tmp_path: Path, services_run: bool) -> None:
    """After a rollback used codes, tokens, assertions and sessions stay invalid, and new sign-ins work (FD-22)."""
    before = await Before.prepare(world)
    await copy_redis_data(world, tmp_path)
    await eventually(before.authorize, "code".__eq__)
    await before.use_up()
    await remembered(world)
    if not services_run:
        # The restart discards what the processes knew, so only the watermarks stored by users count.
        for service in SERVICES:
            await world.stack.stop_part(service)
    await replace_redis_data(world, by=tmp_path)
    if not services_run:
        await asyncio.gather(*(world.stack.start_part(service) for service in SERVICES))

    seen: list[list[str]] = []

    async def outcomes() -> list[str]:
        seen.append(await before.outcomes())
        return seen[-1]

    await eventually(outcomes, ENDED.__eq__)
    # Until then requests are refused, and never answered from the old state.
    assert not {"200", "active", "code"} & {outcome for row in seen for outcome in row}
    again = await world.tokens_of(CAROL, "offline", scope=SCOPE)
    assert await before.is_active(again) == "active"
    assert await before.refresh("offline", again) == "200"
    # Assertions are compared by whole seconds: those of the second of the bucket's reset are refused.
    await eventually(before.present_another, "200".__eq__)
