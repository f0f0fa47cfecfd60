"""Times of the console's pages in a large organization: ``python -m bench.pages --help``.

With a commit, the pages are also those of its stack: both run, and rounds alternate. Times are those of the whole
response through the gateway, one request at a time.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final
from urllib.parse import urljoin

import httpx

from bench.multiplying import FIRST, LAST
from bench.relying_party import discover, right
from bench.stack_target import PORTION, row, usual_hash
from bench.table import aligned
from bench.target import BenchFailed, Target, say
from bench.trees import Tree, check_out, this_tree, tree_running

_CONSOLE: Final = "/ui/console"
_ORG: Final = f"{_CONSOLE}/orgs/bench"
PAGES: Final[Mapping[str, str]] = {
    "start": _ORG,
    "list": f"{_ORG}/users",
    "list, page 100": f"{_ORG}/users?page=100",
    "list, search": f"{_ORG}/users?search=words&q=ada",
    "search, one word": f"{_CONSOLE}/search?q=ada&org=bench",
    "search, two words": f"{_CONSOLE}/search?q=ada+lov&org=bench",
    "user": f"{_ORG}/users/person-000001",
    "audit": f"{_ORG}/audit",
    "rules": f"{_ORG}/rules/login",
}

_ADMIN: Final = "member-0"
_WARM_UP: Final = 3
_SECONDS: Final = 30
_AWAY: Final = 503
_TRIES: Final = 5
"""A busy machine exceeds the time limit of a slow page now and then; only the last try counts."""
_MOST_REDIRECTS: Final = 10


@dataclass(slots=True)
class Browser:
    """Its cookies are sent over HTTP too, as browsers do for localhost."""

    http: httpx.AsyncClient
    issuer: str
    cookies: dict[str, str]

    @property
    def headers(self) -> dict[str, str]:
        return {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}

    async def get(self, url: str) -> httpx.Response:
        for _ in range(_MOST_REDIRECTS):
            answer = await self.http.get(url, headers=self.headers)
            for line in answer.headers.get_list("set-cookie"):
                name, _, value = line.partition(";")[0].partition("=")
                self.cookies[name] = value
            if not answer.has_redirect_location:
                return answer
            url = urljoin(str(answer.url), answer.headers["location"])
        raise BenchFailed(f"{url} redirects again and again")

    async def milliseconds(self, path: str) -> float:
        for _ in range(_TRIES):
            began = time.perf_counter()
            answer = await self.get(f"{self.issuer}{path}")
            taken = (time.perf_counter() - began) * 1000
            if answer.status_code != _AWAY:
                break
        if answer.status_code != 200 or path.partition("?")[0] not in str(answer.url):
            raise BenchFailed(f"{path} answered {answer.status_code} at {answer.url}: {answer.text[:300]}")
        return taken

    async def last_page(self, path: str) -> str:
        """The path of the last page of a list."""
        answer = await self.get(f"{self.issuer}{path}")
        return f"{path}?page={max(map(int, re.findall(r'[?&;]page=([0-9]+)', answer.text)), default=1)}"


@dataclass(slots=True)
class Timed:
    """The times of the pages of one tree."""

    browser: Browser
    pages: dict[str, str] = field(default_factory=lambda: dict(PAGES))
    times: dict[str, list[float]] = field(default_factory=dict)

    async def round(self, requests: int) -> None:
        for name, path in self.pages.items():
            for _ in range(requests):
                self.times.setdefault(name, []).append(await self.browser.milliseconds(path))


async def _fill(target: Target, people: int) -> None:
    if target.import_rows is None:
        raise BenchFailed("there is no import")
    names, hash, began = random.Random(people), usual_hash("bench"), time.perf_counter()  # noqa: S311 - names
    rows = [
        row(
            f"person-{number:06}",
            hash,
            profile={"firstName": names.choice(FIRST), "lastName": f"{names.choice(LAST)} {number}"},
        )
        for number in range(people)
    ]
    for start in range(0, people, PORTION):
        await target.import_rows(rows[start : start + PORTION])
    say(f"{target.name}: {people:,} people imported in {time.perf_counter() - began:,.0f} s")


async def sign_in(target: Target, http: httpx.AsyncClient) -> Browser:
    """Signs a member of the population in to the console, as an owner of the instance."""
    party = await discover(target, http)
    headers, body = await party.management_headers(), {"userId": _ADMIN, "roles": ["IAM_OWNER"]}
    right(await http.post(f"{target.issuer}/admin/v1/members", json=body, headers=headers))
    name, _, value = party.members(1)[0].cookie.partition("=")
    return Browser(http, target.issuer, {name: value})


async def _measure(trees: Sequence[Tree], options: argparse.Namespace) -> list[Timed]:
    async with AsyncExitStack() as opened:
        data = Path(opened.enter_context(TemporaryDirectory(prefix="portico-pages-", ignore_cleanup_errors=True)))
        http = await opened.enter_async_context(httpx.AsyncClient(trust_env=False, timeout=_SECONDS))
        found = []
        for tree in trees:
            target = await opened.enter_async_context(tree_running(tree, 1, data / tree.name))
            await _fill(target, options.people)
            found.append(Timed(await sign_in(target, http)))
        for one in found:
            for _ in range(_WARM_UP):
                await one.round(1)
            one.times.clear()
        for _ in range(options.rounds):
            for one in found:
                await one.round(options.requests)
        return found


def _table(trees: Sequence[Tree], found: Sequence[Timed]) -> str:
    head = ["page", *(f"{tree.name} {what} ms" for tree in trees for what in ("median", "p95"))]
    rows = [
        [name, *(f"{value:.0f}" for one in found for value in (median(one.times[name]), percentile(one.times[name])))]
        for name in PAGES
    ]
    return "\n".join(aligned(head, rows))


def percentile(times: Sequence[float]) -> float:
    return sorted(times)[int(len(times) * 0.95)]


def main() -> int:
    """The status is 2 when nothing was measured."""
    parser = argparse.ArgumentParser(prog="python -m bench.pages", description="Time the console's pages.")
    parser.add_argument("--people", type=int, default=20_000, help="of the organization (default %(default)s)")
    parser.add_argument("--against", metavar="COMMIT", help="also the pages of this commit, in alternating rounds")
    parser.add_argument("--rounds", type=int, default=6, help="default %(default)s")
    parser.add_argument("--requests", type=int, default=5, help="of each page in a round (default %(default)s)")
    options = parser.parse_args()
    try:
        trees = [*([check_out(options.against)] if options.against else []), this_tree()]
        found = asyncio.run(_measure(trees, options))
    except (BenchFailed, httpx.HTTPError, OSError) as problem:
        sys.stderr.write(f"bench: {problem}\n")
        return 2
    say(f"\n{options.people:,} people\n\n{_table(trees, found)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
