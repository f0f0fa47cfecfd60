"""Over random histories, the ledger of agents equals the event log (decision 0154)."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from datetime import datetime
from typing import Any, Final, TypeVar

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings
from portico_fakes.management_api import call_as

from .agents_world import AgentsWorld
from .own_apps import CODE, on_apps

pytestmark = pytest.mark.servers


USERS: Final = ("self", "viewer")
CLIENTS: Final = ("coder", "writer", "registered", "shop")
SCOPES: Final = ("openid", "email", "profile")

Result = TypeVar("Result")

ALLOW: Final = st.tuples(
    st.just("allow"), st.sampled_from(USERS), st.sampled_from(CLIENTS), st.sampled_from(SCOPES), st.booleans()
)
END: Final = st.tuples(st.just("end"), st.sampled_from(USERS), st.sampled_from(CLIENTS))
END_HOST: Final = st.tuples(st.just("end host"), st.sampled_from((*USERS, "")))
END_ALL: Final = st.tuples(st.just("end everywhere"), st.sampled_from(CLIENTS))
REMOVE: Final = st.tuples(st.just("remove access"), st.sampled_from(USERS), st.sampled_from(CLIENTS))
SWITCH: Final = st.tuples(st.just("switch"), st.booleans())
HISTORIES: Final = st.lists(st.one_of(ALLOW, ALLOW, ALLOW, END, END_HOST, END_ALL, REMOVE, SWITCH), max_size=12)


class History:
    """Carries the steps of a history out; one that finds nothing to end is no error."""

    def __init__(self, world: AgentsWorld, api: str) -> None:
        self.world = world
        self.api = api

    async def take(self, step: tuple[Any, ...]) -> None:
        self.world.managed.users.clock.tick(1)
        match step:
            case ("allow", name, client, scope, True):
                await self.world.allow(name, self.client(client), api=self.api, of_api=f"notes.{scope}")
            case ("allow", name, client, scope, False):
                await self.world.allow(name, self.client(client), scope)
            case ("end", name, client):
                await self.world.end(name, clientId=self.client(client))
            case ("end host", ""):
                await self.world.end_all(host=self.world.host)
            case ("end host", name):
                await self.world.end(name, host=self.world.host)
            case ("end everywhere", client):
                await self.world.end_all(clientId=self.client(client))
            case ("remove access", name, client):
                await self._remove(name, self.client(client))
            case ("switch", on):
                path = f"/{self.world.registered_app}/oidc_config"
                await on_apps(self.world.managed, "UpdateOIDCAppConfig", path, **CODE, consent="CONSENT_ONCE", agent=on)

    def client(self, name: str) -> str:
        found: str = getattr(self.world, name)
        return found

    async def _remove(self, name: str, client_id: str) -> None:
        app_id = client_id.replace("/", "%2F").replace(":", "%3A")
        path = f"/management/v1/users/{self.world.user(name)}/app_access/{app_id}"
        await call_as(self.world.managed, "portico.management.v1.AppAccessService.RemoveUserAppAccess", {}, path=path)


async def read_from_the_log(world: AgentsWorld) -> set[tuple[Any, ...]]:
    """User, agent, allowed words, and the seconds since when, from nothing but events."""
    rows = world.managed.users.rows
    agents = {world.coder, world.writer}
    for event in sorted(await rows("events", object=world.registered_app), key=lambda one: one["sequence"]):
        if event["values"].get("agent") is not None:
            (agents.add if event["values"]["agent"] else agents.discard)(world.registered)
    logged = set()
    for name in USERS:
        since: dict[str, float] = {}
        words: dict[str, frozenset[Any]] = {}
        for event in sorted(await rows("events", object=world.user(name)), key=lambda one: one["sequence"]):
            if "consents" not in event["fields"]:
                continue
            words = {one["clientId"]: _words(one) for one in event["values"]["consents"]}
            since = {client_id: since.get(client_id, event["at"]) for client_id in words}
        logged |= {(world.user(name), one, words[one], since[one]) for one in words if one in agents}
    return logged


def _words(consent: dict[str, Any]) -> frozenset[Any]:
    of_apis = {(one["api"], one["scope"]) for one in consent.get("ofApis", ())}
    return frozenset({("", one) for one in consent["scopes"]} | of_apis)


def shown(entries: list[dict[str, Any]]) -> set[tuple[Any, ...]]:
    return {
        (
            one["userId"],
            one["clientId"],
            frozenset(
                {("", scope) for scope in one.get("scopes", ())}
                | {(of["apiClientId"], of["scope"]) for of in one.get("apiScopes", ())}
            ),
            datetime.fromisoformat(one["since"]).timestamp(),
        )
        for one in entries
    }


async def test_ledger_equals_the_event_log_over_random_histories(managed: Any) -> None:
    """For each user, for the organization, and for each agent; whatever was allowed, ended and switched in between."""
    world = AgentsWorld(managed)
    await world.set_up()
    (api,) = await managed.users.rows("apps", _id=f"app-owner-{managed.tag}")
    history, loop = History(world, api["clientId"]), asyncio.get_running_loop()

    def run(work: Coroutine[Any, Any, Result]) -> Result:
        return asyncio.run_coroutine_threadsafe(work, loop).result(60)

    async def compare(steps: list[tuple[Any, ...]]) -> None:
        for step in steps:
            await history.take(step)
        logged = await read_from_the_log(world)
        assert shown(await world.of_org()) == logged
        for name in USERS:
            mine = {one for one in logged if one[0] == world.user(name)}
            assert shown(await world.of_user(name)) == mine
        for client_id in (world.coder, world.writer, world.registered, world.shop):
            of_one = {one for one in logged if one[1] == client_id}
            assert shown(await world.of_org(clientId=client_id)) == of_one

    @settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
    @given(HISTORIES)
    def walk(steps: list[tuple[Any, ...]]) -> None:
        run(compare(steps))

    await asyncio.to_thread(walk)
