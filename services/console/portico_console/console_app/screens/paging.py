"""The address of a list has search, filter, order, page size and page number; each link changes one and keeps the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from portico_console.console_app.screens.screen import Filter, Listing, Narrowing, Search, Sort

SIZES: Final = (25, 50, 100)
PAGE: Final = 50

REACH: Final = 1_000_000
"""Entries that pages reach, which is the limit of the API. Use the search, or the other order, for those behind."""

EXACT: Final = 1_000
"""Above this number of entries, their count can be ten seconds old."""

MAX_SEARCH: Final = 200

_BESIDE: Final = 2
"""Page numbers shown on each side of the current one."""


class Narrowed(NamedTuple):
    by: Narrowing
    value: str

    @property
    def fields(self) -> dict[str, str]:
        before, _, after = self.value.partition("/")
        return {"value": self.value, "before": before, "after": after}


@dataclass(frozen=True, slots=True)
class Asked:
    text: str = ""
    search: Search | None = None
    filter: Filter | None = None
    number: int = 1
    size: int = PAGE
    sort: Sort | None = None
    descending: bool = False
    narrowed: tuple[Narrowed, ...] = ()

    @property
    def is_narrowed(self) -> bool:
        return bool(self.text or self.filter or self.narrowed)


class Link(NamedTuple):
    """Without an address a gap, or the current page."""

    title: str
    href: str = ""
    current: bool = False


class Header(NamedTuple):
    """`order` is the value of aria-sort; without an address the list cannot be sorted by the column."""

    title: str
    href: str = ""
    order: str = ""


class Pager(NamedTuple):
    first: str
    last: str
    total: str
    is_about: bool
    previous: str
    next: str
    numbers: list[Link]
    sizes: list[Link]


def asked_by(query: Mapping[str, str], listing: Listing) -> Asked:
    """Reads the query of an address; unknown words mean the default."""
    searches = {one.word: one for one in listing.searches}
    filters = {one.word: one for one in listing.filters}
    sorts = {one.word: one for one in listing.sorts}
    first = listing.searches[0] if listing.searches else None
    word = query.get("sort", "")
    sort = sorts.get(word.removeprefix("-"))
    size = query.get("size", "")
    per_page = int(size) if size in map(str, SIZES) else PAGE
    return Asked(
        query.get("q", "").strip()[:MAX_SEARCH],
        searches.get(query.get("in", ""), first),
        filters.get(query.get("filter", "")),
        min(page_number(query.get("page", "1")), REACH // per_page),
        per_page,
        sort or next(iter(listing.sorts), None),
        word.startswith("-") if sort else listing.newest_first,
        tuple(Narrowed(one, value) for one in listing.narrowings if (value := _value(one, query.get(one.word, "")))),
    )


def _value(by: Narrowing, typed: str) -> str:
    """Returns nothing for a value that no choice has."""
    before, _, after = typed.partition("/")
    needs_both = "$after" in str(by.query)
    usable = 0 < len(before) <= MAX_SEARCH and len(after) <= MAX_SEARCH and bool(after) is needs_both
    return typed if usable else ""


def query_of(asked: Asked, listing: Listing, **other: Any) -> str:
    """The query of the same list, with other values of some parameters; the page number only if it is given."""
    first = next(iter(listing.sorts), None)
    usual = asked.sort == first and asked.descending is listing.newest_first
    parts = {
        "q": asked.text,
        "in": asked.search.word if asked.search and asked.text else "",
        "filter": asked.filter.word if asked.filter else "",
        **{one.by.word: one.value for one in asked.narrowed},
        "sort": "" if usual or asked.sort is None else _sort_word(asked.sort, descending=asked.descending),
        "size": "" if asked.size == PAGE else asked.size,
    } | other
    return urlencode({name: value for name, value in parts.items() if value})


def headers(base: str, asked: Asked, listing: Listing) -> list[Header]:
    sorts = {one.title: one for one in listing.sorts}
    return [_header(base, asked, listing, column.title, sorts.get(column.title)) for column in listing.columns]


def _header(base: str, asked: Asked, listing: Listing, title: str, sort: Sort | None) -> Header:
    if sort is None:
        return Header(title)
    current = sort == asked.sort
    descending = current and not asked.descending
    order = ("descending" if asked.descending else "ascending") if current else ""
    return Header(title, _to(base, query_of(asked, listing, sort=_sort_word(sort, descending=descending))), order)


def _sort_word(sort: Sort, *, descending: bool) -> str:
    return f"-{sort.word}" if descending else sort.word


def pager(base: str, asked: Asked, listing: Listing, shown: int, total: int, language: str) -> Pager:
    """`shown` is the number of rows of the page."""
    before = (asked.number - 1) * asked.size
    last = max(min(-(-total // asked.size), REACH // asked.size), asked.number) if listing.page else 1

    def to(number: int) -> str:
        page = number if number > 1 else ""
        return _to(base, query_of(asked, listing, page=page)) if 1 <= number <= last and number != asked.number else ""

    near = range(asked.number - _BESIDE, asked.number + _BESIDE + 1)
    numbers: list[Link] = []
    for number in sorted({1, last, *(one for one in near if 1 <= one <= last)}):
        if numbers and number > int(numbers[-1].title) + 1:
            numbers.append(Link("…"))
        numbers.append(Link(str(number), to(number), number == asked.number))
    return Pager(
        grouped(before + 1 if shown else before, language),
        grouped(before + shown, language),
        grouped(max(total, before + shown), language),
        total > EXACT,
        to(asked.number - 1),
        to(asked.number + 1),
        numbers if last > 1 else [],
        [
            Link(str(size), _to(base, query_of(asked, listing, size=size)), size == asked.size) for size in SIZES
        ] if listing.page and total > SIZES[0] else [],
    )  # fmt: skip


def _to(base: str, query: str) -> str:
    return f"{base}?{query}" if query else base


def grouped(number: int, language: str) -> str:
    """Groups digits by a comma in English, elsewhere by a narrow space, which every language understands."""
    return f"{number:,}".replace(",", "," if language == "en" else "\N{NARROW NO-BREAK SPACE}")


def page_number(text: str) -> int:
    return max(int(text), 1) if text.isascii() and text.isdecimal() and len(text) < 6 else 1
