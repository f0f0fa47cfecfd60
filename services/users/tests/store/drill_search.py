"""Times searches by words over 100,000 people: ``pytest -q -n 0 -s services/users/tests/store/drill_search.py``."""

from __future__ import annotations

import random
import statistics
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from functools import partial
from time import perf_counter
from typing import Any, Final

import pytest
from portico_harness.servers import RunningMongo, running_mongo
from portico_runtime.mongo.client import MongoClient
from portico_users.accounts.search import UserSearch, ValueCondition, WordsCondition
from portico_users.end_users.end_user import EndUser
from portico_users.end_users.store import HUMANS, USER_WORD_ORDER
from portico_users.organizations.org import ORGS, Org
from portico_users.search.found import Kind
from portico_users.search.search import Area, Search
from portico_users.storage.listing import Page

pytestmark = pytest.mark.servers

PEOPLE: Final = 100_000
ORGS_COUNT: Final = 1_000
ROUNDS: Final = 12
LIMIT_MS: Final = 150

_SYLLABLES: Final = tuple(f"{one}{two}" for one in "bdfghjklmnprstvz" for two in "aeiou")
QUERIES: Final = (
    "john smith", "smith", "jöhn", "john@", "a", "a b", "a b c d e f g h", "example", "grace example com", "jo sm ex",
    "zuzuzu", "ohn", "mith", "erson777", "zuzu", "hn@", "person77777", "person5 example", "+41 79 000 12 34", "no such words", "person12345-big@mail.example.com",
)  # fmt: skip


@pytest.fixture(scope="module")
def own_mongo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningMongo]:
    with running_mongo(tmp_path_factory.mktemp("searched")) as server:
        yield server


@pytest.fixture(scope="module")
async def users_mongo(own_mongo: RunningMongo) -> AsyncIterator[MongoClient]:
    client = MongoClient(own_mongo.section("users"), "users")
    yield client
    await client.close()


def person(number: int, chance: random.Random) -> EndUser:
    """Half of the people are in one organization; every twentieth is a John, every twentieth a Smith."""
    org_id = "big" if number % 2 else f"o{number % ORGS_COUNT}"
    first = "John" if number % 20 == 1 else "".join(chance.choices(_SYLLABLES, k=3)).title()
    last = "Smith" if number % 400 == 1 or number % 20 == 3 else "".join(chance.choices(_SYLLABLES, k=4)).title()
    return EndUser(
        id=f"id{number}",
        org_id=org_id,
        created=float(number),
        sequence=1,
        user_name=f"person{number}-{org_id}",
        first_name=first,
        last_name=last,
        display_name=f"{first} {last}",
        email=f"person{number}-{org_id}@mail.example.com",
        phone=f"+4179{number:07}",
    )


async def percentile(call: Callable[[], Awaitable[Any]]) -> tuple[float, float]:
    await call()
    taken = []
    for _ in range(ROUNDS):
        begun = perf_counter()
        await call()
        taken.append((perf_counter() - begun) * 1000)
    return statistics.median(taken), max(taken)


def calls_of(service: Any, query: str, orgs: tuple[str, ...] | None) -> dict[str, Callable[[], Awaitable[Any]]]:
    conditions = (WordsCondition(query), ValueCondition("type", ("human",)))
    page = Page(0, 50, "displayName", ascending=True)
    return {
        "search": partial(service.find(Search).find, query, dict.fromkeys(Kind, Area(orgs)), 10),
        "list": partial(service.find(UserSearch).search, orgs, conditions, page),
    }


async def test_searches_take_little_time(users_world: Any) -> None:
    """Every query, also a hostile one, takes at most 150 ms."""
    database = users_world.parts.mongo.database
    chance = random.Random(7)  # noqa: S311
    orgs = [Org(id=f"o{n}", org_id=f"o{n}", name=f"Org {n}", primary_domain=f"o{n}.example") for n in range(ORGS_COUNT)]
    await database[ORGS.name].insert_many([ORGS.document(org) for org in orgs])
    for start in range(0, PEOPLE, 500):
        rows = [HUMANS.document(person(number, chance)) for number in range(start, start + 500)]
        await database[HUMANS.name].insert_many(rows, ordered=False)
    stats = await database.command("collStats", HUMANS.name)
    sizes = {name: round(size / 1e6, 1) for name, size in stats["indexSizes"].items()}
    name = "_".join(f"{member}_1" for member, _ in USER_WORD_ORDER)
    print(f"\nindex {name}: {sizes[name]} MB of {sum(sizes.values()):.0f} MB, documents {stats['size'] / 1e6:.0f} MB")  # noqa: T201
    slow = []
    for query in QUERIES:
        for place, orgs_of in (("one organization", ("big",)), ("all", None)):
            for what, call in calls_of(users_world.service, query, orgs_of).items():
                median, most = await percentile(call)
                print(f"{query:35} {place:17} {what:7} {median:7.1f} {most:7.1f}")  # noqa: T201
                slow += [(query, place, what, most)] if most > LIMIT_MS else []

    assert slow == []
