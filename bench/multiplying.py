"""Makes a stored installation large: copies of imported people, with their events, written into its MongoDB.

The services are stopped meanwhile. A copy has what an import stores, with other names and ids, so that indexes and
documents have the sizes of real ones. Indexes are dropped first and built again at the end, which is much faster.
"""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

import msgspec
from portico_runtime.process.clock import SystemClock
from portico_users.end_users.end_user import EndUser
from portico_users.end_users.store import HUMANS, PASSWORDS
from portico_users.storage.schema import EVENTS, IDS
from pymongo import IndexModel, MongoClient
from pymongo.collection import Collection

from bench.target import say

FIRST: Final = ("Ada", "Adam", "Grace", "Alan", "Edsger", "Barbara", "Łukasz", "Zoë", "Frances", "Tim", "Radia", "Ken")
LAST: Final = ("Lovelace", "Hopper", "Turing", "Dijkstra", "Liskov", "Öztürk", "Zhang", "Allen", "Perlman", "Lovett")

CACHE_MIB: Final = 4_096
"""Of MongoDB: the indexes of a million people do not fit the 256 MiB of ``make up``."""

PROCESSES: Final = 2
_PORTION: Final = 1_000
_QUARTER: Final = 90 * 86_400
"""Seconds over which events are spread."""

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Size:
    """`orgs`: ids of the organizations over which every tenth person is spread; the others are in that of the original."""

    people: int
    events: int
    orgs: Sequence[str] = field(repr=False, default=())


@dataclass(frozen=True, slots=True)
class Original:
    """A person as stored, with the password, the event of the creation, and the event of a sign-in.

    None for a person without one, as a directory sends them.
    """

    user: Row
    password: Row | None
    created: Row
    signed_in: Row | None


def multiply(url: str, database: str, person: str, member: str | None, size: Size) -> None:
    """Adds copies of a person, who sign in as the member did.

    Args:
        url: of MongoDB, with credentials.
        person: id of a user who was added and never changed.
        member: id of a user who signed in; None for people without a password, who have no such events.
    """
    with MongoClient[Row](url) as client:
        # With 256 MiB, as in the store of a small installation, writing takes nearly twice as long.
        client.admin.command("setParameter", 1, wiredTigerEngineRuntimeConfig=f"cache_size={CACHE_MIB}M")
        stored = client[database]
        original = Original(
            _found(stored["users"], {"_id": person}),
            _found(stored[PASSWORDS], {"_id": person}) if member else None,
            _found(stored[EVENTS], {"object": person, "action": "created"}),
            _found(stored[EVENTS], {"actor": member, "action": "signed_in"}) if member else None,
        )
        indexes = {name: _drop_indexes(stored[name]) for name in (HUMANS.name, EVENTS)}
        began = time.perf_counter()
        parts = [range(start, size.people, PROCESSES) for start in range(PROCESSES)]
        with ProcessPoolExecutor(PROCESSES) as pool:
            for done in [pool.submit(_write, url, database, original, size, part) for part in parts]:
                done.result()
        say(f"  {size.people:,} people written in {time.perf_counter() - began:,.0f} s")
        for name, models in indexes.items():
            began = time.perf_counter()
            stored[name].create_indexes(models)
            say(f"  indexes of {name} built in {time.perf_counter() - began:,.0f} s")


def id_of(number: int) -> str:
    """The id of a copy, which is also the user name."""
    return f"person-{number:07}"


def _found(rows: Collection[Row], where: Row) -> Row:
    found = rows.find_one(where)
    if found is None:
        raise LookupError(f"{rows.name} has nothing with {where}")
    return found


def _drop_indexes(rows: Collection[Row]) -> list[IndexModel]:
    models = []
    for name, index in rows.index_information().items():
        if name != "_id_":
            options = {key: value for key, value in index.items() if key not in ("v", "key", "ns")}
            models.append(IndexModel(index["key"], name=name, **options))
    rows.drop_indexes()
    return models


def _write(url: str, database: str, original: Original, size: Size, numbers: Sequence[int]) -> None:
    with MongoClient[Row](url) as client:
        stored, waiting = client[database], iter(numbers)
        copies = Copies(original, size, SystemClock().now())
        while portion := list(islice(waiting, _PORTION)):
            rows: dict[str, list[Row]] = {HUMANS.name: [], PASSWORDS: [], IDS: [], EVENTS: []}
            for number in portion:
                for name, one in copies.of(number):
                    rows[name].append(one)
            for name, several in rows.items():
                if several:
                    stored[name].insert_many(several, ordered=False)


class Copies:
    """Names follow from the number, so that a second run makes the same people."""

    def __init__(self, original: Original, size: Size, now: float) -> None:
        self._original, self._size, self._now = original, size, now
        self._record = HUMANS.record(original.user)
        self._events = max(size.events // max(size.people, 1) - 1, 0)

    def of(self, number: int) -> Iterator[tuple[str, Row]]:
        """The rows of a person, with their collections."""
        human = self._human(number)
        id, org_id = human.id, human.org_id
        yield HUMANS.name, HUMANS.document(human)
        if self._original.password:
            yield PASSWORDS, {**self._original.password, "_id": id}
        yield IDS, {"_id": id, "table": HUMANS.name, "object": id}
        created, values = self._original.created, {"orgId": org_id, "userName": id, "email": human.email}
        changed = {"_id": secrets.token_hex(11), "object": id, "orgId": org_id}
        yield EVENTS, {**created, **changed, "values": {**created["values"], **values}}
        if signed_in := self._original.signed_in:
            for _ in range(self._events):
                yield EVENTS, self._signed_in(signed_in, id, org_id)

    def _human(self, number: int) -> EndUser:
        names, id = random.Random(number), id_of(number)  # noqa: S311 - names
        first, last = names.choice(FIRST), f"{names.choice(LAST)} {number}"
        org_id = self._size.orgs[number // 10 % len(self._size.orgs)] if self._size.orgs and number % 10 == 0 else ""
        sent = self._record.provisioned
        return msgspec.structs.replace(
            self._record, id=id, user_name=id, org_id=org_id or self._record.org_id, first_name=first, last_name=last,
            display_name=f"{first} {last}", email=f"{id}@mail.example.test", created=self._now - number,
            provisioned=sent and msgspec.structs.replace(sent, external_id=id),
        )  # fmt: skip

    def _signed_in(self, row: Row, id: str, org_id: str) -> Row:
        event = secrets.token_hex(11)
        changed: Mapping[str, Any] = {"_id": event, "object": event, "actor": id, "orgId": org_id}
        at = self._now - secrets.randbelow(_QUARTER)
        return {**row, **changed, "at": at, "values": {**row["values"], "userId": id}}
