"""What a directory costs: ``python -m bench.scim --help``.

Sends people and groups by SCIM to a new stack, twice, as Entra ID and Okta do: a lookup before each change, people by PUT
and by PATCH, members of groups in portions. The second time nothing may be written. Then a burst of membership changes.
`bench.scim_users` compares requests for one user among few people and among many.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import httpx
import msgspec
from portico_contracts.apply import Document
from portico_stack.assembly.stack import Stack
from portico_stack.assembly.stored_mongo import stored_mongo
from portico_stack.processes.programs import StartFailed
from pymongo import MongoClient

from bench.processes import Meter
from bench.stack_target import pids_of, stack_on
from bench.table import aligned
from bench.target import BenchFailed, say

USER: Final = "urn:ietf:params:scim:schemas:core:2.0:User"
GROUP: Final = "urn:ietf:params:scim:schemas:core:2.0:Group"
ENTERPRISE: Final = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"
PATCH: Final = "urn:ietf:params:scim:api:messages:2.0:PatchOp"

_ORG: Final = "bench"
_AT_ONCE: Final = 16
_PORTION: Final = 50
"""Members of one PATCH."""

_BURST: Final = 1_000
_SECONDS: Final = 60


def person(number: int) -> dict[str, Any]:
    """What the directory has of one person."""
    name = f"person{number:06}"
    mail = f"{name}@people.example"
    return {
        "schemas": [USER, ENTERPRISE],
        "userName": mail,
        "externalId": f"external-{number:06}",
        "displayName": f"Person {number}",
        "name": {"givenName": "Person", "familyName": str(number)},
        "emails": [{"value": mail, "type": "work", "primary": True}],
        "title": "Engineer",
        "active": True,
        ENTERPRISE: {"department": f"Department {number % 100}", "employeeNumber": str(number)},
    }


def replacement(number: int) -> dict[str, Any]:
    """The same as the PATCH that Entra ID sends."""
    wanted = person(number)
    simple = ("externalId", "displayName", "title", "active")
    operations = [{"op": "Replace", "path": name, "value": wanted[name]} for name in simple]
    operations += [{"op": "Replace", "path": f"name.{name}", "value": value} for name, value in wanted["name"].items()]
    mail = {"op": "Replace", "path": 'emails[type eq "work"].value', "value": wanted["userName"]}
    extension = [
        {"op": "Replace", "path": f"{ENTERPRISE}:{name}", "value": value} for name, value in wanted[ENTERPRISE].items()
    ]
    return patch(*operations, mail, *extension)


def patch(*operations: dict[str, Any]) -> dict[str, Any]:
    """The body of a PATCH."""
    return {"schemas": [PATCH], "Operations": list(operations)}


async def shared_out(items: Iterable[Any], work: Callable[[Any], Awaitable[None]]) -> None:
    """Works at several items concurrently."""
    waiting = iter(items)

    async def worker() -> None:
        for one in waiting:
            await work(one)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(_AT_ONCE):
                group.create_task(worker())
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None


@dataclass(slots=True)
class Provisioner:
    """A client of one connection. `ids` are those of people by their number."""

    http: httpx.AsyncClient
    base: str
    secret: str = field(repr=False)
    ids: dict[int, str] = field(default_factory=dict)
    groups: dict[int, str] = field(default_factory=dict)
    requests: int = 0
    repeated: int = 0

    async def send(self, verb: str, path: str, body: Any = None, **query: str) -> Any:
        self.requests += 1
        headers = {"Authorization": f"Bearer {self.secret}", "Content-Type": "application/scim+json"}
        content = None if body is None else msgspec.json.encode(body)
        url, answer = f"{self.base}{path}", None
        while answer is None or answer.status_code in (429, 503):
            if answer is not None:  # as directories do
                self.repeated += 1
                await asyncio.sleep(float(answer.headers.get("retry-after", "1")))
            answer = await self.http.request(verb, url, content=content, params=query, headers=headers)
        if answer.status_code >= 400:
            raise BenchFailed(f"{verb} {path} answered {answer.status_code}: {answer.text[:300]}")
        return answer.json() if answer.content else None

    async def find(self, kind: str, filter: str, **query: str) -> str:
        found = (await self.send("GET", f"/{kind}", filter=filter, **query))["Resources"]
        return found[0]["id"] if found else ""

    async def send_person(self, number: int) -> None:
        """Creates a person, or sends the values again: every other one by PUT."""
        wanted = person(number)
        id = await self.find("Users", f'userName eq "{wanted["userName"]}"')
        if not id:
            self.ids[number] = (await self.send("POST", "/Users", wanted))["id"]
        elif number % 2:
            await self.send("PUT", f"/Users/{id}", wanted)
        else:
            await self.send("PATCH", f"/Users/{id}", replacement(number))

    async def send_group(self, number: int, members: Sequence[int]) -> None:
        name = f"Group {number:04}"
        id = await self.find("Groups", f'displayName eq "{name}"', excludedAttributes="members")
        if not id:
            body = {"schemas": [GROUP], "displayName": name, "externalId": f"group-{number:04}"}
            id = (await self.send("POST", "/Groups", body, excludedAttributes="members"))["id"]
        self.groups[number] = id
        for start in range(0, len(members), _PORTION):
            values = [{"value": self.ids[one]} for one in members[start : start + _PORTION]]
            await self.send("PATCH", f"/Groups/{id}", patch({"op": "Add", "path": "members", "value": values}))

    async def synchronize(self, people: int, groups: int) -> None:
        """Each person is in one group."""
        await shared_out(range(people), self.send_person)
        await shared_out(range(groups), lambda one: self.send_group(one, range(one, people, groups)))

    async def burst(self, people: int, groups: int) -> float:
        """Takes members out of their group and puts them back one by one; returns the changes a second."""
        began = time.perf_counter()

        async def change(number: int) -> None:
            path, member = f"/Groups/{self.groups[number % groups]}", self.ids[number]
            removed = {"op": "Remove", "path": f'members[value eq "{member}"]'}
            await self.send("PATCH", path, patch(removed))
            await self.send("PATCH", path, patch({"op": "Add", "path": "members", "value": [{"value": member}]}))

        wanted = min(people, _BURST // 2)
        await shared_out(range(wanted), change)
        return 2 * wanted / (time.perf_counter() - began)


@dataclass(slots=True)
class Collections:
    """Counts what is stored: events, and the versions of users and groups."""

    url: str

    def count(self) -> tuple[int, int]:
        with MongoClient[dict[str, Any]](self.url) as client:
            stored = client["portico_users"]
            versions = [{"$group": {"_id": None, "sum": {"$sum": "$sequence"}}}]
            sums = [next(iter(stored[name].aggregate(versions)), {"sum": 0})["sum"] for name in ("users", "groups")]
            return stored["events"].count_documents({}), sum(sums)


@dataclass(slots=True)
class Run:
    directory: Provisioner
    stored: Collections
    meter: Meter
    rows: list[list[str]] = field(default_factory=list)

    async def measure(self, name: str, work: Awaitable[None]) -> tuple[int, int]:
        """Returns how many events and versions were written."""
        sent, began, before = self.directory.requests, time.perf_counter(), await asyncio.to_thread(self.stored.count)
        _, spent = await self.meter.spent(work)
        seconds, after = time.perf_counter() - began, await asyncio.to_thread(self.stored.count)
        written = after[0] - before[0], after[1] - before[1]
        memory = self.meter.memory_mib()
        requests = self.directory.requests - sent
        self.rows.append(
            [name, f"{requests:,}", f"{seconds:,.0f}", f"{1000 * sum(spent.values()) / requests:.1f}",
             f"{written[0]:,}", f"{written[1]:,}", f"{memory['users']:.0f}", f"{sum(memory.values()):.0f}"]
        )  # fmt: skip
        say(f"{name}: {seconds:,.0f} s")
        return written


async def connect(stack: Stack, http: httpx.AsyncClient) -> Provisioner:
    org = {"id": _ORG, "name": "Bench", "scimConnections": [{"id": _ORG + "-scim", "name": "Directory"}]}
    applied = await stack.apply(msgspec.convert({"organizations": [org]}, Document))
    return Provisioner(http, f"{stack.issuer}/scim/v2/{_ORG}-scim", applied.changes[-1].generated_secret)


@asynccontextmanager
async def _started(data: Path, http: httpx.AsyncClient) -> AsyncIterator[Run]:
    async with stack_on(data) as stack, stored_mongo(data, services_stopped=False) as url:
        run = Run(await connect(stack, http), Collections(url), Meter(pids_of(stack)))
        await run.meter.rest()
        yield run


async def _run(data: Path, options: argparse.Namespace) -> bool:
    async with AsyncExitStack() as opened:
        limits = httpx.Limits(max_connections=_AT_ONCE)
        http = await opened.enter_async_context(httpx.AsyncClient(trust_env=False, timeout=_SECONDS, limits=limits))
        people, groups = options.people, options.groups
        run = await opened.enter_async_context(_started(data, http))
        await run.measure(f"{people:,} people, {groups:,} groups", run.directory.synchronize(people, groups))
        second = await run.measure("the same again", run.directory.synchronize(people, groups))
        rate = 60 * await run.directory.burst(people, groups)
    heads = ("synchronization", "requests", "seconds", "ms of a request", "events", "versions", "users MiB", "all MiB")
    say("\n" + "\n".join(aligned(list(heads), run.rows)))
    say(f"\n{rate:,.0f} membership changes a minute; at least {_BURST:,} are wanted")
    say(f"{run.directory.repeated:,} requests were repeated after 503 or 429")
    return second == (0, 0) and rate >= _BURST


def main() -> int:
    """The status is 1 when the second synchronization writes or membership changes take too long, 2 when nothing was measured."""
    parser = argparse.ArgumentParser(prog="python -m bench.scim", description="Measure a directory that sends by SCIM.")
    parser.add_argument("--people", type=int, default=50_000, help="default %(default)s")
    parser.add_argument("--groups", type=int, default=500, help="default %(default)s")
    options = parser.parse_args()
    try:
        with TemporaryDirectory(prefix="portico-scim-", ignore_cleanup_errors=True) as data:
            reached = asyncio.run(_run(Path(data), options))
    except (BenchFailed, httpx.HTTPError, OSError, StartFailed) as problem:
        sys.stderr.write(f"bench: {type(problem).__name__}: {problem}\n")
        return 2
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
