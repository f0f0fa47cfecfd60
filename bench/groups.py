"""What a group of 100,000 members costs: ``python -m bench.groups --help``.

Seconds of the calls that change it, each of which must be in force at the next introspection of a member, and of a burst
of membership changes. With a commit, also the introspection of a member there and here, in rounds that alternate.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import quote_plus

import httpx

from bench.calls import calls_table, count_calls
from bench.check import measure
from bench.comparison import comparison_table
from bench.operations import Operation, Prepared, introspecting
from bench.relying_party import OPAQUE, RelyingParty, discover, right
from bench.stack_target import PORTION, row, usual_hash
from bench.table import aligned
from bench.target import BenchFailed, Member, say
from bench.trees import Tree, check_out, this_tree, tree_running

AT_MOST: Final = 2.0
"""Seconds that a change of the group may take."""

_PROJECT: Final = "bench-project"
_ROLE: Final = "bench-role"
_ROLES: Final = "urn:portico:project:roles"
_INNER: Final = "bench-inner"
_OUTER: Final = "bench-outer"
_PEOPLE: Final = 100
_AT_ONCE: Final = 8
_BURST: Final = 1_000
"""Membership changes that a directory may send within a minute."""

_TIMES: Final = 5
_SECONDS: Final = 30
_THERE: Final = (200, 400, 409)
"""Of what an earlier run over the same population may have made."""


@dataclass(slots=True)
class Groups:
    """Two groups, one in the other, of the organization of the population."""

    party: RelyingParty
    headers: dict[str, str]

    async def send(self, verb: str, path: str, body: dict[str, Any] | None = None) -> httpx.Response:
        url = f"{self.party.target.issuer}/management/v1/{path}"
        return await self.party.http.request(verb, url, json=body, headers=self.headers, timeout=_SECONDS)

    async def call(self, verb: str, path: str, body: dict[str, Any] | None = None) -> None:
        right(await self.send(verb, path, body))

    async def make(self) -> None:
        """Members of the inner group have the role, which the outer group gives."""
        for path, body in (
            (f"projects/{_PROJECT}/roles", {"roleKey": _ROLE}),
            ("groups", {"groupId": _INNER, "name": _INNER}),
            ("groups", {"groupId": _OUTER, "name": _OUTER}),
            (f"groups/{_OUTER}/groups", {"memberGroupId": _INNER}),
        ):
            await self._put("POST", path, body)
        await self.give_role()

    async def add(self, member: Member) -> str:
        """Adds a member of the population; returns an access token with the roles."""
        if not member.tokens.get(_ROLES):
            await self.party.code_flow(self.party.client, member, f"openid {_ROLES}")
            member.tokens[_ROLES] = member.tokens[OPAQUE]
        token = member.tokens[_ROLES]
        await self._put("POST", f"groups/{_INNER}/members", {"userId": (await self.introspected(token))["sub"]})
        return token

    async def give_role(self) -> None:
        await self._put("PUT", f"groups/{_OUTER}/roles/{_PROJECT}", {"roleKeys": [_ROLE]})

    async def introspected(self, token: str) -> dict[str, Any]:
        client = self.party.client
        url, who = self.party.endpoint("introspection_endpoint"), (client.client_id, client.secret)
        return right(await self.party.http.post(url, data={"token": token}, auth=who))

    async def _put(self, verb: str, path: str, body: dict[str, Any]) -> None:
        answer = await self.send(verb, path, body)
        if answer.status_code not in _THERE:
            raise BenchFailed(f"{path} answered {answer.status_code}: {answer.text[:300]}")


async def _introspect_member(party: RelyingParty, _people: int) -> Prepared:
    """The calls that make the groups are counted too, so they are made once."""
    members = party.members(_PEOPLE)
    tokens = [member.tokens[_ROLES] for member in members if _ROLES in member.tokens]
    if len(tokens) < len(members):
        groups = Groups(party, await party.management_headers())
        await groups.make()
        tokens = [await groups.add(member) for member in members]
    return introspecting(party, [quote_plus(token) for token in tokens], [_ROLE])


MEMBER: Final = Operation("introspect member", 3.0, _introspect_member)


@dataclass(slots=True)
class Watch:
    """Changes of the group, each followed at once by introspections of a member."""

    groups: Groups
    token: str
    seconds: dict[str, list[float]]

    async def change(self, name: str, change: Callable[[], Awaitable[object]], *, has_role: bool) -> None:
        began = time.perf_counter()
        await change()
        self.seconds.setdefault(name, []).append(time.perf_counter() - began)
        for _ in range(3):
            found = await self.groups.introspected(self.token)
            if (_ROLE in str(found.get(_ROLES, ""))) != has_role:
                raise BenchFailed(f"after {name} a member has {found}")

    async def all(self) -> None:
        call = self.groups.call
        role, inner = f"groups/{_OUTER}/roles/{_PROJECT}", f"groups/{_OUTER}/groups"
        for _ in range(_TIMES):
            await self.change("role removed", partial(call, "DELETE", role), has_role=False)
            await self.change("role added", self.groups.give_role, has_role=True)
            await self.change("group taken out", partial(call, "DELETE", f"{inner}/{_INNER}"), has_role=False)
            nest = partial(call, "POST", inner, {"memberGroupId": _INNER})
            await self.change("group put into the other", nest, has_role=True)

    async def delete(self) -> None:
        await self.change("group deleted", partial(self.groups.call, "DELETE", f"groups/{_INNER}"), has_role=False)


async def _fill(party: RelyingParty, members: int) -> list[str]:
    """Imports the members; returns the ids of some, as many as a burst has."""
    import_rows = party.target.import_rows
    if import_rows is None:
        raise BenchFailed("there is no import")
    hash, began = usual_hash("bench"), time.perf_counter()
    names = [f"group-{number:06}" for number in range(members)]
    parts = iter([names[start : start + PORTION] for start in range(0, members, PORTION)])

    async def work() -> None:
        for part in parts:
            await import_rows([row(name, hash, groups=[_INNER]) for name in part])

    await asyncio.gather(work(), work())
    say(f"{members:,} members imported in {time.perf_counter() - began:,.0f} s")
    return names[:_BURST]


async def _burst(groups: Groups, names: Sequence[str]) -> float:
    """Takes users out of the group and puts them back; returns the changes a second."""
    waiting, began = iter(names), time.perf_counter()

    async def work() -> None:
        for name in waiting:
            await groups.call("DELETE", f"groups/{_INNER}/members/{name}")
            await groups.call("POST", f"groups/{_INNER}/members", {"userId": name})

    await asyncio.gather(*(work() for _ in range(_AT_ONCE)))
    return 2 * len(names) / (time.perf_counter() - began)


async def _large(tree: Tree, members: int) -> bool:
    async with AsyncExitStack() as opened:
        data = Path(opened.enter_context(TemporaryDirectory(prefix="portico-groups-", ignore_cleanup_errors=True)))
        http = await opened.enter_async_context(httpx.AsyncClient(trust_env=False, timeout=_SECONDS))
        party = await discover(await opened.enter_async_context(tree_running(tree, _PEOPLE, data)), http)
        groups = Groups(party, await party.management_headers())
        await groups.make()
        watch = Watch(groups, await groups.add(party.members(1)[0]), {})
        names = await _fill(party, members)
        await watch.all()
        rate = await _burst(groups, names)
        await watch.delete()
    rows = [[name, str(len(some)), f"{median(some):.2f}", f"{max(some):.2f}"] for name, some in watch.seconds.items()]
    say("\n" + "\n".join(aligned(["operation", "times", "median s", "longest s"], rows)))
    say(
        f"{rate * 60:,.0f} membership changes a minute; at least {_BURST:,} are wanted, and {AT_MOST:.0f} s of a change"
    )
    return rate * 60 >= _BURST and all(max(some) <= AT_MOST for some in watch.seconds.values())


def main() -> int:
    """The status is 1 when a change of the group takes too long, 2 when nothing was measured."""
    parser = argparse.ArgumentParser(prog="python -m bench.groups", description="Measure a large group.")
    parser.add_argument("--members", type=int, default=100_000, help="of the group (default %(default)s)")
    parser.add_argument("--against", metavar="COMMIT", help="compare the introspection of a member with this commit")
    parser.add_argument("--rounds", type=int, default=5, help="of that comparison (default %(default)s)")
    options = parser.parse_args()
    try:
        if options.against:
            trees = [check_out(options.against), this_tree()]
            calls = asyncio.run(count_calls(trees, [MEMBER]))
            measured = argparse.Namespace(people=_PEOPLE, seconds=3, rounds=options.rounds, only=[MEMBER])
            found = asyncio.run(measure(trees, measured))
            say(f"\nPython calls, before → now\n\n{calls_table(calls)}\n\n{comparison_table(found.comparisons)}")
        done = asyncio.run(_large(this_tree(), options.members)) if options.members else True
    except (BenchFailed, httpx.HTTPError, OSError) as problem:
        sys.stderr.write(f"bench: {problem}\n")
        return 2
    return 0 if done else 1


if __name__ == "__main__":
    sys.exit(main())
