"""Over random histories, the ledger of agents equals the event log, and reported uses (decision 0154)."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from datetime import datetime
from typing import Any, Final, TypeVar

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings
from portico_contracts.users import ACT_FOR_USER, ActForUser
from portico_fakes.management_api import call_as
from portico_oauth.errors import ServiceError

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
USE: Final = st.tuples(
    st.just("use"), st.sampled_from(USERS), st.sampled_from(CLIENTS), st.booleans(), st.sampled_from(("", "shop"))
)
ACT: Final = st.tuples(st.just("act"), st.sampled_from(USERS), st.sampled_from(("registered", "shop")))
HISTORIES: Final = st.lists(
    st.one_of(ALLOW, ALLOW, ALLOW, USE, USE, ACT, END, END_HOST, END_ALL, REMOVE, SWITCH), max_size=14
)

Uses = dict[tuple[str, str], float]
"""When tokens were last issued, by API and by the application that exchanged."""


class History:
    """Carries the steps of a history out; one that finds nothing to end is no error."""

    def __init__(self, world: AgentsWorld, api: str) -> None:
        self.world = world
        self.api = api
        self.reports: list[tuple[str, str, tuple[str, str], float]] = []
        """User, agent, API with who exchanged, and time, as token reports them."""

    async def take(self, step: tuple[Any, ...]) -> None:
        self.world.managed.users.clock.tick(1)
        match step:
            case ("allow", name, client, scope, of_api):
                words = {"api": self.api, "of_api": f"notes.{scope}"} if of_api else {}
                await self.world.allow(name, self.client(client), *(() if of_api else (scope,)), **words)
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
            case ("use", name, client, at_api, via):
                await self._use(name, self.client(client), self.api if at_api else "", via and self.client(via))
            case ("act", name, client):
                with suppress(ServiceError):
                    asked = ActForUser(
                        actor_id=self.world.user("owner"), user_id=self.world.user(name), client_id=self.client(client)
                    )
                    await self.world.managed.users.call(ACT_FOR_USER, asked)
            case ("switch", on):
                path = f"/{self.world.registered_app}/oidc_config"
                await on_apps(self.world.managed, "UpdateOIDCAppConfig", path, **CODE, consent="CONSENT_ONCE", agent=on)

    def client(self, name: str) -> str:
        found: str = getattr(self.world, name)
        return found

    async def _use(self, name: str, client_id: str, api: str, via: str) -> None:
        await self.world.use(name, client_id, audience=(api,) if api else (), via=via)
        self.reports.append((self.world.user(name), client_id, (api, via), self.world.managed.users.clock.now()))

    async def _remove(self, name: str, client_id: str) -> None:
        app_id = client_id.replace("/", "%2F").replace(":", "%3A")
        path = f"/management/v1/users/{self.world.user(name)}/app_access/{app_id}"
        await call_as(self.world.managed, "portico.management.v1.AppAccessService.RemoveUserAppAccess", {}, path=path)


class Log:
    """What the events of the world have, and nothing else."""

    def __init__(self, world: AgentsWorld) -> None:
        self.world = world
        self.switches: list[tuple[float, bool]] = []
        self.since: dict[tuple[str, str], float] = {}
        self.words: dict[tuple[str, str], frozenset[Any]] = {}
        self.ended: dict[tuple[str, str], float] = {}
        self.acted: list[tuple[str, str, str, float]] = []

    @classmethod
    async def read(cls, world: AgentsWorld) -> Log:
        log, rows = cls(world), world.managed.users.rows
        for event in sorted(await rows("events", object=world.registered_app), key=lambda one: one["sequence"]):
            if event["values"].get("agent") is not None:
                log.switches.append((event["at"], event["values"]["agent"]))
        for name in USERS:
            user = world.user(name)
            for event in sorted(await rows("events", object=user), key=lambda one: one["sequence"]):
                if "consents" in event["fields"]:
                    log._consents(user, event)
            about = {"values.userId": user}
            for event in await rows("events", table="agents", **about):
                log._end((user, event["values"]["clientId"]), event["at"])
            for event in await rows("events", table="impersonations", **about):
                client = world.registered if event["values"]["appId"] == world.registered_app else world.shop
                log.acted.append((user, client, event["actor"], event["at"]))
        return log

    def _consents(self, user: str, event: dict[str, Any]) -> None:
        given = {(user, one["clientId"]): one for one in event["values"]["consents"]}
        for key in [key for key in self.words if key[0] == user and key not in given]:
            del self.words[key], self.since[key]
            self._end(key, event["at"])
        for key, one in given.items():
            self.words[key] = _words(one)
            self.since.setdefault(key, event["at"])

    def _end(self, key: tuple[str, str], at: float) -> None:
        self.ended[key] = max(at, self.ended.get(key, 0.0))

    def is_agent(self, client_id: str, at: float) -> bool:
        if client_id != self.world.registered:
            return client_id.startswith("https://")
        return [on for switched, on in self.switches if switched <= at][-1]

    def entries(self, reports: list[tuple[str, str, tuple[str, str], float]]) -> set[tuple[Any, ...]]:
        now, found = float("inf"), set()
        for key, words in self.words.items():
            if self.is_agent(key[1], now):
                uses: Uses = {}
                for user, client, at_api, at in reports:
                    if (user, client) == key and at > self.ended.get(key, 0.0):
                        uses[at_api] = at
                found.add((*key, "", words, self.since[key], frozenset(uses.items())))
        return found | self._acting(now)

    def _acting(self, now: float) -> set[tuple[Any, ...]]:
        times: dict[tuple[str, str, str], list[float]] = {}
        for user, client, actor, at in sorted(self.acted, key=lambda one: one[3]):
            in_force = at > self.ended.get((user, client), 0.0)
            if in_force and self.is_agent(client, at) and self.is_agent(client, now):
                times.setdefault((user, client, actor), []).append(at)
        return {(*key, frozenset(), at[0], frozenset({(("", ""), at[-1])})) for key, at in times.items()}


def _words(consent: dict[str, Any]) -> frozenset[Any]:
    of_apis = {(one["api"], one["scope"]) for one in consent.get("ofApis", ())}
    return frozenset({("", one) for one in consent["scopes"]} | of_apis)


def shown(entries: list[dict[str, Any]]) -> set[tuple[Any, ...]]:
    return {
        (
            one["userId"],
            one["clientId"],
            one.get("actorId", ""),
            frozenset(
                {("", scope) for scope in one.get("scopes", ())}
                | {(of["apiClientId"], of["scope"]) for of in one.get("apiScopes", ())}
            ),
            _seconds(one["since"]),
            frozenset(
                ((use.get("apiClientId", ""), use.get("viaClientId", "")), _seconds(use["lastUsed"]))
                for use in one.get("uses", ())
            ),
        )
        for one in entries
    }


def _seconds(time: str) -> float:
    return datetime.fromisoformat(time).timestamp()


async def test_ledger_equals_the_event_log_over_random_histories(managed: Any) -> None:
    """For each user, for the organization, and for each agent; whatever was allowed, used, exchanged, done by an
    administrator, ended and switched in between.
    """
    world = AgentsWorld(managed)
    await world.set_up()
    allowed = {"allowImpersonation": True}
    await call_as(managed, "portico.admin.v1.SettingsService.SetImpersonationSettings", allowed, by="iam")
    api = await on_apps(managed, "AddAPIApp", "/api", name="Notes", resources=[f"https://{managed.tag}.example/n"])
    history, loop = History(world, api.body["clientId"]), asyncio.get_running_loop()

    def run(work: Coroutine[Any, Any, Result]) -> Result:
        return asyncio.run_coroutine_threadsafe(work, loop).result(60)

    async def compare(steps: list[tuple[Any, ...]]) -> None:
        for step in steps:
            await history.take(step)
        logged = (await Log.read(world)).entries(history.reports)
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
