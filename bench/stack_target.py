"""Portico as a target: its own stack on free ports, with thousands of users who are signed in.

They are imported with one cheap hash, sign in over the login API at a stack whose own hashes are as cheap, have tokens
of two applications, and are stored with that stack's data. Every run works on a copy, so that tokens stay as they were.
"""

from __future__ import annotations

import asyncio
import secrets
import shutil
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import argon2
import httpx
import msgspec
from portico_contracts.apply import Document
from portico_contracts.catalogue import OPERATOR, SERVICES
from portico_contracts.http import LOGIN_API
from portico_contracts.users import IMPORT_USERS, ImportUsers
from portico_runtime.bus.nats_bus import NatsBus
from portico_runtime.process.clock import SystemClock
from portico_scenarios.relying_party import begin
from portico_stack.assembly.layout import StackOptions
from portico_stack.assembly.replicas import Replicas
from portico_stack.assembly.stack import Stack
from portico_stack.machine.private_files import private_directory, write_private
from portico_stack.running.operator_bus import operator_bus
from portico_stack.servers.mongo import CACHE_MIB

from bench.relying_party import OFFLINE, RelyingParty, discover, human, right
from bench.target import REDIRECT_URI, Accounts, BenchFailed, Member, Target, say

COMPONENTS: Final = ("gateway", *SERVICES, "redis", "mongo", "nats")
"""Every process a user's request may cost, in the order it passes them."""

_ASKED: Final = 3
"""Members whose tokens must be active."""

PORTION: Final = 100
"""Users of one import, as ``portico user import`` sends them."""

_REDIS_MIB: Final = 4_096
"""A person takes 10 KiB of Redis here: the 512 MiB of ``make up`` are full at 53,000."""

_LONG: Final = {"PORTICO_ACCESS_TOKEN_SECONDS": "28800"}
"""Tokens of the population have to be active in every run."""

SETTINGS: Final[Mapping[str, Mapping[str, str]]] = {
    "token": _LONG,
    # One address asks all the time here, which the key set otherwise takes for a client without a cache.
    "keys": {"PORTICO_KEYS_REQUESTS_PER_MINUTE": "1000000000", **_LONG},
    # The services get their one core after they have looked how many there are.
    "users": {"PORTICO_HASHING_WORKERS": "1", **_LONG},
}
"""In which measured stacks differ from the defaults."""

_CHEAP: Final = {"PORTICO_ARGON2_MEMORY_KIB": "8", "PORTICO_ARGON2_PASSES": "1", "PORTICO_HASHING_WORKERS": "2"}
_PASSWORDS: Final = 100
"""Users with a password hash of the usual cost, for the sign-in operation."""

_LIFETIME: Final = 6 * 3600.0
"""Seconds; below the lifetime of everything that was issued, with time for the longest run."""

_FILE: Final = "members.json"
_ORGANIZATION: Final = "bench"
_BROWSERS: Final = 16
_TRIES: Final = 5
"""Of a sign-in: preparing many people takes an hour, in which a disk may be slow for seconds."""
_DPOP: Final = "bench-dpop"
_KINDS: Final = {"opaque": "OIDC_TOKEN_TYPE_BEARER", "jwt": "OIDC_TOKEN_TYPE_JWT"}
"""Types of access tokens: for each an application and a service user."""


class Population(msgspec.Struct, frozen=True):
    """What the file holds; `until` is the Unix time from which on it is prepared again."""

    issuer: str
    until: float
    accounts: Accounts


@asynccontextmanager
async def stack_running(
    folder: Path, people: int, replicas: Replicas, data: Path, *, mongo_cache_mib: int = CACHE_MIB
) -> AsyncIterator[Target]:
    """Starts a stack below a directory, with the population of a folder, which is prepared where it is not usable."""

    def started() -> AbstractAsyncContextManager[Stack]:
        return _started(folder, data, replicas, mongo_cache_mib)

    population = find_population(folder, people, SystemClock().now())
    usable = population or await prepare_population(folder, people)
    async with AsyncExitStack() as opened:
        stack = await opened.enter_async_context(started())
        if population and not await _is_usable(population, stack):
            say("the population of an earlier run can no longer be used")
            await opened.aclose()
            usable = await prepare_population(folder, people)
            stack = await opened.enter_async_context(started())
        shared = stack.layout.shared
        bus = await opened.enter_async_context(operator_bus(shared.bus_url, shared.bus_passwords[OPERATOR]))

        async def importer(rows: Sequence[str]) -> None:
            await import_rows(bus, rows)

        services = {name: f"http://{stack.replicas_of(name)[0].address}" for name in SERVICES}
        accounts = replace(usable.accounts, members=usable.accounts.members[:people])
        yield Target("portico", stack.issuer, accounts, pids_of(stack), services, importer)


def pids_of(stack: Stack) -> dict[str, list[int]]:
    """The processes of every component; all replicas of a service together."""
    return {name: [one.pid for one in stack.processes(name) if one.pid is not None] for name in COMPONENTS}


async def _is_usable(population: Population, stack: Stack) -> bool:
    async with httpx.AsyncClient(trust_env=False, timeout=30) as http:
        party = await discover(Target("portico", stack.issuer, population.accounts, {}), http)
        url, who = party.endpoint("introspection_endpoint"), (party.client.client_id, party.client.secret)
        tokens = [token for member in party.members(_ASKED) for token in member.tokens.values()]
        answers = [await http.post(url, data={"token": token}, auth=who) for token in tokens]
    active = all(answer.status_code == 200 and answer.json()["active"] for answer in answers)
    return active and stack.issuer == population.issuer


@asynccontextmanager
async def _started(folder: Path, data: Path, replicas: Replicas, mongo_cache_mib: int) -> AsyncIterator[Stack]:
    await asyncio.to_thread(shutil.rmtree, data, ignore_errors=True)
    await asyncio.to_thread(shutil.copytree, folder / "stack", data)
    async with stack_on(data, replicas, mongo_cache_mib=mongo_cache_mib) as stack:
        yield stack


@asynccontextmanager
async def stack_on(
    data: Path, replicas: Replicas | None = None, *, mongo_cache_mib: int = CACHE_MIB
) -> AsyncIterator[Stack]:
    """Starts a stack with the settings of measured ones on a directory as it is."""
    options = StackOptions(
        data=data,
        port=0,
        extra_env=SETTINGS,
        replicas=replicas or Replicas(),
        redis_memory_mib=_REDIS_MIB,
        mongo_cache_mib=mongo_cache_mib,
    )
    stack = Stack(options, say)
    try:
        await stack.start()
        yield stack
    finally:
        await stack.stop()


def find_population(folder: Path, people: int, now: float) -> Population | None:
    """What the folder holds, or None when that has too few members or is too old."""
    try:
        found = msgspec.json.decode((folder / _FILE).read_bytes(), type=Population)
    except (OSError, msgspec.MsgspecError):
        return None
    return found if len(found.accounts.members) >= people and now < found.until else None


async def prepare_population(folder: Path, people: int) -> Population:
    """Fills the folder, which is emptied first and holds no population when this fails."""
    say(f"preparing {people:,} people in {folder}; the next runs find them there")
    await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
    private_directory(folder)
    cheap = {**SETTINGS, "users": {**_LONG, **_CHEAP}}
    options = StackOptions(data=folder / "stack", port=0, extra_env=cheap, redis_memory_mib=_REDIS_MIB)
    stack = Stack(options, say)
    try:
        await stack.start()
        found = Population(stack.issuer, SystemClock().now() + _LIFETIME, await _populate(stack, people))
    finally:
        await stack.stop()
    write_private(folder / _FILE, msgspec.json.encode(found).decode())
    return found


async def import_rows(bus: NatsBus, rows: Sequence[str]) -> None:
    """One portion, each row the JSON of a user."""
    imported = await bus.call(IMPORT_USERS, ImportUsers(rows=tuple(rows), org_id=_ORGANIZATION), seconds=120)
    if refused := [outcome for outcome in imported.rows if outcome.status == "refused"]:
        raise BenchFailed(f"{refused[0].user_name} is not imported: {refused[0].problems}")


def row(name: str, hash: str, **more: object) -> str:
    """One user of an import."""
    return human(name, hashedPassword={"hash": hash}, **more)


def usual_hash(password: str) -> str:
    """As the services compute it."""
    return argon2.PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1).hash(password)


def document(apps: Mapping[str, str], dpop: Mapping[str, str] | None = None) -> Document:
    """Applications with their secrets, also those that may use DPoP, and service users for the management API."""
    grants = ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"]
    kinds = [
        *zip(apps.items(), _KINDS.values(), strict=True),
        *((one, _KINDS["opaque"]) for one in (dpop or {}).items()),
    ]
    registered = [
        {"name": id, "clientId": id, "clientSecret": secret, "accessTokenType": kind, "grantTypes": grants,
         "redirectUris": [REDIRECT_URI], **({"dpop": "allowed"} if dpop and id in dpop else {})}
        for (id, secret), kind in kinds
    ]  # fmt: skip
    robots = [
        {"id": f"bench-robot-{name}", "username": name, "name": name, "roles": ["IAM_OWNER"], "accessTokenType": kind}
        for name, kind in _KINDS.items()
    ]
    project = {"id": "bench-project", "name": "Bench", "oidcApps": registered}
    organization = {"id": _ORGANIZATION, "name": "Bench", "projects": [project], "serviceUsers": robots}
    return msgspec.convert({"organizations": [organization]}, Document)


async def _populate(stack: Stack, people: int) -> Accounts:
    password, apps = secrets.token_hex(24), {f"bench-{kind}": secrets.token_hex(24) for kind in _KINDS}
    dpop = {_DPOP: secrets.token_hex(24)}
    applied = await stack.apply(document(apps, dpop))
    robots = {change.id: change.generated_secret for change in applied.changes if change.kind == "service_user"}
    passwords = {f"regular-{number}": password for number in range(_PASSWORDS)}
    usual, cheap = usual_hash(password), argon2.PasswordHasher(1, 8, 1).hash(password)
    rows = [*(row(name, usual) for name in passwords), *(row(f"member-{number}", cheap) for number in range(people))]
    shared = stack.layout.shared
    async with operator_bus(shared.bus_url, shared.bus_passwords[OPERATOR]) as bus:
        for start in range(0, len(rows), PORTION):
            await import_rows(bus, rows[start : start + PORTION])
    accounts = Accounts(apps, robots, [Member("") for _ in range(people)], passwords, dpop=dpop)
    target, waiting = Target("portico", stack.issuer, accounts, {}), iter(enumerate(accounts.members))

    async def work() -> None:
        async with httpx.AsyncClient(base_url=stack.issuer, trust_env=False, timeout=30) as http:
            browser = _Browser(await discover(target, http), shared.authz_url, stack.installation.login_api_key)
            for number, member in waiting:
                await browser.try_to_sign_in(f"member-{number}", password, member)
                if (number + 1) % 1_000 == 0:
                    say(f"  {number + 1:,} people are signed in")

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(_BROWSERS):
                group.create_task(work())
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return accounts


@dataclass(frozen=True, slots=True)
class _Browser:
    """Signs users in one after the other over the login API, as custom login pages do."""

    party: RelyingParty
    authz: str
    key: str

    async def try_to_sign_in(self, name: str, password: str, member: Member) -> None:
        for tried in range(1, _TRIES + 1):
            self.party.http.cookies.clear()
            member.cookie = ""
            try:
                await self._sign_in(name, password, member)
                return
            except BenchFailed:
                if tried == _TRIES:
                    raise

    async def _sign_in(self, name: str, password: str, member: Member) -> None:
        """Gets the member a session and tokens of every application, and refresh tokens of the first and that with DPoP."""
        first, *others = self.party.clients
        begun = begin(self.party.metadata, first, scope=OFFLINE, login_hint=name)
        sent = await self._get(begun.url, member)
        sent = await self._get(await self._log_in(name, password, sent, member), member)
        await self.party.take_tokens(first, member, sent, begun.verifier)
        for client in others:
            begun = begin(self.party.metadata, client)
            await self.party.take_tokens(client, member, await self._get(begun.url, member), begun.verifier)
        begun = begin(self.party.metadata, self.party.dpop_client, scope=OFFLINE)
        await self.party.take_dpop_token(member, await self._get(begun.url, member), begun.verifier)

    async def _log_in(self, name: str, password: str, sent: httpx.Response, member: Member) -> str:
        [request] = parse_qs(urlsplit(sent.headers["location"]).query)["request"]
        step = await self._ask(f"{request}/step", member)
        for asked, value in (("login_name", name), ("password", password)):
            if step["name"] == asked:
                values = {"csrf": step["csrf"], "step": asked, asked: value}
                step = await self._ask(f"{request}/answer", member, **values)
        if step["name"] != "done":
            raise BenchFailed(f"{name} cannot sign in: {step}")
        member.cookie = step["set_cookie"].partition(";")[0]
        return str(step["continue_to"])

    async def _ask(self, path: str, member: Member, **values: str) -> dict[str, Any]:
        body = {"browser": member.cookie.partition("=")[2], **values}
        url, headers = f"{self.authz}{LOGIN_API}/{path}", {"Authorization": f"Bearer {self.key}"}
        return right(await self.party.http.post(url, json=body, headers=headers))

    async def _get(self, url: str, member: Member) -> httpx.Response:
        answer = await self.party.http.get(url, headers={"Cookie": member.cookie} if member.cookie else {})
        if not answer.has_redirect_location:
            raise BenchFailed(f"{answer.url.path} answered {answer.status_code}: {answer.text[:300]}")
        member.cookie = answer.headers.get("set-cookie", member.cookie).partition(";")[0]
        return answer
