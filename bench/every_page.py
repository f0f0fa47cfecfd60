"""Finds each kind of page of the console by its links, and times it: ``python -m bench.million every``."""

from __future__ import annotations

import html
import re
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from statistics import median
from typing import Final
from urllib.parse import parse_qs, urlsplit

from bench.pages import Browser, percentile
from bench.table import aligned
from bench.target import say

_CONSOLE: Final = "/ui/console"
_STARTS: Final = (f"{_CONSOLE}/orgs/bench", f"{_CONSOLE}/instance", f"{_CONSOLE}/all", _CONSOLE)
_LINK: Final = re.compile(r'href="([^"#]+)')
_OBJECT: Final = re.compile(r"/(orgs|users|machines|projects|apps|groups|idps|grants|help)/[^/]+")
_ENDS: Final = ("sign-out", "logout", "/static/")
_HTML: Final = "text/html"
_FEWEST: Final = 20
"""Pages that are at least found: with fewer, links have another form."""


@dataclass(slots=True)
class Every:
    """`times` has the milliseconds of each page, `refused` the status of the others.

    Those are pages that demand a recent sign-in, which this client does not make, and failures.
    """

    browser: Browser
    times: dict[str, list[float]] = field(default_factory=dict)
    refused: dict[str, int] = field(default_factory=dict)

    async def find(self, most: int) -> None:
        """Follows links, one of each kind: pages of other objects of the same kind are the same."""
        await self.browser.get(f"{self.browser.issuer}{_CONSOLE}")  # which signs in
        waiting, kinds = deque(_STARTS), {_kind_of(path) for path in _STARTS}
        while waiting and len(self.times) < most:
            path = waiting.popleft()
            for link in _links(path, await self._time(path)):
                if (kind := _kind_of(link)) not in kinds:
                    kinds.add(kind)
                    waiting.append(link)
        if len(self.times) < _FEWEST:
            raise LookupError(f"only {len(self.times)} pages have links: {sorted(self.times)}")

    async def again(self, pages: Iterable[str]) -> None:
        for path in pages:
            await self._time(path)

    def slowest(self, most: int) -> str:
        rows = sorted(self.times.items(), key=lambda one: -percentile(one[1]))[:most]
        lines = [[path, f"{median(some):.0f}", f"{percentile(some):.0f}"] for path, some in rows]
        return "\n".join(aligned(["page", "median ms", "p95 ms"], lines))

    async def _time(self, path: str) -> str:
        """The text of a page. Files are not timed, and only begun, because one may have every event."""
        browser, began = self.browser, time.perf_counter()
        async with browser.http.stream(
            "GET", f"{browser.issuer}{path}", headers=browser.headers, follow_redirects=True
        ) as answer:
            is_page = answer.headers.get("content-type", "").startswith(_HTML)
            text = (await answer.aread()).decode() if is_page else ""
        taken = (time.perf_counter() - began) * 1000
        if answer.status_code != 200 or urlsplit(path).path not in str(answer.url):
            self.refused[path] = answer.status_code
            return ""
        if is_page:
            self.times.setdefault(path, []).append(taken)
        return text


def _kind_of(path: str) -> tuple[str, ...]:
    parts = urlsplit(path)
    return _OBJECT.sub(r"/\1/*", parts.path), *sorted(parse_qs(parts.query))


def _links(path: str, text: str) -> Iterator[str]:
    for found in map(html.unescape, _LINK.findall(text)):
        link = (
            path.partition("?")[0] + found
            if found.startswith("?")
            else urlsplit(found)._replace(scheme="", netloc="").geturl()
        )
        if link.startswith(_CONSOLE) and not any(one in link for one in _ENDS):
            yield link


async def time_every(browser: Browser, rounds: int, most: int, limit: float) -> bool:
    """Reports whether the p95 of every page is within `limit` milliseconds, and none failed."""
    every = Every(browser)
    await every.find(most)
    pages, every.times = every.times, {}
    for _ in range(rounds):
        await every.again(pages)
    failed = {path: status for path, status in every.refused.items() if status >= 500}
    say(f"\n{len(every.times)} pages, and {len(every.refused)} that were refused\n\n{every.slowest(20)}")
    for path, status in failed.items():
        say(f"{path} answered {status}")
    return not failed and all(percentile(some) <= limit for some in every.times.values())
