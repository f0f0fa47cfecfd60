"""Results of a search, grouped by kind, with links and with the words that match."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from portico_console.management.api import Fields
from portico_console.messages import message
from portico_console.request_context import segment

_KIND: Final = "SEARCH_KIND_"
_TITLES: Final = (
    ("HUMAN", message("People"), "/orgs/{org}/users"),
    ("APP", message("Applications"), ""),
    ("PROJECT", message("Projects"), "/orgs/{org}/projects"),
    ("GROUP", message("Groups"), "/orgs/{org}/groups"),
    ("SERVICE_USER", message("Service users"), "/orgs/{org}/machines"),
    ("ORG", message("Organizations"), ""),
)
"""In the order of the page: kind, title, and the list with all results in an organization."""

_PAGES: Final = {
    "HUMAN": "/orgs/{org}/users/{id}",
    "SERVICE_USER": "/orgs/{org}/machines/{id}",
    "APP": "/orgs/{org}/projects/{project}/apps/{id}",
    "PROJECT": "/orgs/{org}/projects/{id}",
    "GROUP": "/orgs/{org}/groups/{id}",
    "ORG": "/orgs/{org}",
}


class Part(NamedTuple):
    """Part of a text; `marked` if it matches the search."""

    text: str
    marked: bool


class Result(NamedTuple):
    href: str
    title: list[Part]
    subtitle: list[Part]
    org: str
    other: str


class Group(NamedTuple):
    """Results of a kind. `more`: there are further results; `all` is the list that shows them, if one exists.

    `matches` is their number if it is known; `at_least`: counting ended there.
    """

    title: str
    results: list[Result]
    more: bool
    all: str
    matches: int = 0
    at_least: bool = False


def groups_of(found: Fields, base: str, *, org: str = "", but: str = "") -> list[Group]:
    """`org` is the organization of the search, `but` one whose results are omitted."""
    more = {str(kind).removeprefix(_KIND) for kind in found.get("more", ())}
    counts = {str(one["kind"]).removeprefix(_KIND): one for one in found.get("counts", ())}
    by_kind: dict[str, list[Result]] = {}
    for one in found.get("result", ()):
        if not but or one["orgId"] != but:
            by_kind.setdefault(str(one["kind"]).removeprefix(_KIND), []).append(_result(one, base, with_org=not org))
    groups = []
    for kind, title, path in _TITLES:
        if results := by_kind.get(kind):
            address = base + path.format(org=segment(org)) if org and path else ""
            count = counts.get(kind, Fields())
            matches, at_least = int(count.get("matches", 0)), bool(count.get("atLeast", False))
            groups.append(Group(title, results, kind in more, address, matches, at_least))
    return groups


def marked(text: str, words: Sequence[str]) -> list[Part]:
    if not words:
        return [Part(text, marked=False)]
    longest_first = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    parts = re.split(rf"(?<!\w)({longest_first})(?!\w)", text)
    return [Part(part, marked=bool(number % 2)) for number, part in enumerate(parts) if part]


def _result(one: Fields, base: str, *, with_org: bool) -> Result:
    kind = str(one["kind"]).removeprefix(_KIND)
    places = {"org": str(one["orgId"]), "id": str(one["id"]), "project": str(one["projectId"])}
    href = base + _PAGES[kind].format_map({name: segment(value) for name, value in places.items()})
    words = [str(word) for word in _texts(one.get("matched", ()))]
    org = str(one["orgName"]) if with_org and kind != "ORG" else ""
    title = str(one["title"]) or str(one["id"])
    return Result(href, marked(title, words), marked(str(one["subtitle"]), words), org, str(one["otherMatch"]))


def _texts(values: Iterable[object]) -> Iterable[str]:
    return (value for value in values if isinstance(value, str))
