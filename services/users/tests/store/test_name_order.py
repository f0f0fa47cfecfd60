"""Lists by name are in the order that people read."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from portico_users.storage.listing import FAR, Page, PagedRows
from portico_users.storage.name_order import name_indexes, named_fields

pytestmark = pytest.mark.servers

NAMES = ["ada", "Ada", "Ågnes", "Lena", "Łukasz", "Luzia", "Oskar", "Östen", "Otto", "Öztürk", "Pia", "Zhang", "Zoë"]
"""In this order, whatever the case and the accents are."""

INDEXES = name_indexes("name", "orgId")
WORDS = [("orgId", 1), ("words", 1)]
OF_A = {"$and": [{"state": {"$ne": "deleted"}}, {"orgId": "caf\u00e9"}]}


@pytest.fixture
async def rows(users_world: Any) -> AsyncIterator[Any]:
    collection = users_world.parts.mongo.database[f"named-{users_world.tag}"]
    await collection.create_indexes(list(INDEXES))
    await collection.create_index(WORDS)
    yield collection
    await collection.drop()


async def put(rows: Any, names: list[str], org_id: str = "caf\u00e9", state: str = "active") -> None:
    await rows.insert_many(
        [
            {"_id": f"{org_id}{state}{number:05}", "orgId": org_id, "name": name, "state": state, "words": ["w"]}
            for number, name in enumerate(names)
        ]
    )


def page(offset: int = 0, limit: int = 50, *, ascending: bool = True) -> Page:
    return Page(offset, limit, "name", ascending)


def pages_of(rows: Any) -> PagedRows:
    return PagedRows(rows, named=named_fields(INDEXES))


def names_in(found: list[dict[str, Any]]) -> list[str]:
    return [one["name"] for one in found]


async def test_names_are_in_the_order_that_people_read(rows: Any) -> None:
    """Accents and case come after letters, forwards, backwards and over several pages; deleted ones are not listed."""
    await put(rows, NAMES[::-1])
    await put(rows, ["Gone"], state="deleted")
    pages = pages_of(rows)
    total, whole = await pages.read(OF_A, page())
    _, backwards = await pages.read(OF_A, page(ascending=False))
    parts = [await pages.read(OF_A, page(offset, 5)) for offset in (0, 5, 10)]

    assert (total, names_in(whole)) == (len(NAMES), NAMES)
    assert names_in(backwards) == NAMES[::-1]
    assert [name for _, found in parts for name in names_in(found)] == NAMES


async def test_only_the_owner_itself_is_listed(rows: Any) -> None:
    """Collations compare text, and Unicode has several spellings of a text; an id has one (MG-22)."""
    await put(rows, ["Own"])
    await put(rows, ["Foreign"], org_id="cafe\u0301")
    await put(rows, ["Other"], org_id="CAF\u00c9")

    assert names_in((await pages_of(rows).read(OF_A, page()))[1]) == ["Own"]


async def test_late_pages_are_in_the_same_order(rows: Any) -> None:
    many = [f"{name} {number:04}" for number in range(FAR // len(NAMES) + 5) for name in NAMES]
    await put(rows, many)
    pages = pages_of(rows)
    _, whole = await pages.read(OF_A, page(limit=1_000))
    total, late = await pages.read(OF_A, page(FAR + 7, 20))

    assert total == len(many)
    assert names_in(late) == names_in(whole)[FAR + 7 : FAR + 27]


async def test_matches_of_a_search_are_in_the_same_order(rows: Any) -> None:
    """They are found in another index, and the few of them are sorted in memory."""
    await put(rows, NAMES[::-1])
    question = {"$and": [OF_A, {"words": {"$regex": "^w"}}]}
    pages = pages_of(rows)
    total, found = await pages.scan(question, page(2, 5), WORDS)
    _, backwards = await pages.scan(question, page(ascending=False), WORDS)

    assert (total, names_in(found)) == (len(NAMES), NAMES[2:7])
    assert names_in(backwards) == NAMES[::-1]


async def test_other_conditions_use_their_indexes(rows: Any) -> None:
    """With a collation the database could not use them: such pages are in the order of code points."""
    await put(rows, ["Zoë", "Öztürk"])
    total, found = await pages_of(rows).read({"$and": [OF_A, {"_id": {"$gte": ""}}]}, page())

    assert (total, names_in(found)) == (2, ["Zoë", "Öztürk"])
