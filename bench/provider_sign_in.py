"""What a sign-in through another identity provider costs, in code flows: ``python -m bench.provider_sign_in``.

The provider and the browsers run in this process, which is not counted. Code flows are of browsers with a session,
sign-ins of browsers without one, by users who are linked already, with the provider named in the scope.
"""

from __future__ import annotations

import asyncio
import socket
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median
from typing import Final

from portico_contracts.apply import Document, LoginPolicy, OidcIdp, ProviderOptions
from portico_contracts.http import EXTERNAL_CALLBACK
from portico_scenarios.agent import Agent
from portico_scenarios.entra_provider import CLIENT_ID, CLIENT_SECRET, TENANT, Entra, running
from portico_scenarios.relying_party import begin
from portico_scenarios.world import World, code_in, started
from portico_stack.assembly.layout import StackOptions
from portico_stack.machine.ports import free_port

from bench.processes import Meter
from bench.stack_target import pids_of
from bench.target import say

AT_MOST: Final = 4
"""What a sign-in may cost, in multiples of the code flow."""

_ROUNDS: Final = 3
_AT_ONCE: Final = 4
_FLOWS: Final = 10
"""Of each user in a round."""

_LOGINS: Final = [f"bench{number}" for number in range(20)]
_PROVIDER: Final = "bench-provider"


async def _compare(world: World, provider: Entra) -> bool:
    idp = OidcIdp(
        id=_PROVIDER, name="Bench", issuer=provider.issuer(TENANT), client_id=CLIENT_ID, client_secret=CLIENT_SECRET,
        auto_register=True, provider_options=ProviderOptions(),
    )  # fmt: skip
    policy = LoginPolicy(idps=(_PROVIDER,))
    await world.stack.apply(Document(oidc_idps=(idp,), login_policy=policy, default_organization="e2e-org"))
    browsers: dict[str, Agent] = {}

    async def sign_in(login: str) -> None:
        names = {"given_name": login.title(), "family_name": "Elsewhere", "email": f"{login}@elsewhere.example"}
        provider.changes[login] = names
        agent, before = world.agent(), browsers.get(login)
        scope = f"openid profile email urn:portico:idp:id:{_PROVIDER}"
        begun = begin(world.metadata, world.clients["basic"], scope=scope)
        sent = await provider.person.sign_in((await agent.open(begun.url)).location, login)
        code = code_in(await agent.open(sent.url))
        (await world.redeem("basic", code, code_verifier=begun.verifier)).raise_for_status()
        browsers[login] = agent
        if before:
            await before.http.aclose()

    async def code_flow(login: str) -> None:
        await world.silent_tokens(browsers[login], "basic")

    await _each(sign_in, 1)
    meter = Meter(pids_of(world.stack))
    await meter.rest()
    costs: dict[str, list[float]] = {"code flow": [], "sign-in through a provider": []}
    for number in range(1, _ROUNDS + 1):
        for (name, several), flow in zip(costs.items(), (code_flow, sign_in), strict=True):
            _, spent = await meter.spent(_each(flow, _FLOWS))
            each = {part: seconds * 1e3 / (_FLOWS * len(_LOGINS)) for part, seconds in spent.items()}
            several.append(sum(each.values()))
            say(f"{number} {name}: {several[-1]:.2f} ms ({', '.join(f'{one} {ms:.2f}' for one, ms in each.items())})")
    ours, theirs = (median(several) for several in costs.values())
    say(f"{theirs / ours:.2f} code flows; at most {AT_MOST} are wanted")
    return theirs <= AT_MOST * ours


async def _each(flow: Callable[[str], Awaitable[None]], times: int) -> None:
    """One flow of a user at a time: a user has one browser."""
    gate = asyncio.Semaphore(_AT_ONCE)

    async def run(login: str) -> None:
        async with gate:
            for _ in range(times):
                await flow(login)

    await asyncio.gather(*(run(login) for login in _LOGINS))


async def _run() -> bool:
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", free_port())) as listener:
        allowed = {"users": {"PORTICO_OUTBOUND_ALLOW": f"127.0.0.1:{listener.getsockname()[1]}"}}
        async with started(StackOptions(Path(folder), port=0, extra_env=allowed)) as world:
            async with running(listener, world.issuer + EXTERNAL_CALLBACK.format(id=_PROVIDER)) as provider:
                return await _compare(world, provider)


if __name__ == "__main__":
    sys.exit(0 if asyncio.run(_run()) else 1)
