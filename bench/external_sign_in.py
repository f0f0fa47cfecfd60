"""What a sign-in through another identity provider costs beside a code flow: ``python -m bench.external_sign_in [FLOWS]``.

Processor time of Portico's own components, through the gateway; the provider and the browsers run in this process, which is
not counted. Both flows begin at the authorization endpoint and end with tokens: the code flow of browsers that have a session,
the sign-in of browsers that have none, by people who are linked already.
"""

from __future__ import annotations

import asyncio
import socket
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Final

from portico_contracts.apply import Document, LoginPolicy, OidcIdp, ProviderOptions
from portico_contracts.http import EXTERNAL_CALLBACK
from portico_journeys import entra_provider, relying_party
from portico_journeys.agent import Agent, Page
from portico_journeys.entra_provider import CLIENT_ID, CLIENT_SECRET, TENANT, Entra
from portico_journeys.relying_party import Begun
from portico_journeys.world import World, code_in, started
from portico_stack.layout import StackOptions
from portico_stack.ports import free_port

from bench.processes import cpu_seconds
from bench.stack_target import component_pids

AT_MOST: Final = 4
"""What a sign-in may cost, in multiples of the code flow."""

FLOWS: Final = 200
_ROUNDS: Final = 3
_PEOPLE: Final = 20
_AT_ONCE: Final = 4
_PROVIDER: Final = "bench-provider"
_BUTTON: Final = "provider-1"
_REST_SECONDS: Final = 3.0


@dataclass(frozen=True, slots=True)
class Stage:
    """A stack, a provider, and for each person a browser with a session."""

    world: World
    provider: Entra
    browsers: dict[str, Agent] = field(default_factory=dict)

    async def offer(self) -> None:
        """Registers the provider at the instance; people it knows get an account at once."""
        for login in people():
            self.provider.changes[login] = {
                "given_name": login.title(),
                "family_name": "Elsewhere",
                "email": f"{login}@elsewhere.example",
            }
        idp = OidcIdp(
            id=_PROVIDER,
            name="Bench",
            issuer=self.provider.issuer(TENANT),
            client_id=CLIENT_ID,
            client_secret=CLIENT_SECRET,
            auto_register=True,
            provider_options=ProviderOptions(),
        )
        policy = LoginPolicy(idps=(_PROVIDER,))
        await self.world.stack.apply(Document(oidc_idps=(idp,), login_policy=policy, default_organization="e2e-org"))

    async def sign_in(self, login: str) -> None:
        """A new browser, by the button of our page; it is the person's from then on."""
        agent, begun = self.world.agent(), self._begin()
        await agent.open(begun.url)
        await self._come_back(agent, begun, (await agent.press(_BUTTON)).document.links["leave"], login)

    async def go_straight(self, login: str) -> None:
        """The same where the application names the provider in the scope, so that no page of ours is shown."""
        agent, begun = self.world.agent(), self._begin(f" urn:portico:idp:id:{_PROVIDER}")
        await self._come_back(agent, begun, (await agent.open(begun.url)).location, login)

    async def _come_back(self, agent: Agent, begun: Begun, address: str, login: str) -> None:
        sent = await self.provider.person.sign_in(address, login)
        await self._redeem(await agent.open(sent.url), begun)
        before, self.browsers[login] = self.browsers.get(login), agent
        if before:
            await before.http.aclose()

    async def code_flow(self, login: str) -> None:
        """The browser of a person who is signed in."""
        begun = self._begin()
        await self._redeem(await self.browsers[login].open(begun.url), begun)

    def _begin(self, more: str = "") -> Begun:
        client = self.world.clients["basic"]
        return relying_party.begin(self.world.metadata, client, scope=f"openid profile email{more}")

    async def _redeem(self, page: Page, begun: Begun) -> None:
        answer = await self.world.redeem("basic", code_in(page), code_verifier=begun.verifier)
        answer.raise_for_status()


def people() -> tuple[str, ...]:
    """The logins at the provider."""
    return tuple(f"bench{number}" for number in range(_PEOPLE))


Cost = dict[str, float]
"""Milliseconds of processor time of one flow, by component."""


async def _measure(stage: Stage, flow: Callable[[str], Awaitable[None]], flows: int, at_rest: Cost) -> Cost:
    """The cost without what the components use at rest."""
    gate, pids = asyncio.Semaphore(_AT_ONCE), component_pids(stage.world.stack)
    begun, before = time.perf_counter(), cpu_seconds(pids)

    async def run(login: str) -> None:
        # One flow of a person at a time: a person has one browser.
        async with gate:
            for _ in range(flows // _PEOPLE):
                await flow(login)

    await asyncio.gather(*(run(login) for login in people()))
    took, after, count = time.perf_counter() - begun, cpu_seconds(pids), flows // _PEOPLE * _PEOPLE
    return {name: (after[name] - before[name] - at_rest[name] * took) / count * 1e3 for name in pids}


async def _rest(stage: Stage) -> Cost:
    """Processor seconds in each second in which nothing is asked, by component."""
    pids = component_pids(stage.world.stack)
    begun, before = time.perf_counter(), cpu_seconds(pids)
    await asyncio.sleep(_REST_SECONDS)
    after, took = cpu_seconds(pids), time.perf_counter() - begun
    return {name: (after[name] - before[name]) / took for name in pids}


async def _run(flows: int) -> bool:
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", free_port())) as listener:
        allowed = {"users": {"PORTICO_OUTBOUND_ALLOW": f"127.0.0.1:{listener.getsockname()[1]}"}}
        async with started(StackOptions(Path(folder), port=0, extra_env=allowed)) as world:
            callback = world.issuer + EXTERNAL_CALLBACK.format(id=_PROVIDER)
            async with entra_provider.running(listener, callback) as provider:
                stage = Stage(world, provider)
                await stage.offer()
                for login in people():
                    await stage.sign_in(login)
                return await _compare(stage, flows)


async def _compare(stage: Stage, flows: int) -> bool:
    at_rest = await _rest(stage)
    kinds = {"code flow": stage.code_flow, "straight": stage.go_straight, "by the button": stage.sign_in}
    rounds: dict[str, list[Cost]] = {name: [] for name in kinds}
    for _ in range(_ROUNDS):
        for name, flow in kinds.items():
            rounds[name].append(await _measure(stage, flow, flows, at_rest))
    totals = {name: median(sum(one.values()) for one in costs) for name, costs in rounds.items()}
    for name, costs in rounds.items():
        parts = ", ".join(f"{part} {median(one[part] for one in costs):.2f}" for part in at_rest)
        times = totals[name] / totals["code flow"]
        sys.stdout.write(f"{name}: {totals[name]:.2f} ms, {times:.2f} times ({parts})\n")
    sys.stdout.write(f"At most {AT_MOST} times are wanted.\n")
    for agent in stage.browsers.values():
        await agent.http.aclose()
    return totals["straight"] <= AT_MOST * totals["code flow"]


def main() -> None:
    """Prints the rounds and the ratio; exits with 1 when it is too high."""
    flows = int(sys.argv[1]) if len(sys.argv) > 1 else FLOWS
    sys.exit(0 if asyncio.run(_run(flows)) else 1)


if __name__ == "__main__":
    main()
