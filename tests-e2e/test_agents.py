"""The end of an agent's access against everything that agents do at the same time (decision 0154)."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any, Final

import pytest
from portico_contracts.apply import ApiApp, ApiScope, ClientMetadataPolicy, Document, Organization, Project
from portico_harness.eventually import HANGS, eventually
from portico_oauth.grant_types import TOKEN_EXCHANGE
from portico_oauth.token_types import ACCESS_TOKEN
from portico_scenarios.administrator import administrator_of
from portico_scenarios.metadata_host import HOST, MetadataHost
from portico_scenarios.relying_party import Client, basic, begin, redeem
from portico_scenarios.second_factor_user import PASSWORD, second_factor_user
from portico_scenarios.world import World, code_in

pytestmark = [pytest.mark.e2e, pytest.mark.long]

SECRET: Final = "the secret of an API of notes"
AGENTS: Final = "portico.management.v1.AgentService"
SCOPE: Final = "openid notes.read offline_access"
GRANTS: Final = 4
CODES: Final = 8


class Race:
    """Requests of an agent and of an API; every access token that one of them got."""

    def __init__(self, world: World, client: Client, api: Client) -> None:
        self.world = world
        self.client = client
        self.api = api
        self.tokens: list[str] = []
        self.refresh: list[str] = []

    async def code(self, browser: Any) -> tuple[str, str]:
        begun = begin(self.world.metadata, self.client, scope=SCOPE)
        await browser.open(begun.url)
        return code_in(await browser.press("consent-allow")), begun.verifier

    async def redeem(self, code: str, verifier: str) -> dict[str, Any]:
        answer = await redeem(self.world.http, self.world.metadata, self.client, code, code_verifier=verifier)
        return self._note(answer.json())

    async def refreshed(self, tokens: dict[str, Any]) -> dict[str, Any]:
        form = {
            "grant_type": "refresh_token",
            "client_id": self.client.client_id,
            "refresh_token": tokens["refresh_token"],
        }
        return self._note((await self.world.http.post(self.world.metadata["token_endpoint"], data=form)).json())

    async def exchanged(self, token: str) -> dict[str, Any]:
        form = {"grant_type": TOKEN_EXCHANGE, "subject_token": token, "subject_token_type": ACCESS_TOKEN}
        headers = {"Authorization": basic(self.api.client_id, SECRET)}
        url = self.world.metadata["token_endpoint"]
        answer = await self.world.http.post(url, data={**form, "audience": self.api.client_id}, headers=headers)
        return self._note(answer.json())

    def _note(self, tokens: dict[str, Any]) -> dict[str, Any]:
        if "access_token" in tokens:
            self.tokens.append(tokens["access_token"])
        return tokens

    async def use(self, tokens: dict[str, Any]) -> None:
        """Refreshes and exchanges until it is refused."""
        while "refresh_token" in tokens:
            await self.exchanged(tokens["access_token"])
            self.refresh.append(tokens["refresh_token"])
            tokens = await self.refreshed(tokens)

    async def redeem_late(self, pairs: list[tuple[str, str]]) -> None:
        for code, verifier in pairs:
            await self.use(await self.redeem(code, verifier))

    async def answered(self) -> int:
        return len(self.tokens)

    async def active(self) -> int:
        answers = [await self.world.ask("introspection_endpoint", self.api, token=one) for one in self.tokens]
        return sum(bool(answer.json()["active"]) for answer in answers)


async def test_nothing_is_granted_after_the_access_ended(world: World, metadata_host: MetadataHost) -> None:
    """While an agent refreshes, exchanges and redeems codes, one call ends it: no token that any of these got is active
    afterwards, and no code, refresh or exchange gives one.
    """
    tag = f"race-{secrets.token_hex(4)}"
    api = ApiApp(
        name="Notes",
        client_id=tag,
        client_secret=SECRET,
        token_exchange=True,
        resources=(f"https://{tag}.example",),
        scopes=(ApiScope(scope="notes.read", title="Read your notes"),),
    )
    project = Project(id=f"p-{tag}", name="notes", api_apps=(api,))
    policy = ClientMetadataPolicy(hosts=(HOST,), project_id=project.id or "")
    org = Organization(id=f"org-{tag}", name=tag, projects=(project,), client_metadata_policy=policy)
    await world.stack.apply(Document(organizations=(org,)))
    mia = await second_factor_user(world, "mia")
    admin = await administrator_of(world)
    grants = ["authorization_code", "refresh_token"]
    client_id = metadata_host.client(tag, "http://127.0.0.1/callback", grant_types=grants)
    race = Race(
        world, Client(client_id, "http://127.0.0.1:50123/callback", auth_method="none"), Client(tag, "", SECRET)
    )
    async with world.agent() as browser:
        begun = begin(world.metadata, race.client, scope=SCOPE)
        await browser.sign_in(begun.url, mia.id, PASSWORD)
        first = await race.redeem(code_in(await browser.press("consent-allow")), begun.verifier)
        used = [first, *[await race.redeem(*await race.code(browser)) for _ in range(GRANTS)]]
        waiting = [await race.code(browser) for _ in range(CODES)]
    path = f"/management/v1/users/{mia.id}/agents"
    before = await admin.json(f"{AGENTS}.ListUserAgents", {}, path=f"{path}/_search")
    tasks = [asyncio.create_task(race.use(tokens)) for tokens in used]
    tasks += [asyncio.create_task(race.redeem_late(waiting[half::2])) for half in range(2)]
    await eventually(race.answered, (len(used) + 10).__lt__, HANGS)
    ended = await admin.json(f"{AGENTS}.EndUserAgents", {"clientId": client_id}, path=f"{path}/_end")
    at_the_end = len(race.tokens)
    await asyncio.gather(*tasks)
    late = [await race.refreshed({"refresh_token": one}) for one in race.refresh[-5:]]
    after = await admin.json(f"{AGENTS}.ListUserAgents", {}, path=f"{path}/_search")

    assert [one["clientId"] for one in before.body["result"]] == [client_id]
    assert ended.code == 0, ended.body
    assert at_the_end > GRANTS
    assert await race.active() == 0
    assert "result" not in after.body
    assert ["access_token" in tokens for tokens in late] == [False] * len(late)
