"""What the ledger of agents costs at a refresh and an exchange: ``python -m bench.agents``.

Two applications with the same settings, one of them an agent; rounds alternate. Requests come from this process, which
is not counted.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median
from typing import Any, Final

from portico_contracts.apply import (
    ApiApp,
    ApiScope,
    AuthMethodName,
    ConsentName,
    Document,
    OidcApp,
    Organization,
    Project,
)
from portico_oauth.grant_types import TOKEN_EXCHANGE, GrantTypeName
from portico_oauth.token_types import ACCESS_TOKEN
from portico_scenarios.participants import ALICE
from portico_scenarios.relying_party import Client, basic, begin, redeem
from portico_scenarios.world import World, code_in, started
from portico_stack.assembly.layout import StackOptions

from bench.processes import Meter
from bench.stack_target import pids_of
from bench.target import say

AT_MOST: Final = 1.03
"""What a request about an agent may cost, in multiples of one about another application."""

_ROUNDS: Final = 9
_AT_ONCE: Final = 8
_TIMES: Final = 60
"""Requests of each chain of tokens in a round."""

_SECRET: Final = "the secret of the API of the bench"
_API: Final = Client("bench-notes", "", _SECRET)
_APPS: Final = {
    name: Client(f"bench-{name}", f"http://127.0.0.1:9/{name}", auth_method="none") for name in ("plain", "agent")
}

Tokens = dict[str, Any]


def _document() -> Document:
    scope = ApiScope(scope="notes.read", title="Read your notes")
    api = ApiApp(
        name="Notes", client_id=_API.client_id, client_secret=_SECRET, token_exchange=True, scopes=(scope,),
        resources=("https://notes.bench.example",),
    )  # fmt: skip
    apps = tuple(
        OidcApp(
            name=name,
            client_id=client.client_id,
            redirect_uris=(client.redirect_uri,),
            auth_method_type=AuthMethodName.NONE,
            grant_types=(GrantTypeName.AUTHORIZATION_CODE, GrantTypeName.REFRESH_TOKEN),
            consent=ConsentName.ONCE,
            agent=name == "agent",
        )
        for name, client in _APPS.items()
    )
    project = Project(id="bench-agents", name="bench", api_apps=(api,), oidc_apps=apps)
    return Document(organizations=(Organization(id="bench-org", name="Bench", projects=(project,)),))


class Chains:
    """Sign-ins to an application; each is refreshed, or its access token exchanged, again and again."""

    def __init__(self, world: World, client: Client) -> None:
        self.world = world
        self.client = client
        self.tokens: list[Tokens] = []

    async def begin(self) -> None:
        asked = {"scope": "openid notes.read offline_access"}
        async with self.world.agent() as browser:
            for number in range(_AT_ONCE):
                begun = begin(self.world.metadata, self.client, **asked)
                page = await (
                    browser.open(begun.url) if number else browser.sign_in(begun.url, ALICE.login_name, ALICE.password)
                )
                page = page if page.returned else await browser.press("consent-allow")
                answer = await redeem(
                    self.world.http, self.world.metadata, self.client, code_in(page), code_verifier=begun.verifier
                )
                self.tokens.append(answer.json())

    async def refresh(self) -> None:
        async def chain(at: int) -> None:
            for _ in range(_TIMES):
                form = {"grant_type": "refresh_token", "client_id": self.client.client_id}
                self.tokens[at] = await self._post({**form, "refresh_token": self.tokens[at]["refresh_token"]}, {})

        await asyncio.gather(*map(chain, range(_AT_ONCE)))

    async def exchange(self) -> None:
        headers = {"Authorization": basic(_API.client_id, _SECRET)}

        async def chain(tokens: Tokens) -> None:
            form = {
                "grant_type": TOKEN_EXCHANGE,
                "subject_token": tokens["access_token"],
                "subject_token_type": ACCESS_TOKEN,
                "audience": _API.client_id,
            }
            for _ in range(_TIMES):
                await self._post(form, headers)

        await asyncio.gather(*map(chain, self.tokens))

    async def _post(self, form: dict[str, str], headers: dict[str, str]) -> Tokens:
        answer = await self.world.http.post(self.world.metadata["token_endpoint"], data=form, headers=headers)
        answer.raise_for_status()
        found: Tokens = answer.json()
        return found


async def _compare(world: World) -> bool:
    await world.stack.apply(_document())
    chains = {name: Chains(world, client) for name, client in _APPS.items()}
    for one in chains.values():
        await one.begin()
    meter = Meter(pids_of(world.stack))
    is_cheap = True
    for name in ("refresh", "exchange"):
        works: dict[str, Callable[[], Awaitable[None]]] = {app: getattr(one, name) for app, one in chains.items()}
        for work in works.values():
            await work()
        await meter.rest()
        costs: dict[str, list[float]] = {app: [] for app in works}
        for number in range(_ROUNDS):
            for app in sorted(works, reverse=bool(number % 2)):
                _, spent = await meter.spent(works[app]())
                costs[app].append(sum(spent.values()) * 1e6 / (_TIMES * _AT_ONCE))
        plain, agent = median(costs["plain"]), median(costs["agent"])
        say(f"{name}: {agent:.0f} µs for an agent, {plain:.0f} for another application: {agent / plain:.3f} times")
        is_cheap = is_cheap and agent <= AT_MOST * plain
    return is_cheap


async def _run() -> bool:
    with tempfile.TemporaryDirectory() as folder:
        async with started(StackOptions(Path(folder), port=0)) as world:
            return await _compare(world)


if __name__ == "__main__":
    sys.exit(0 if asyncio.run(_run()) else 1)
