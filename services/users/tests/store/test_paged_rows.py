from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from portico_users.storage import listing
from portico_users.storage.listing import EXACT, FAR, Hint, Page, PagedRows

pytestmark = pytest.mark.servers

OF_A = {"owner": "a"}
ORDER = (("at", 1), ("_id", 1))


@pytest.fixture
async def rows(users_world: Any) -> AsyncIterator[Any]:
    collection = users_world.parts.mongo.database[f"paged-{users_world.tag}"]
    await collection.create_index(list(ORDER))
    yield collection
    await collection.drop()


async def put(rows: Any, owner: str, number: int, *, first: int = 0) -> None:
    await rows.insert_many([{"_id": f"{owner}{first + one}", "owner": owner, "at": one} for one in range(number)])


def page(offset: int = 0, limit: int = 10) -> Page:
    return Page(offset, limit, "at", ascending=True)


@pytest.mark.parametrize(
    ("stored", "asked", "total", "shown"),
    [
        (0, page(), 0, 0),
        (7, page(), 7, 7),
        (10, page(), 10, 10),
        (25, page(), 25, 10),
        (25, page(20), 25, 5),
        (25, page(30), 25, 0),
        (25, page(25), 25, 0),
    ],
)
async def test_total_is_exact_on_every_page(rows: Any, stored: int, asked: Page, total: int, shown: int) -> None:
    """The total is the same on the first, a full, the last and an empty page, and excludes rows of others (MG-22)."""
    await put(rows, "b", 3)
    if stored:
        await put(rows, "a", stored)
    pages = PagedRows(rows)
    counted, found = await pages.read(OF_A, asked)

    assert (counted, len(found)) == (total, shown)
    assert await pages.read(OF_A, asked, ORDER) == (total, found)


async def test_small_total_is_current(rows: Any) -> None:
    """Up to a thousand rows the total is counted for each call."""
    pages = PagedRows(rows)
    await put(rows, "a", EXACT - 1)
    before, _ = await pages.read(OF_A, page())
    await put(rows, "a", 1, first=EXACT)
    after, _ = await pages.read(OF_A, page())

    assert (before, after) == (999, 1000)


@pytest.mark.parametrize("index", [None, ORDER])
async def test_large_total_may_be_cached(rows: Any, index: Hint | None) -> None:
    """Beyond a thousand rows the total is counted once for several calls, separately for each query."""
    pages = PagedRows(rows)
    await put(rows, "a", EXACT + 1)
    await put(rows, "b", EXACT + 2)
    first, _ = await pages.read(OF_A, page(), index)
    await put(rows, "a", 1, first=EXACT + 1)
    again, found = await pages.read(OF_A, page(), index)
    other, _ = await pages.read({"owner": "b"}, page(), index)

    assert (first, again, other) == (1001, 1001, 1002)
    assert len(found) == 10


async def test_total_is_counted_up_to_a_limit(rows: Any) -> None:
    await put(rows, "a", EXACT + 30)
    total, _ = await PagedRows(rows, most=EXACT + 10).read(OF_A, page())

    assert total == 1010


@pytest.mark.parametrize("index", [None, ORDER])
@pytest.mark.parametrize("ascending", [True, False])
@pytest.mark.parametrize("longest", [10_000, 100])
async def test_late_pages_are_those_of_the_order(
    rows: Any, monkeypatch: pytest.MonkeyPatch, index: Hint | None, *, ascending: bool, longest: int
) -> None:
    """Every page has its entries, also where they are skipped in the index or counted from the end."""
    monkeypatch.setattr(listing, "FROM_THE_END", longest)
    await put(rows, "b", 3)
    await put(rows, "a", FAR + 155)
    pages, whole = PagedRows(rows), [f"a{one}" for one in range(FAR + 155)]
    whole = whole if ascending else whole[::-1]
    offsets = (FAR - 10, FAR, FAR + 1, FAR + 140, FAR + 150, FAR + 155, FAR + 900)
    found = {offset: await pages.read(OF_A, Page(offset, 10, "at", ascending), index) for offset in offsets}

    assert {offset: total for offset, (total, _) in found.items()} == dict.fromkeys(offsets, FAR + 155)
    assert {offset: [one["_id"] for one in rows] for offset, (_, rows) in found.items()} == {
        offset: whole[offset : offset + 10] for offset in offsets
    }
