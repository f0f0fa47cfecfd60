"""How many a list has in all: counted as seldom as can be, and never wrong where they are few."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from portico_users.kernel.listing import EXACT, Page, PagedRows

pytestmark = pytest.mark.servers

OF_A = {"owner": "a"}


@pytest.fixture
async def rows(users_world: Any) -> AsyncIterator[Any]:
    """A collection of its own."""
    collection = users_world.parts.mongo.database[f"paged-{users_world.tag}"]
    yield collection
    await collection.drop()


async def put(rows: Any, owner: str, number: int, *, first: int = 0) -> None:
    """Stores some rows of an owner."""
    await rows.insert_many([{"_id": f"{owner}{first + one}", "owner": owner, "at": one} for one in range(number)])


def page(offset: int = 0, limit: int = 10) -> Page:
    """A page by time."""
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
async def test_the_total_is_exact_on_every_page(rows: Any, stored: int, asked: Page, total: int, shown: int) -> None:
    """On the first, a full, the last and an empty page beyond it, those of others are not counted (MG-22)."""
    await put(rows, "b", 3)
    if stored:
        await put(rows, "a", stored)
    counted, found = await PagedRows(rows).read(OF_A, asked)

    assert (counted, len(found)) == (total, shown)


async def test_a_total_that_grows_is_seen_at_once_while_it_is_small(rows: Any) -> None:
    """Up to a thousand the number is that of the call, not that of an earlier one."""
    pages = PagedRows(rows)
    await put(rows, "a", EXACT - 1)
    before, _ = await pages.read(OF_A, page())
    await put(rows, "a", 1, first=EXACT)
    after, _ = await pages.read(OF_A, page())

    assert (before, after) == (999, 1000)


async def test_a_large_total_may_be_that_of_a_moment_ago(rows: Any) -> None:
    """Beyond a thousand the number is counted once for several calls, and another question has a number of its own."""
    pages = PagedRows(rows)
    await put(rows, "a", EXACT + 1)
    await put(rows, "b", EXACT + 2)
    first, _ = await pages.read(OF_A, page())
    await put(rows, "a", 1, first=EXACT + 1)
    again, _ = await pages.read(OF_A, page())
    other, _ = await pages.read({"owner": "b"}, page())

    assert (first, again, other) == (1001, 1001, 1002)


async def test_no_more_than_the_limit_are_counted(rows: Any) -> None:
    """A log that grows for ever is counted up to a number."""
    await put(rows, "a", EXACT + 30)
    total, _ = await PagedRows(rows, most=EXACT + 10).read(OF_A, page())

    assert total == 1010
